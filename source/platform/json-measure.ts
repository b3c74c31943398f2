/** Measures JSON while it arrives, so that a response that is too complex is refused before parsing. */
export type JsonMeasure = {
	/**
	 * Measures the next bytes. Returns the exceeded limit in words, or undefined if no limit is exceeded so far.
	 */
	add(chunk: Uint8Array): string | undefined;
};

export type JsonBounds = {
	/** The total number of values, at any depth. */
	maxValues: number;
	/** The number of fields in a single object. */
	maxFields: number;
	/** The number of distinct field names in the whole response. */
	maxNames: number;
	/** The length of a field name in bytes. */
	maxNameLength: number;
	/** The nesting depth of arrays and objects. */
	maxDepth: number;
};

// Ten thousand computers with all their fields make 350,000 values, with under a hundred fields per record and
// under ten levels. These counts decide how long parsing takes; the number of bytes hardly matters. A megabyte
// of brackets takes longer than sixteen of text, and a new field name ten times as long as a repeated one.
const defaultBounds: JsonBounds = {
	maxValues: 400_000,
	maxFields: 200,
	maxNames: 20_000,
	maxNameLength: 1_000,
	maxDepth: 64,
};

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a];
const [bracket, bracketEnd, brace, braceEnd] = [0x5b, 0x5d, 0x7b, 0x7d];
const [space, angle] = [0x20, 0x3c];

// A native search for a quote costs as much as a loop over this many bytes, so a loop searches these first.
const maxLoopSearchBytes = 64;

/** An object holds the state, because V8 would compile closures again for each response. */
type MeasureState = {
	bounds: JsonBounds;
	nameCounter: NameCounter;
	values: number;
	depth: number;
	/**
	 * The number of commas so far in the object at each depth. Arrays have no fields, so theirs are not counted.
	 */
	commas: Float64Array;
	isInText: boolean;
	/** Whether the previous chunk ended with a backslash, so that the next byte is escaped. */
	isEscaped: boolean;
	/** Where the last string began and ended in this chunk. */
	textStart: number;
	textEnd: number;
	/** False for a web page, which is never parsed as JSON; undefined until the first character has arrived. */
	isMeasured: boolean | undefined;
};

export function createJsonMeasure(bounds: JsonBounds = defaultBounds): JsonMeasure {
	const state: MeasureState = {
		bounds,
		nameCounter: { hash: 0, length: 0, count: 0, seenHashes: undefined },
		values: 1,
		depth: 0,
		commas: new Float64Array(bounds.maxDepth + 1),
		isInText: false,
		isEscaped: false,
		textStart: 0,
		textEnd: 0,
		isMeasured: undefined,
	};
	return { add: chunk => (state.isMeasured === false ? undefined : measure(state, chunk)) };
}

function measure(state: MeasureState, chunk: Uint8Array): string | undefined {
	let at = 0;
	while (at < chunk.length) {
		if (state.isInText) {
			at = skipText(state, chunk, at);
			continue;
		}
		const byte = chunk[at] ?? 0;
		at += 1;
		if (byte === quote) {
			state.isInText = true;
			state.textStart = at;
			beginName(state.nameCounter);
		} else if (isPunctuation(byte)) {
			const exceededLimit = measurePunctuation(state, byte, chunk);
			if (exceededLimit !== undefined) return exceededLimit;
		}
		if (state.isMeasured === undefined && byte > space) {
			state.isMeasured = byte !== angle;
			if (!state.isMeasured) return undefined;
		}
	}
	// The colon that makes the last string a field name may only arrive with the next chunk.
	extendName(state, chunk, state.isInText ? chunk.length : state.textEnd);
	state.textStart = 0;
	state.textEnd = 0;
	return undefined;
}

