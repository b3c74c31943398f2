/** How long each computer waited from one answer about its status to the next, in milliseconds. */
export type Waits = {
	/** An answer told about one, or about all. */
	told(id: string | undefined, at: number): void;
	/** Of those that are watched closely. */
	readonly close: ReadonlyMap<string, readonly number[]>;
	/** Of all. */
	readonly longest: number;
	/** Ends the waits that still go on. */
	end(at: number): void;
};

export function createWaits(ids: readonly string[], closely: readonly string[]): Waits {
	const last = new Map(ids.map(id => [id, 0]));
	const close = new Map(closely.map((id): [string, number[]] => [id, []]));
	let all = 0;
	let longest = 0;

	const since = (id: string) => Math.max(all, last.get(id) ?? 0);

	return {
		told(id, at) {
			if (id !== undefined) {
				longest = Math.max(longest, at - since(id));
				close.get(id)?.push(at - since(id));
				last.set(id, at);
				return;
			}
			for (const [each, waits] of close) waits.push(at - since(each));
			this.end(at);
			all = at;
		},
		close,
		get longest() {
			return longest;
		},
		end(at) {
			const oldest = Math.min(...last.values());
			longest = Math.max(longest, at - Math.max(all, oldest));
		},
	};
}
