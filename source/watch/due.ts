import { dueAt, failuresUntilDown, retryAt } from './backoff.ts';
import type { PlannerInput, PolledComputer, ReadHistory } from './planner-input.ts';
import { reads } from './reads.ts';

const minute = 60_000;

/** Stands for what cannot be asked at all now. */
export const notNow = Number.POSITIVE_INFINITY;

export type Due = { computer: PolledComputer; due: number };

/**
 * The one whose turn it is: of those that may be asked now, who was told about longest ago; when there
 * is none, who may be asked first. A read that fails keeps its place: one lost answer in a fleet of
 * thousands must not cost another whole round.
 */
export type NextUp = {
	add(one: PolledComputer, due: number, place: number): void;
	readonly first: Due | undefined;
};

export function createNextUp(now: number): NextUp {
	let first: Due | undefined;
	let firstPlace = notNow;

	return {
		add(one, due, place) {
			if (due === notNow) return;
			const isBefore =
				first === undefined ||
				(due <= now ? first.due > now || place < firstPlace : due < first.due);
			if (!isBefore) return;
			first = { computer: one, due };
			firstPlace = place;
		},
		get first() {
			return first;
		},
	};
}

/** When the status of a computer may be asked next, were it alone. */
export function statusDue(one: PolledComputer, outlook: PlannerInput, now: number): number {
	const { status, detail } = one;
	if (status.isInFlight) return notNow;
	const { detailHasStatus } = outlook;
	const askedAt = detailHasStatus ? Math.max(status.askedAt, detail.askedAt) : status.askedAt;
	return Math.max(
		dueAt(askedAt, statusInterval(one, outlook, now), now),
		retryAt(status.backoff, now),
	);
}

export function statusWaitingSince(
	{ status, detail }: PolledComputer,
	{ detailHasStatus }: PlannerInput,
): number {
	return detailHasStatus
		? Math.max(waitingSince(status), waitingSince(detail))
		: waitingSince(status);
}

// Bad luck may come more than once in the half an hour that a round takes.
const failuresUntilLastInLine = 2 * failuresUntilDown;

/** What never works waits like all the others. */
export function waitingSince({ askedAt, answeredAt, backoff }: ReadHistory): number {
	return (backoff?.count ?? 0) >= failuresUntilLastInLine ? askedAt : answeredAt;
}

// What has been under way for ten minutes is stuck: it is asked ever more slowly, and after an hour as
// seldom as the others, so that a few computers that never get ready do not starve the rest.
const stuckAfter = 10 * minute;
const urgentAtMost = 60 * minute;

export function isUrgent({ urgentSince }: PolledComputer, now: number): boolean {
	return urgentSince !== null && now - urgentSince < urgentAtMost;
}

export function statusInterval(
	one: PolledComputer,
	{ focused }: PlannerInput,
	now: number,
): number {
	const { best, worst } = reads.status;
	if (one.urgentSince === null || !isUrgent(one, now)) return focused ? best : worst;
	return best * Math.max(1, (now - one.urgentSince) / stuckAfter);
}

/** Those on the screen, the one whose details are open first. */
export function computersOnScreen({
	computers,
	detail,
	visible,
}: PlannerInput): readonly PolledComputer[] {
	const ids = new Set(detail === undefined ? visible : [detail, ...visible]);
	return [...ids].map(id => computers.get(id)).filter(one => one !== undefined);
}
