import { isSameButUsage, type Reading } from '../fleet/computers/computer.ts';
import { findEarlierReading } from '../fleet/computers/unchanged-readings.ts';
import type { Fact } from '../fleet/fact.ts';
import type { Clock } from '../foundation/clock.ts';
import { createPreparedResult, type Steps } from '../foundation/steps.ts';

// In a large fleet, CPU and memory of most computers change from list to list. Where a status changes as well, it
// should be on the screens of all panes at the same moment. So such a list is reported in two parts:
//
//   answer ──▶ what changed, with the CPU and memory of the earlier list ──▶ folded and drawn
//          └── a moment later: the whole list ──▶ folded, and drawn with the next second

/** All panes of a host have drawn the change by then. */
export const usageDelayMs = 250;

/** The CPU and memory of fewer computers are folded as fast as a list of their own. */
export const leastDelayedUsages = 50;

// Comparing this many computers takes about a millisecond.
const comparedPerStep = 1_000;

type ListFact = Extract<Fact, { type: 'listRead' }>;

/** Reports the facts of a watch in their order, some lists in two parts. */
export type ListParts = {
	report(fact: Fact): void;
	/** Compares a long list with the one before, some computers in each turn, before it is reported. */
	prepare(computers: readonly Reading[], nextTurn: () => Promise<void>): Promise<void>;
	/** Drops the second part that waits. */
	cancel(): void;
};

export function createListParts(clock: Clock, onFact: (fact: Fact) => void): ListParts {
	let before: readonly Reading[] = [];
	let waiting: ListFact | undefined;
	let cancelTimer = () => {};
	const earlierUsage = createPreparedResult(withEarlierUsage);

	function cancel() {
		cancelTimer();
		waiting = undefined;
	}

	function reportWaiting() {
		const list = waiting;
		cancel();
		if (list) onFact(list);
	}

	return {
		report(fact) {
			reportWaiting();
			if (fact.type !== 'listRead') return onFact(fact);
			const computers = earlierUsage.resultOf(before, fact.computers);
			before = fact.computers;
			if (!computers) return onFact(fact);
			waiting = fact;
			cancelTimer = clock.after(usageDelayMs, reportWaiting);
			onFact({ ...fact, computers, usageFollows: true });
		},
		prepare: (computers, nextTurn) => earlierUsage.prepare(nextTurn, before, computers),
		cancel,
	};
}

/**
 * Returns a list in which the computers with other CPU and memory only have the reading of the earlier list. Returns
 * undefined if nothing else has changed, or if there are few such computers.
 */
function* withEarlierUsage(
	before: readonly Reading[],
	computers: readonly Reading[],
): Steps<readonly Reading[] | undefined> {
	const earlierReading = findEarlierReading(before);
	let hasNews = before.length !== computers.length;
	let delayed = 0;
	const readings: Reading[] = [];
	for (const reading of computers) {
		const place = readings.length;
		if (place > 0 && place % comparedPerStep === 0) yield;
		const earlier = earlierReading(reading, place);
		const isDelayed = earlier && earlier !== reading && isSameButUsage(earlier, reading);
		if (isDelayed) delayed += 1;
		else hasNews ||= earlier !== reading;
		readings.push(isDelayed ? earlier : reading);
	}
	return hasNews && delayed >= leastDelayedUsages ? readings : undefined;
}
