/** An item and its due time. Items with the same time are ordered by their number. */
export type Due<T> = { at: number; number: number; what: T };

export type DueQueue<T> = {
	add(due: Due<T>): void;
	/** Returns the earliest due time; Infinity when the queue is empty. */
	nextAt(): number;
	take(): Due<T> | undefined;
};

/** Creates the queue as a binary heap, because a fleet may have ten thousand due times. */
export function createDueQueue<T>(): DueQueue<T> {
	const heap: Due<T>[] = [];

	const isBefore = (one: Due<T>, other: Due<T>) =>
		one.at < other.at || (one.at === other.at && one.number < other.number);

	function rise(due: Due<T>) {
		let place = heap.length;
		while (place > 0) {
			const above = (place - 1) >> 1;
			const parent = heap[above];
			if (!parent || !isBefore(due, parent)) break;
			heap[place] = parent;
			place = above;
		}
		heap[place] = due;
	}

	function sink(due: Due<T>) {
		let place = 0;
		for (;;) {
			const left = 2 * place + 1;
			const [first, second] = [heap[left], heap[left + 1]];
			const below = second && first && isBefore(second, first) ? left + 1 : left;
			const child = heap[below];
			if (!child || !isBefore(child, due)) break;
			heap[place] = child;
			place = below;
		}
		heap[place] = due;
	}

	return {
		add: rise,
		nextAt: () => heap[0]?.at ?? Number.POSITIVE_INFINITY,
		take() {
			const first = heap[0];
			const last = heap.pop();
			if (last && heap.length > 0) sink(last);
			return first;
		},
	};
}
