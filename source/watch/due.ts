import type { Outlook, Tried, Watched } from './outlook.ts';
import { reads } from './reads.ts';
import { dueAt, endOf, patience } from './setback.ts';

const minute = 60_000;

/** Stands for what cannot be asked at all now. */
export const never = Number.POSITIVE_INFINITY;

export type Due = { one: Watched; due: number };

/**
 * The one whose turn it is: of those that may be asked now, who was told about longest ago; when there
 * is none, who may be asked first. A read that fails keeps its place: one lost answer in a fleet of
 * thousands must not cost another whole round.
 */
export type Turn = {
	add(one: Watched, due: number, place: number): void;
	readonly first: Due | undefined;
};

export function createTurn(now: number): Turn {
	let first: Due | undefined;
	let firstPlace = never;

	return {
		add(one, due, place) {
			if (due === never) return;
			const isBefore =
				first === undefined ||
				(due <= now ? first.due > now || place < firstPlace : due < first.due);
			if (!isBefore) return;
			first = { one, due };
			firstPlace = place;
		},
		get first() {
			return first;
		},
	};
}

/** When the status of a computer may be asked next, were it alone. */
export function statusDue(one: Watched, outlook: Outlook, now: number): number {
	const { status, detail } = one;
	if (status.isInFlight) return never;
	const { detailTells } = outlook;
	const askedAt = detailTells ? Math.max(status.askedAt, detail.askedAt) : status.askedAt;
	return Math.max(dueAt(askedAt, intervalOf(one, outlook, now), now), endOf(status.setback, now));
}

export function statusPlace({ status, detail }: Watched, { detailTells }: Outlook): number {
	return detailTells ? Math.max(placeOf(status), placeOf(detail)) : placeOf(status);
}

// Bad luck may come more than once in the half an hour that a round takes.
const patienceWithPlace = 2 * patience;

/** What never works waits like all the others. */
export function placeOf({ askedAt, answeredAt, setback }: Tried): number {
	return (setback?.count ?? 0) >= patienceWithPlace ? askedAt : answeredAt;
}

// What has been under way for ten minutes is stuck: it is asked ever more slowly, and after an hour as
// seldom as the others, so that a few computers that never get ready do not starve the rest.
const patienceWithOne = 10 * minute;
const longest = 60 * minute;

export function isUrgent({ urgentSince }: Watched, now: number): boolean {
	return urgentSince !== null && now - urgentSince < longest;
}

export function intervalOf(one: Watched, { focused }: Outlook, now: number): number {
	const { best, worst } = reads.status;
	if (one.urgentSince === null || !isUrgent(one, now)) return focused ? best : worst;
	return best * Math.max(1, (now - one.urgentSince) / patienceWithOne);
}

/** Those on the screen, the one whose details are open first. */
export function attendedOf({ computers, detail, visible }: Outlook): readonly Watched[] {
	const ids = new Set(detail === undefined ? visible : [detail, ...visible]);
	return [...ids].map(id => computers.get(id)).filter(one => one !== undefined);
}
