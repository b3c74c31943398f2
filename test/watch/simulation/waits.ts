/** The milliseconds between two answers about the status of each computer. */
export type Waits = {
	/** Records an answer about one computer, or about all of them when there is no id. */
	answered(id: string | undefined, at: number): void;
	/** The waits of each computer that is being created. */
	readonly close: ReadonlyMap<string, readonly number[]>;
	/** The longest wait of any computer. */
	readonly longest: number;
	/** Ends the waits that are still open. */
	end(at: number): void;
};

export function createWaits(ids: readonly string[], closely: readonly string[]): Waits {
	const last = new Map(ids.map(id => [id, 0]));
	const close = new Map(closely.map((id): [string, number[]] => [id, []]));
	let all = 0;
	let longest = 0;

	const since = (id: string) => Math.max(all, last.get(id) ?? 0);

	return {
		answered(id, at) {
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
