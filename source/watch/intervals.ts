import type { ReadName } from '../fleet/fact.ts';
import { isDown } from './backoff.ts';
import { isUrgent } from './due.ts';
import type { PlannerInput, ReadBudget, ReadBudgets } from './planner-input.ts';
import { accountReadNames, readTable } from './reads.ts';

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

/**
 * A slow list delays the next one by at most this much. The screen expects an answer every minute, and the
 * duration can include the time in which the list waited for a person to type a password.
 */
const maxListPauseMs = minuteMs;

/** In fleets larger than this, a round of status reads is too slow to be worth it. */
const maxFleetSizeForRounds = 24;

/** The milliseconds between two detail reads that fill in fields which the list lacks. */
export const detailIntervalMs = 10_000;

/**
 * The factor by which intervals grow while the terminal has no focus, for reads without an unfocused interval
 * of their own.
 */
export const unfocusedIntervalFactorOf = ({ isFocused }: PlannerInput) => (isFocused ? 1 : 4);

/** Returns the milliseconds from one list request to the next. */
export function listIntervalFor(input: PlannerInput, budget: ReadBudget, now: number): number {
	const { listHasStatus, isFocused, isListUrgent, requestsPerList, listDurationMs, computers } =
		input;
	const affordable = requestsPerList / listRateFor(input, budget, now);
	const digestible = Math.max(
		computers.size * minMsPerListedComputer,
		requestsPerList === 1
			? Math.min(listDurationMs * minIntervalInListDurations, maxListPauseMs)
			: 0,
	);
	const soonest = Math.max(readTable.list.shortestIntervalMs, affordable, digestible);
	if (isListUrgent) return Math.max(readTable.status.shortestIntervalMs, soonest);
	const preferred =
		listHasStatus === false
			? Math.max(listWithoutStatusIntervalMs, 2 * affordable)
			: readTable.list.shortestIntervalMs;
	return Math.max(preferred, soonest, isFocused ? 0 : readTable.list.relaxedIntervalMs);
}

/**
 * Returns the expected milliseconds between two answers to the same kind of read. Statuses come from the list
 * or, if the list has no statuses, from status reads of every computer in turn.
 */
export function nextReadIntervalFor(
	name: ReadName,
	input: PlannerInput,
	budgets: ReadBudgets,
	now: number,
): number {
	if (name === 'list' || input.listHasStatus !== false)
		return listIntervalFor(input, budgets.other, now);
	const round = input.computers.size / budgets.status.requestsPerMs;
	return unfocusedIntervalFactorOf(input) * Math.max(readTable.status.shortestIntervalMs, round);
}

/** Returns the milliseconds from one detail read to the next, on platforms where only details have the status. */
export function detailIntervalForStatus(
	input: PlannerInput,
	budget: ReadBudget,
	now: number,
): number {
	const lists = input.requestsPerList / listIntervalFor(input, budget, now);
	const left = budget.requestsPerMs - accountReadRateOf(input) - lists;
	return unfocusedIntervalFactorOf(input) / Math.max(left, budget.requestsPerMs / 12);
}

/**
 * A round consists of one status read for each computer. All these reads together reveal as much as a list. A
 * small fleet uses both budgets: one round follows every `listsPerRound` lists, and `intervalMs` passes
 * between any two of them.
 *
 * ```
 *   list    list    list    list    round   list    list    …
 *   ├───────┼───────┼───────┼───────┼───────┼───────┼─────▶   intervalMs apart
 *   ╰───── listsPerRound: 4 ───────╯
 * ```
 */
export type ListAndRoundSchedule = { intervalMs: number; listsPerRound: number };

export function listAndRoundScheduleFor(
	input: PlannerInput,
	{ status, other }: { status: number; other: ReadBudget },
	now: number,
): ListAndRoundSchedule | undefined {
	const { computers, listHasStatus, isFocused, histories } = input;
	const isHung =
		histories.list.isInFlight && now - histories.list.askedAt > readTable.status.shortestIntervalMs;
	const isWorking = !isHung && !histories.list.backoff && !histories.status.backoff;
	const isSmall = computers.size > 0 && computers.size <= maxFleetSizeForRounds;
	if (!listHasStatus || !isFocused || !isWorking || !isSmall) return undefined;
	if ([...computers.values()].some(computer => isUrgent(computer, now))) return undefined;
	const between = listIntervalFor(input, other, now);
	const period = Math.max(readTable.status.shortestIntervalMs, computers.size / status);
	const fewer = Math.max(1, Math.floor(period / between));
	const schedules = [fewer, fewer + 1].map(lists => ({
		listsPerRound: lists,
		intervalMs: Math.max(period, lists * between) / (lists + 1),
	}));
	const [first, second] = schedules;
	return first && second && first.intervalMs <= second.intervalMs ? first : second;
}

// Returns how many list requests per millisecond the budget allows: the part that other reads leave, and at
// least a quarter of the budget.
function listRateFor(input: PlannerInput, { requestsPerMs }: ReadBudget, now: number): number {
	const { detailAddsFields, answersStaleBefore } = input;
	const details = detailAddsFields === false ? 0 : 1 / detailIntervalMs;
	// The many reads at the start use up rate limit slots, which become free after a minute. Lists are sent
	// slightly slower during that minute, because otherwise they would have to pause.
	const startup = now - answersStaleBefore < minuteMs ? requestsPerMs / 5 : 0;
	return Math.max(requestsPerMs - accountReadRateOf(input) - details - startup, requestsPerMs / 4);
}

function accountReadRateOf({ histories, isFocused }: PlannerInput): number {
	return accountReadNames
		.map(name => {
			const usual = isFocused
				? readTable[name].shortestIntervalMs
				: readTable[name].relaxedIntervalMs;
			return 1 / (isDown(histories[name].backoff) ? Math.min(usual, minuteMs) : usual);
		})
		.reduce((sum, rate) => sum + rate, 0);
}
