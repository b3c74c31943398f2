/** Counts different names without keeping them: two that share a hash are counted as one. */
export type NameCount = {
	/** Of the text that is being read. */
	hash: number;
	/** Begins the next text. */
	begin(): void;
	/** Counts the text that was read last as a name. Says whether there may be as many. */
	add(): boolean;
};

// Bits of the table. It is many times as large as the names that may be in it, so that few share a place.
const places = 2 ** 17;

export function createNameCount(most: number): NameCount {
	let seen: Uint32Array | undefined;
	let count = 0;

	return {
		hash: 0,
		begin() {
			this.hash = 0x811c9dc5 | 0;
		},
		add() {
			// Most answers are short, and a table for each would cost more than reading it.
			seen ??= new Uint32Array(places / 32);
			const place = (this.hash ^ (this.hash >>> 15)) & (places - 1);
			const [word, bit] = [place >>> 5, 1 << (place & 31)];
			const known = seen[word] ?? 0;
			if ((known & bit) !== 0) return true;
			seen[word] = known | bit;
			count += 1;
			return count <= most;
		},
	};
}
