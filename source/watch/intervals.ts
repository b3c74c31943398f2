import type { ReadName } from '../fleet/fact.ts';
import { isDown } from '../foundation/backoff.ts';
import type { PlannerInput, ReadSlots, ReadSlotsByScope } from './planner-input.ts';
import { pollingModeOf } from './polling-mode.ts';
import { accountReadNames, readTable } from './reads.ts';
import { recentSideRateOf, sideRateOf } from './side-reads.ts';

const minuteMs = 60_000;

/**
 * The interval between lists without statuses. It is long, because such a list only shows which computers exist.
 */
const listWithoutStatusIntervalMs = 20_000;

/**
 * A list of 10,000 computers has several megabytes to send, decode and compare. So lists read at most a
 * thousand computers per second, and a list request is in flight for at most a quarter of the time.
 */
const minMsPerListedComputer = 1;
const minIntervalInListDurations = 4;

/** A slow list delays the next one by at most this much, because the screen expects an answer every minute. */
const maxListPauseMs = minuteMs;

/** The milliseconds between two detail reads that fill in fields which the list lacks. */
export const detailIntervalMs = 10_000;

/** Returns the milliseconds from one list request to the next. */
export function listIntervalFor(input: PlannerInput, slots: ReadSlots, now: number): number {
	const { listHasStatus, isListUrgent, requestsPerList, listDurationMs, computers } = input;
	const { intervalMs } = readTable.list;
	const affordable = requestsPerList / listRateFor(input, slots, now);
	const digestible = Math.max(
		computers.size * minMsPerListedComputer,
		requestsPerList === 1
			? Math.min(listDurationMs * minIntervalInListDurations, maxListPauseMs)
			: 0,
	);
	const soonest = Math.max(intervalMs.moving, affordable, digestible);
	if (isListUrgent) return Math.max(readTable.status.intervalMs.moving, soonest);
	const preferred =
		listHasStatus === false
			? Math.max(listWithoutStatusIntervalMs, 2 * affordable)
			: intervalMs[pollingModeOf(input, now)];
	return Math.max(preferred, soonest);
}

/**
 * Returns the expected milliseconds between two answers to the same kind of read. Statuses come from the list
 * or, if the list has no statuses, from status reads of every computer in turn.
 */
export function nextReadIntervalFor(
	name: ReadName,
	input: PlannerInput,
	slots: ReadSlotsByScope,
	now: number,
): number {
	if (name === 'list' || input.listHasStatus !== false)
		return listIntervalFor(input, slots.other, now);
	const round = input.computers.size / slots.status.readsPerMs;
	return Math.max(readTable.status.intervalMs[pollingModeOf(input, now)], round);
}

/** Returns the milliseconds from one detail read to the next, on platforms where only details have the status. */
export function detailIntervalForStatus(
	input: PlannerInput,
	slots: ReadSlots,
	now: number,
): number {
	const lists = input.requestsPerList / listIntervalFor(input, slots, now);
	const left = slots.readsPerMs - accountReadRateOf(input, now) - lists;
	return 1 / Math.max(left, slots.readsPerMs / 12);
}

/** Returns how many list requests per millisecond the slots allow. */
function listRateFor(input: PlannerInput, slots: ReadSlots, now: number): number {
	const { readsPerMs } = slots;
	const details = input.detailAddsFields === false ? 0 : 1 / detailIntervalMs;
	const expected = Math.min(accountReadRateOf(input, now) + details, sideRateOf(slots));
	const sides = Math.max(expected, recentSideRateOf(input, now));
	return Math.max(readsPerMs - sides, readsPerMs / 4);
}

/** Returns the milliseconds from one read about the account to the next. */
export function accountReadIntervalFor(
	name: (typeof accountReadNames)[number],
	input: PlannerInput,
	now: number,
): number {
	return readTable[name].intervalMs[pollingModeOf(input, now)];
}

function accountReadRateOf(input: PlannerInput, now: number): number {
	return accountReadNames
		.map(name => {
			const usual = accountReadIntervalFor(name, input, now);
			return 1 / (isDown(input.histories[name].backoff) ? Math.min(usual, minuteMs) : usual);
		})
		.reduce((sum, rate) => sum + rate, 0);
}
