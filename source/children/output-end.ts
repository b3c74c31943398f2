/** The end of what a child process has written, in a bounded amount of memory. */
export type OutputEnd = {
	add(chunk: Buffer): void;
	text(): string;
	/** How many bytes were dropped from the beginning. */
	droppedBytes(): number;
};

/** Keeps the last `maxBytes` bytes, because the end of an output says how the work ended. */
export function createOutputEnd(maxBytes: number): OutputEnd {
	let chunks: Buffer[] = [];
	let keptBytes = 0;
	let droppedBytes = 0;

	function joined(): Buffer {
		const all = Buffer.concat(chunks);
		const surplus = Math.max(0, all.length - maxBytes);
		droppedBytes += surplus;
		keptBytes = all.length - surplus;
		// The end is copied, because a slice of the buffer would keep the whole buffer in memory.
		const end = Buffer.from(all.subarray(surplus));
		chunks = [end];
		return end;
	}

	return {
		add(chunk) {
			chunks.push(chunk);
			keptBytes += chunk.length;
			// The chunks are joined only at twice the size, so that adding a chunk stays cheap however many there
			// are.
			if (keptBytes > 2 * maxBytes) joined();
		},
		text() {
			const bytes = joined();
			return bytes.toString('utf8', droppedBytes === 0 ? 0 : firstCharacterIn(bytes));
		},
		droppedBytes() {
			joined();
			return droppedBytes;
		},
	};
}

// A cut may leave up to three continuation bytes of a character at the beginning.
function firstCharacterIn(bytes: Buffer): number {
	let at = 0;
	while (at < 4 && ((bytes[at] ?? 0) & 0xc0) === 0x80) at += 1;
	return at;
}
