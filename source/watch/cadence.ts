import type { ReadName } from '../fleet/fact.ts';
import { isUrgent } from './due.ts';
import type { Outlook, Purse, Purses } from './outlook.ts';
import { reads, timed } from './reads.ts';
import { isDown } from './setback.ts';

const minute = 60_000;

/** When the list does not tell the status, it is asked only for who is there. */
const rollCall = 20_000;

/**
 * A list of 10,000 is some megabytes to send, to decode and to compare: no more of it than a thousand
 * computers a second, and never more than a quarter of the time spent on waiting for it.
 */
const perComputer = 1;
const waitsPerAnswer = 4;

/** Larger fleets gain too little from rounds. */
const largestRound = 24;

/** Milliseconds between two details that fill in what the list leaves out. */
export const detailGap = 10_000;

/** How fast to go while nobody looks, where there is no interval of its own for that. */
export const dawdling = ({ focused }: Outlook) => (focused ? 1 : 4);

/** Milliseconds from one list to the next. */
export function listInterval(outlook: Outlook, purse: Purse, now: number): number {
	const { listTells, focused, isListUrgent, listRequests, listTook, computers } = outlook;
	const affordable = listRequests / listRate(outlook, purse, now);
	const bearable = Math.max(
		computers.size * perComputer,
		listRequests === 1 ? listTook * waitsPerAnswer : 0,
	);
	const soonest = Math.max(reads.list.best, affordable, bearable);
	if (isListUrgent) return Math.max(reads.status.best, soonest);
	const wished = listTells === false ? Math.max(rollCall, 2 * affordable) : reads.list.best;
	return Math.max(wished, soonest, focused ? 0 : reads.list.worst);
}

/** Milliseconds until what a read told is meant to be told again, as things are now. */
export function nextTellingOf(
	name: ReadName,
	outlook: Outlook,
	purses: Purses,
	now: number,
): number {
	if (name === 'list' || outlook.listTells !== false)
		return listInterval(outlook, purses.other, now);
	const round = outlook.computers.size / purses.status.rate;
	return dawdling(outlook) * Math.max(reads.status.best, round);
}

/** Milliseconds from one detail to the next, when details tell the status and the list does not. */
export function standInInterval(outlook: Outlook, purse: Purse, now: number): number {
	const lists = outlook.listRequests / listInterval(outlook, purse, now);
	const left = purse.rate - timedRate(outlook) - lists;
	return dawdling(outlook) / Math.max(left, purse.rate / 12);
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
export type Rhythm = { every: number; lists: number };

export function rhythmOf(
	outlook: Outlook,
	{ status, other }: { status: number; other: Purse },
	now: number,
): Rhythm | undefined {
	const { computers, listTells, focused, tried } = outlook;
	const isHung = tried.list.isInFlight && now - tried.list.askedAt > reads.status.best;
	const isWorking = !isHung && !tried.list.setback && !tried.status.setback;
	const isSmall = computers.size > 0 && computers.size <= largestRound;
	if (!listTells || !focused || !isWorking || !isSmall) return undefined;
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
function listRate(outlook: Outlook, { rate }: Purse, now: number): number {
	const { detailAdds, freshFrom } = outlook;
	const details = detailAdds === false ? 0 : 1 / detailGap;
	// What a beginning asks for at once is missing for a minute: better a little slower than a pause.
	const beginning = now - freshFrom < minute ? rate / 5 : 0;
	return Math.max(rate - timedRate(outlook) - details - beginning, rate / 4);
}

function timedRate({ tried, focused }: Outlook): number {
	return timed
		.map(name => {
			const usual = focused ? reads[name].best : reads[name].worst;
			return 1 / (isDown(tried[name].setback) ? Math.min(usual, minute) : usual);
		})
		.reduce((sum, rate) => sum + rate, 0);
}
