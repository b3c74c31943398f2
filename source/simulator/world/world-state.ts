import type { Computer } from './computer.ts';
import { type CreditAccount, createCreditAccount, nextMidnightAfter } from './credits.ts';
import { type Plan, type PlanTerms, planTermsByPlan } from './plans.ts';
import { randomFraction } from './random.ts';
import { nextReleaseAt, type Release, releasesBefore } from './releases.ts';

/** The simulated world at the time `now`. Only `advanceTo` moves the world to a later time. */
export type WorldState = {
	readonly seed: number;
	readonly plan: Plan;
	readonly terms: PlanTerms;
	now: number;
	/** The computers by id, in the order of their numbers. */
	readonly computers: Map<string, Computer>;
	/** The deleted computers, which some services still list. */
	readonly deletedComputers: Computer[];
	readonly eventQueue: DueQueue<Computer>;
	createdCount: number;
	/** The number of computers that burn credits. */
	burningCount: number;
	readonly creditAccount: CreditAccount;
	nextGrantAt: number;
	hasPaymentMethod: boolean;
	/** The published releases, oldest first. */
	readonly releases: Release[];
	nextReleaseAt: number;
	/** Called after each change of a computer's state; absent while nothing is recorded. */
	onTransition?: (computer: Computer, at: number) => void;
};

export type WorldOptions = {
	seed: number;
	plan: Plan;
	computers: number;
	/** Whether the world opens in the middle of a story, with a week behind it. */
	isLivedIn?: boolean | undefined;
};

/** Creates a world without computers. Releases are planned as if the world began at `releasedBefore`. */
export function createWorldState(
	{ seed, plan, computers }: WorldOptions,
	now: number,
	releasedBefore = now,
): WorldState {
	const terms = planTermsByPlan[plan];
	const releases = releasesBefore(seed, releasedBefore);
	return {
		seed,
		plan,
		terms,
		now,
		computers: new Map(),
		deletedComputers: [],
		eventQueue: createDueQueue(),
		createdCount: 0,
		burningCount: 0,
		creditAccount: createCreditAccount(terms, computers, now),
		nextGrantAt: nextMidnightAfter(now),
		hasPaymentMethod: terms.hasPaymentMethod,
		releases,
		nextReleaseAt: nextReleaseAt(seed, releases),
	};
}

/** Draws the next random number of a computer. */
export function drawRandomFraction({ seed }: WorldState, computer: Computer): number {
	return randomFraction(seed, computer.number, computer.randomDrawCount++);
}

/** An item with its due time in milliseconds. Items with the same due time are ordered by their number. */
type QueueEntry<T> = { dueAt: number; number: number; item: T };

type DueQueue<T> = {
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
