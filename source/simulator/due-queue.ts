/** An item with its due time in milliseconds. Items with the same due time are ordered by their number. */
type QueueEntry<T> = { dueAt: number; number: number; item: T };

export type DueQueue<T> = {
	add(entry: QueueEntry<T>): void;
	/** Returns the earliest due time in the queue; Infinity if the queue is empty. */
	nextDueTime(): number;
	takeEarliest(): QueueEntry<T> | undefined;
};

/** Creates a queue of items by their due time. It is a binary heap, because ten thousand computers share it. */
export function createDueQueue<T>(): DueQueue<T> {
	const heap: QueueEntry<T>[] = [];

	const isBefore = (first: QueueEntry<T>, second: QueueEntry<T>) =>
		first.dueAt < second.dueAt || (first.dueAt === second.dueAt && first.number < second.number);

	function siftUp(entry: QueueEntry<T>) {
		let index = heap.length;
		while (index > 0) {
			const parentIndex = (index - 1) >> 1;
			const parent = heap[parentIndex];
			if (!parent || !isBefore(entry, parent)) break;
			heap[index] = parent;
			index = parentIndex;
		}
		heap[index] = entry;
	}

	function siftDown(entry: QueueEntry<T>) {
		let index = 0;
		for (;;) {
			const leftIndex = 2 * index + 1;
			const [first, second] = [heap[leftIndex], heap[leftIndex + 1]];
			const childIndex = second && first && isBefore(second, first) ? leftIndex + 1 : leftIndex;
			const child = heap[childIndex];
			if (!child || !isBefore(child, entry)) break;
			heap[index] = child;
			index = childIndex;
		}
		heap[index] = entry;
	}

	return {
		add: siftUp,
		nextDueTime: () => heap[0]?.dueAt ?? Number.POSITIVE_INFINITY,
		takeEarliest() {
			const first = heap[0];
			const last = heap.pop();
			if (last && heap.length > 0) siftDown(last);
			return first;
		},
	};
}
