export type NameBounds = {
	/** The number of distinct field names in the whole response. */
	maxNames: number;
	/** The length of a field name in bytes. */
	maxNameLength: number;
};

/**
 * Counts distinct names by their hashes, without storing the names. Two names with the same hash count as one.
 */
export type NameCounter = {
	/** The hash of the last string, which turns out to be a field name if a colon follows. */
	lastNameHash: number;
	lastNameLength: number;
	count: number;
	/** One bit for each hash that occurred. It is allocated with the first name, because most responses are short. */
	seenHashes: Uint32Array | undefined;
};

// The number of hashes. It is much larger than the number of allowed names, so few names share a hash.
const hashCount = 2 ** 17;

export const createNameCounter = (): NameCounter => ({
	lastNameHash: 0,
	lastNameLength: 0,
	count: 0,
	seenHashes: undefined,
});

export function beginName(nameCounter: NameCounter) {
	nameCounter.lastNameHash = 0x811c9dc5 | 0;
	nameCounter.lastNameLength = 0;
}

/** Adds the next bytes of the last string. */
export function extendName(
	nameCounter: NameCounter,
	bytes: Uint8Array,
	from: number,
	to: number,
	bounds: NameBounds,
) {
	const end = Math.min(to, from + bounds.maxNameLength);
	let { lastNameHash: hash } = nameCounter;
	for (let at = from; at < end; at += 1) {
		hash = Math.imul(hash ^ (bytes[at] ?? 0), 0x01000193);
	}
	nameCounter.lastNameHash = hash;
	nameCounter.lastNameLength += to - from;
}

/** Counts the last string as a field name. Returns the exceeded limit, if any. */
export function countName(nameCounter: NameCounter, bounds: NameBounds): string | undefined {
	if (nameCounter.lastNameLength > bounds.maxNameLength)
		return `at most ${bounds.maxNameLength} bytes in a name`;
	nameCounter.seenHashes ??= new Uint32Array(hashCount / 32);
	const hashIndex =
		(nameCounter.lastNameHash ^ (nameCounter.lastNameHash >>> 15)) & (hashCount - 1);
	const [word, bit] = [hashIndex >>> 5, 1 << (hashIndex & 31)];
	const wordBefore = nameCounter.seenHashes[word] ?? 0;
	if ((wordBefore & bit) !== 0) return undefined;
	nameCounter.seenHashes[word] = wordBefore | bit;
	nameCounter.count += 1;
	return nameCounter.count > bounds.maxNames
		? `at most ${bounds.maxNames} names of fields`
		: undefined;
}
