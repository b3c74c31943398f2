import type { ReadName } from '../fleet/fact.ts';
import { isDown } from './backoff.ts';
import { isUrgent } from './due.ts';
import type { PlannerInput, ReadBudget, ReadBudgets } from './planner-input.ts';
import { accountReads, reads } from './reads.ts';

const minute = 60_000;

/** When the list does not tell the status, it is asked only for who is there. */
const listOnlyInterval = 20_000;

/**
 * A list of 10,000 is some megabytes to send, to decode and to compare: no more of it than a thousand
 * computers a second, and never more than a quarter of the time spent on waiting for it.
 */
const millisecondsPerComputer = 1;
const pausePerAnswer = 4;

/** Larger fleets gain too little from rounds. */
const roundAtMost = 24;

/** Milliseconds between two details that fill in what the list leaves out. */
export const detailGap = 10_000;

/** How fast to go while nobody looks, where there is no interval of its own for that. */
export const unfocusedFactor = ({ focused }: PlannerInput) => (focused ? 1 : 4);

/** Milliseconds from one list to the next. */
export function listInterval(outlook: PlannerInput, purse: ReadBudget, now: number): number {
	const { listHasStatus, focused, isListUrgent, listRequests, listDuration, computers } = outlook;
	const affordable = listRequests / listRate(outlook, purse, now);
	const bearable = Math.max(
		computers.size * millisecondsPerComputer,
		listRequests === 1 ? listDuration * pausePerAnswer : 0,
	);
	const soonest = Math.max(reads.list.best, affordable, bearable);
	if (isListUrgent) return Math.max(reads.status.best, soonest);
	const wished =
		listHasStatus === false ? Math.max(listOnlyInterval, 2 * affordable) : reads.list.best;
	return Math.max(wished, soonest, focused ? 0 : reads.list.worst);
}

/** Milliseconds until what a read told is meant to be told again, as things are now. */
export function nextReadInterval(
	name: ReadName,
	outlook: PlannerInput,
	purses: ReadBudgets,
	now: number,
): number {
	if (name === 'list' || outlook.listHasStatus !== false)
		return listInterval(outlook, purses.other, now);
	const round = outlook.computers.size / purses.status.rate;
	return unfocusedFactor(outlook) * Math.max(reads.status.best, round);
}

/** Milliseconds from one detail to the next, when details tell the status and the list does not. */
export function detailAsStatusInterval(
	outlook: PlannerInput,
	purse: ReadBudget,
	now: number,
): number {
	const lists = outlook.listRequests / listInterval(outlook, purse, now);
	const left = purse.rate - accountReadRate(outlook) - lists;
	return unfocusedFactor(outlook) / Math.max(left, purse.rate / 12);
}

/**
 * The status of a few computers, asked one by one and all at once, tells as much as a list. So a small
 * fleet is looked at by lists and rounds in turn, evenly, and each budget is used up:
 *
 * ```
 *   list    list    list    list    round   list    list    …
 *   ├───────┼───────┼───────┼───────┼───────┼───────┼─────▶
 *     every                   per list budget: 4 lists in `period`; per status budget: 1 round
 * ```
 */
export type Alternation = { every: number; lists: number };

export function alternationOf(
	outlook: PlannerInput,
	{ status, other }: { status: number; other: ReadBudget },
	now: number,
): Alternation | undefined {
	const { computers, listHasStatus, focused, histories } = outlook;
	const isHung = histories.list.isInFlight && now - histories.list.askedAt > reads.status.best;
	const isWorking = !isHung && !histories.list.backoff && !histories.status.backoff;
	const isSmall = computers.size > 0 && computers.size <= roundAtMost;
	if (!listHasStatus || !focused || !isWorking || !isSmall) return undefined;
	if ([...computers.values()].some(one => isUrgent(one, now))) return undefined;
	const between = listInterval(outlook, other, now);
	const period = Math.max(reads.status.best, computers.size / status);
	const fewer = Math.max(1, Math.floor(period / between));
	const rhythms = [fewer, fewer + 1].map(lists => ({
		lists,
		every: Math.max(period, lists * between) / (lists + 1),
	}));
	const [first, second] = rhythms;
	return first && second && first.every <= second.every ? first : second;
}

// What the other reads of this budget need, and at least a quarter of it for the list.
function listRate(outlook: PlannerInput, { rate }: ReadBudget, now: number): number {
	const { detailAddsFields, staleBefore } = outlook;
	const details = detailAddsFields === false ? 0 : 1 / detailGap;
	// What a beginning asks for at once is missing for a minute: better a little slower than a pause.
	const beginning = now - staleBefore < minute ? rate / 5 : 0;
	return Math.max(rate - accountReadRate(outlook) - details - beginning, rate / 4);
}

function accountReadRate({ histories, focused }: PlannerInput): number {
	return accountReads
		.map(name => {
			const usual = focused ? reads[name].best : reads[name].worst;
			return 1 / (isDown(histories[name].backoff) ? Math.min(usual, minute) : usual);
		})
		.reduce((sum, rate) => sum + rate, 0);
}
