import { dueTimeAfter } from './backoff.ts';
import type { PlanBuilder } from './plan-builder.ts';
import type { PlannerInput, Read, ReadBudget } from './planner-input.ts';
import { readTable } from './reads.ts';

// Most reads are about what changes: lists, and the status of computers. Side reads are about the rest: the account,
// and the fields of a computer that the list leaves out. They share a limit with the list, and the list goes first.

/**
 * Whether a read says nothing about the status of a computer, although it counts against the same limit as the list.
 */
export function isSideRead({ name }: Read, input: Pick<PlannerInput, 'listHasStatus'>): boolean {
	return (
		readTable[name].scope === 'other' &&
		name !== 'list' &&
		(name !== 'detail' || input.listHasStatus !== false)
	);
}

const minuteMs = 60_000;

/** A process uses at most this share of its budget for side reads. */
const sideShare = 1 / 5;

/** A few side reads may be sent together, such as all of those about the account when the program starts. */
export const maxSideReadBurst = 6;

/**
 * After the start, side reads wait for the answer to the first list, but not for longer than this. By then the ledger
 * shows the other processes that start at the same time, and the slots of the first minute are left to their lists.
 */
const maxStartPauseMs = 1_500;

/** Beside other processes that poll, side reads wait while they would stretch the lists to more than this per process. */
const maxListIntervalPerPollerMs = 2_950;

/**
 * Beside other processes that poll, side reads wait for this long after the start, because the first slots of all these
 * processes also end together.
 */
const crowdedStartPauseMs = 62_000;

/** Beside other processes that poll, a side read follows a list of the same process within this time. */
const turnMs = 1_000;

/** Returns how many side reads per millisecond a process may send. */
export const sideRateOf = ({ requestsPerMs, ownRequestsPerMs, pollerCount }: ReadBudget): number =>
	(pollerCount > 1 ? ownRequestsPerMs : requestsPerMs) * sideShare;

/** Returns the rate of the side reads in the last minute. */
export const recentSideRateOf = ({ sideReadTimes }: PlannerInput, now: number): number =>
	sideReadTimes.filter(at => Math.abs(now - at) < minuteMs).length / minuteMs;

/** Returns the time at which the next side read is due, without regard to its own interval. */
export function nextSideReadTime(
	builder: Pick<PlanBuilder, 'now' | 'reads'>,
	input: PlannerInput,
	budget: ReadBudget,
): number {
	const { sideReadTimes } = input;
	const { now } = builder;
	const chosen = builder.reads.filter(read => isSideRead(read, input)).length;
	const start = startTimeOf(input, budget, now);
	const { pollerCount, requestsPerMsAfterExtraRead } = budget;
	if (pollerCount > 1) {
		const listIntervalMs = 1 / requestsPerMsAfterExtraRead;
		const hasRoom = listIntervalMs <= maxListIntervalPerPollerMs * pollerCount;
		const isOwnTurn = now - input.histories.list.askedAt < turnMs;
		if (!hasRoom || !isOwnTurn || chosen > 0) return Number.POSITIVE_INFINITY;
	}
	const rate = sideRateOf(budget);
	const burst = Math.min(maxSideReadBurst, Math.max(1, Math.round(rate * minuteMs)));
	const place = burst - chosen;
	if (place <= 0) return now + 1 / rate;
	const before = sideReadTimes.at(-place) ?? Number.NEGATIVE_INFINITY;
	return Math.max(start, dueTimeAfter(before, burst / rate, now));
}

function startTimeOf(
	{ histories, answersStaleBefore }: PlannerInput,
	{ pollerCount }: ReadBudget,
	now: number,
): number {
	if (pollerCount > 1) return dueTimeAfter(answersStaleBefore, crowdedStartPauseMs, now);
	const { answeredAt, backoff } = histories.list;
	const hasTried = answeredAt >= answersStaleBefore || backoff !== null;
	return hasTried ? now : dueTimeAfter(answersStaleBefore, maxStartPauseMs, now);
}