/** Skips a string. Returns the position after its closing quote, or the end of the chunk. */
function skipText(state: MeasureState, chunk: Uint8Array, from: number): number {
	const { length } = chunk;
	let at = from + (state.isEscaped ? 1 : 0);
	state.isEscaped = false;
	while (at < length) {
		const loopEnd = Math.min(length, at + maxLoopSearchBytes);
		while (at < loopEnd) {
			const byte = chunk[at] ?? 0;
			if (byte === quote) return endText(state, at);
			at += byte === backslash ? 2 : 1;
		}
		if (at >= length) break;
		const quoteAt = chunk.indexOf(quote, at);
		const end = quoteAt === -1 ? length : quoteAt;
		const isNextEscaped = backslashesBefore(chunk, end, at) % 2 === 1;
		if (quoteAt !== -1 && !isNextEscaped) return endText(state, end);
		at = isNextEscaped ? end + 1 : end;
	}
	state.isEscaped = at > length;
	return length;
}

function endText(state: MeasureState, quoteAt: number): number {
	state.isInText = false;
	state.textEnd = quoteAt;
	return quoteAt + 1;
}

function backslashesBefore(chunk: Uint8Array, end: number, start: number): number {
	let at = end;
	while (at > start && chunk[at - 1] === backslash) at -= 1;
	return end - at;
}

const isPunctuation = (byte: number) =>
	byte === comma ||
	byte === colon ||
	byte === brace ||
	byte === braceEnd ||
	byte === bracket ||
	byte === bracketEnd;

/** Measures a byte outside strings. Returns the exceeded limit, if any. */
function measurePunctuation(
	state: MeasureState,
	byte: number,
	chunk: Uint8Array,
): string | undefined {
	const { bounds, commas } = state;
	if (byte === colon) {
		extendName(state, chunk, state.textEnd);
		return countName(state);
	}
	if (byte === bracketEnd || byte === braceEnd) {
		state.depth = Math.max(0, state.depth - 1);
		return undefined;
	}
	state.values += 1;
	if (state.values > bounds.maxValues) return `at most ${bounds.maxValues} values`;
	if (byte === comma) {
		const count = (commas[state.depth] ?? 0) + 1;
		commas[state.depth] = count;
		return count >= bounds.maxFields ? `at most ${bounds.maxFields} fields in a record` : undefined;
	}
	state.depth += 1;
	if (state.depth > bounds.maxDepth) return `at most ${bounds.maxDepth} levels`;
	commas[state.depth] = byte === brace ? 0 : Number.NEGATIVE_INFINITY;
	return undefined;
}

/**
 * Counts distinct names by their hashes, without storing the names. Two names with the same hash count as one.
 */
type NameCounter = {
	/** The hash of the last string, which turns out to be a field name if a colon follows. */
	hash: number;
	length: number;
	count: number;
	/** One bit for each hash that occurred. It is allocated with the first name, because most responses are short. */
	seenHashes: Uint32Array | undefined;
};

// There are many more hashes than allowed names, so few names share a hash.
const hashCount = 2 ** 17;

function beginName(nameCounter: NameCounter) {
	nameCounter.hash = 0x811c9dc5 | 0;
	nameCounter.length = 0;
}

function extendName(state: MeasureState, chunk: Uint8Array, to: number) {
	const { nameCounter, bounds, textStart } = state;
	const end = Math.min(to, textStart + bounds.maxNameLength);
	let { hash } = nameCounter;
	for (let at = textStart; at < end; at += 1) {
		hash = Math.imul(hash ^ (chunk[at] ?? 0), 0x01000193);
	}
	nameCounter.hash = hash;
	nameCounter.length += to - textStart;
	state.textStart = to;
}

function countName({ nameCounter: names, bounds }: MeasureState): string | undefined {
	if (names.length > bounds.maxNameLength) return `at most ${bounds.maxNameLength} bytes in a name`;
	names.seenHashes ??= new Uint32Array(hashCount / 32);
	const hashIndex = (names.hash ^ (names.hash >>> 15)) & (hashCount - 1);
	const [word, bit] = [hashIndex >>> 5, 1 << (hashIndex & 31)];
	const wordBefore = names.seenHashes[word] ?? 0;
	if ((wordBefore & bit) !== 0) return undefined;
	names.seenHashes[word] = wordBefore | bit;
	names.count += 1;
	return names.count > bounds.maxNames ? `at most ${bounds.maxNames} names of fields` : undefined;
}
