import { dueTimeAfter } from '../foundation/backoff.ts';
import type { PlanBuilder } from './plan-builder.ts';
import type { PlannerInput, Read, ReadSlots } from './planner-input.ts';
import { readTable } from './reads.ts';

// The main reads are lists and the status of computers, which change often. Side reads are about the rest: the
// account, and fields of a computer that the list leaves out. They share a rate limit with the list, and the list
// goes first.

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

/** A process uses at most this share of its slots for side reads. */
const sideShare = 1 / 5;

/** A few side reads may be sent together, such as all of those about the account when the program starts. */
export const maxSideReadBurst = 6;

/** After the start, side reads wait for the answer to the first list, but not for longer than this. */
const maxStartPauseMs = 1_500;

/** Returns how many side reads per millisecond a process may send. */
export const sideRateOf = ({ readsPerMs }: ReadSlots): number => readsPerMs * sideShare;

/** Returns the rate of the side reads in the last minute. */
export const recentSideRateOf = ({ sideReadTimes }: PlannerInput, now: number): number =>
	sideReadTimes.filter(at => Math.abs(now - at) < minuteMs).length / minuteMs;

/** Returns the earliest time at which a side read may be sent, without regard to the interval of that read. */
export function nextSideReadTime(
	builder: Pick<PlanBuilder, 'now' | 'reads'>,
	input: PlannerInput,
	slots: ReadSlots,
): number {
	const { sideReadTimes } = input;
	const { now } = builder;
	const chosen = builder.reads.filter(read => isSideRead(read, input)).length;
	const start = startTimeOf(input, now);
	const rate = sideRateOf(slots);
	const burst = Math.min(maxSideReadBurst, Math.max(1, Math.round(rate * minuteMs)));
	const place = burst - chosen;
	if (place <= 0) return now + 1 / rate;
	const before = sideReadTimes.at(-place) ?? Number.NEGATIVE_INFINITY;
	return Math.max(start, dueTimeAfter(before, burst / rate, now));
}

function startTimeOf({ histories, answersStaleBefore }: PlannerInput, now: number): number {
	const { answeredAt, backoff } = histories.list;
	const hasTried = answeredAt >= answersStaleBefore || backoff !== null;
	return hasTried ? now : dueTimeAfter(answersStaleBefore, maxStartPauseMs, now);
}
