import type { BegunPart, PendingOperation } from './begun-part.ts';

type Entry = PendingOperation | BegunPart;

/** Operations in the order in which they are sent. A part of a batch stands for the rest of its operations. */
export type SendingQueue = {
	/** Adds entries at the end, or before the first batch. */
	add(entries: readonly Entry[], place: 'end' | 'before batches'): void;
	addFirst(item: PendingOperation): void;
	/** Removes and returns the first operation. */
	takeFirst(): PendingOperation | undefined;
	/** How many operations will be sent before this one; -1 if it is not in the queue. */
	positionOf(item: PendingOperation): number;
	/** Returns the first operations for which the test is true, at most this many. They keep their places. */
	firstOf(test: (item: PendingOperation) => boolean, maxCount: number): readonly PendingOperation[];
	remove(items: ReadonlySet<PendingOperation>): void;
};

const isPart = (entry: Entry): entry is BegunPart => 'maker' in entry;

export function createSendingQueue(): SendingQueue {
	let entries: Entry[] = [];

	return {
		add(added, place) {
			const isOfBatch = (entry: Entry) => isPart(entry) || entry.spec.batch !== undefined;
			const firstOfBatch = place === 'end' ? -1 : entries.findIndex(isOfBatch);
			entries.splice(firstOfBatch < 0 ? entries.length : firstOfBatch, 0, ...added);
		},
		addFirst: item => void entries.unshift(item),
		takeFirst() {
			for (let [first] = entries; first; [first] = entries) {
				const [item] = isPart(first) ? first.take(1) : [first];
				if (!isPart(first) || first.restCount() === 0) entries.shift();
				if (item) return item;
			}
			return undefined;
		},
		positionOf(item) {
			let position = 0;
			for (const entry of entries) {
				if (entry === item) return position;
				if (!isPart(entry)) position += 1;
				else {
					const place = entry.placeInRest(item);
					if (place >= 0) return position + place;
					position += entry.restCount();
				}
			}
			return -1;
		},
		firstOf(test, maxCount) {
			const found: PendingOperation[] = [];
			for (let at = 0; at < entries.length && found.length < maxCount; at += 1) {
				const entry = entries[at];
				if (!entry) break;
				if (isPart(entry)) {
					// Operations that are taken from a part stand in the queue by themselves, before its rest.
					const taken = entry.take(maxCount - found.length);
					const isEmpty = entry.restCount() === 0;
					entries.splice(at, isEmpty ? 1 : 0, ...taken);
					at += taken.length - (isEmpty ? 1 : 0);
					found.push(...taken.filter(test));
				} else if (test(entry)) found.push(entry);
			}
			return found;
		},
		remove(items) {
			entries = entries.filter(entry =>
				isPart(entry) ? entry.restCount() > 0 : !items.has(entry),
			);
		},
	};
}
