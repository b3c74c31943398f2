const [quote, comma, colon, brace, space] = [0x22, 0x2c, 0x3a, 0x7b, 0x20];

// A longer first field name is that of no platform.
const maxBeginningLength = 100;

/**
 * Finds where the records of a list end, without looking at each byte: a record begins like the first record, with the
 * same field.
 *
 * ```
 *   {"sandbox_id":"a", … },{"sandbox_id":"b", … },{"sandbox_id":"c", …
 *   └─ beginning ┘        └──── the last one ───▶ └─ beginning ┘
 *   └────────────── whole records ──────────────┘
 * ```
 *
 * A list inside a record may have such records as well. So the records are whole only if they can be parsed as a list.
 */
export type RecordSearch = {
	add(chunk: Uint8Array): void;
	readonly byteCount: number;
	/** Whether the first bytes look like a record, or are too few to tell. */
	mayFindRecords(): boolean;
	/** Returns records that seem to be whole, without the comma behind them; undefined if none is found. */
	wholeRecords(): Uint8Array | undefined;
	/** Drops these records and the comma behind them. */
	dropRecords(records: Uint8Array): void;
	/** Returns the bytes that have not been dropped. */
	bytes(): Uint8Array;
};

export function createRecordSearch(): RecordSearch {
	let chunks: Uint8Array[] = [];
	let byteCount = 0;
	let beginning: Uint8Array | undefined;

	function bytes(): Buffer {
		const [only] = chunks;
		// Joining copies, even if there is only one.
		const joined = chunks.length === 1 && Buffer.isBuffer(only) ? only : Buffer.concat(chunks);
		chunks = [joined];
		return joined;
	}

	return {
		get byteCount() {
			return byteCount;
		},
		add(chunk) {
			chunks.push(chunk);
			byteCount += chunk.length;
		},
		mayFindRecords() {
			if (beginning === undefined && byteCount >= maxBeginningLength)
				beginning = beginningOfRecord(bytes());
			return beginning !== undefined || byteCount < maxBeginningLength;
		},
		wholeRecords() {
			const list = bytes();
			beginning ??= beginningOfRecord(list);
			if (beginning === undefined) return undefined;
			const end = lastNonSpace(list, list.lastIndexOf(beginning) - 1);
			return end > 0 && list[end] === comma ? list.subarray(0, end) : undefined;
		},
		dropRecords(records) {
			const rest = bytes().subarray(records.length + 1);
			chunks = [rest];
			byteCount = rest.length;
		},
		bytes,
	};
}

/** Returns the beginning of the first record, up to the colon after its first field name. */
function beginningOfRecord(list: Buffer): Uint8Array | undefined {
	const start = list.indexOf(brace);
	const end = list.indexOf(colon, start) + 1;
	const isRecord = start !== -1 && lastNonSpace(list, start - 1) === -1;
	if (!isRecord || end === 0 || end - start > maxBeginningLength) return undefined;
	const beginning = list.subarray(start, end);
	return beginning.includes(quote) ? Uint8Array.from(beginning) : undefined;
}

/** Returns the last position at or before `from` that has no white space; -1 if there is none. */
function lastNonSpace(bytes: Uint8Array, from: number): number {
	let at = from;
	while (at >= 0 && (bytes[at] ?? 0) <= space) at -= 1;
	return at;
}
