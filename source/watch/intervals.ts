import type { ReadName } from '../fleet/fact.ts';
import { isDown } from './backoff.ts';
import { isUrgent } from './due.ts';
import type { PlannerInput, ReadBudget, ReadBudgets } from './planner-input.ts';
import { accountReads, reads } from './reads.ts';

const minute = 60_000;

/** A list without statuses only shows which computers exist, so a longer interval is enough. */
const listOnlyInterval = 20_000;

/**
 * A list of 10,000 computers has several megabytes to send, decode and compare. So lists read at most a
 * thousand computers per second, and a list request is in flight for at most a quarter of the time.
 */
const millisecondsPerComputer = 1;
const intervalsPerListDuration = 4;

/**
 * A slow list delays the next one by at most this much. The screen expects an answer every minute, and the
 * duration can include the time in which the list waited for a person to type a password.
 */
const longestPause = minute;

/** In fleets larger than this, a round of status reads is too slow to be worth it. */
const maxFleetForRounds = 24;

/** Milliseconds between two reads of details that fill in fields missing from the list. */
export const detailGapMs = 10_000;

/**
 * The factor by which intervals grow while the terminal has no focus, for reads without an unfocused interval
 * of their own.
 */
export const unfocusedFactor = ({ focused }: PlannerInput) => (focused ? 1 : 4);

/** Milliseconds from one list to the next. */
export function listInterval(input: PlannerInput, budget: ReadBudget, now: number): number {
	const { listHasStatus, focused, isListUrgent, listRequests, listDuration, computers } = input;
	const affordable = listRequests / listRate(input, budget, now);
	const digestible = Math.max(
		computers.size * millisecondsPerComputer,
		listRequests === 1 ? Math.min(listDuration * intervalsPerListDuration, longestPause) : 0,
	);
	const soonest = Math.max(reads.list.best, affordable, digestible);
	if (isListUrgent) return Math.max(reads.status.best, soonest);
	const preferred =
		listHasStatus === false ? Math.max(listOnlyInterval, 2 * affordable) : reads.list.best;
	return Math.max(preferred, soonest, focused ? 0 : reads.list.worst);
}

/**
 * Milliseconds until the next answer of the same kind, if nothing changes. A status comes from a list or from a
 * round.
 */
export function nextReadInterval(
	name: ReadName,
	input: PlannerInput,
	budgets: ReadBudgets,
	now: number,
): number {
	if (name === 'list' || input.listHasStatus !== false)
		return listInterval(input, budgets.other, now);
	const round = input.computers.size / budgets.status.rate;
	return unfocusedFactor(input) * Math.max(reads.status.best, round);
}

/** Milliseconds from one detail to the next, when only details have the status. */
export function detailAsStatusInterval(
	input: PlannerInput,
	budget: ReadBudget,
	now: number,
): number {
	const lists = input.listRequests / listInterval(input, budget, now);
	const left = budget.rate - accountReadRate(input) - lists;
	return unfocusedFactor(input) / Math.max(left, budget.rate / 12);
}

/**
 * A round is one status read for each computer, which together reveal as much as a list. A small fleet uses
 * both budgets: after every `lists` lists follows one round, all at the same interval `every`.
 *
 * ```
 *   list    list    list    list    round   list    list    …
 *   ├─every─┼───────┼───────┼───────┼───────┼───────┼─────▶
 *   ╰────────── lists: 4 ──────────╯
 * ```
 */
export type Alternation = { every: number; lists: number };

export function alternationOf(
	input: PlannerInput,
	{ status, other }: { status: number; other: ReadBudget },
	now: number,
): Alternation | undefined {
	const { computers, listHasStatus, focused, histories } = input;
	const isHung = histories.list.isInFlight && now - histories.list.askedAt > reads.status.best;
	const isWorking = !isHung && !histories.list.backoff && !histories.status.backoff;
	const isSmall = computers.size > 0 && computers.size <= maxFleetForRounds;
	if (!listHasStatus || !focused || !isWorking || !isSmall) return undefined;
	if ([...computers.values()].some(computer => isUrgent(computer, now))) return undefined;
	const between = listInterval(input, other, now);
	const period = Math.max(reads.status.best, computers.size / status);
	const fewer = Math.max(1, Math.floor(period / between));
	const alternations = [fewer, fewer + 1].map(lists => ({
		lists,
		every: Math.max(period, lists * between) / (lists + 1),
	}));
	const [first, second] = alternations;
	return first && second && first.every <= second.every ? first : second;
}

// The list gets what the other reads leave of the budget, and at least a quarter of the budget.
function listRate(input: PlannerInput, { rate }: ReadBudget, now: number): number {
	const { detailAddsFields, staleBefore } = input;
	const details = detailAddsFields === false ? 0 : 1 / detailGapMs;
	// The reads at the start fill slots for a minute. Slightly slower lists in this minute are better than a
	// pause.
	const startup = now - staleBefore < minute ? rate / 5 : 0;
	return Math.max(rate - accountReadRate(input) - details - startup, rate / 4);
}

function accountReadRate({ histories, focused }: PlannerInput): number {
	return accountReads
		.map(name => {
			const usual = focused ? reads[name].best : reads[name].worst;
			return 1 / (isDown(histories[name].backoff) ? Math.min(usual, minute) : usual);
		})
		.reduce((sum, rate) => sum + rate, 0);
}
