import { dueAt, failuresUntilDown, retryAt } from './backoff.ts';
import type { PlannerInput, PolledComputer, ReadHistory } from './planner-input.ts';
import { reads } from './reads.ts';

const minute = 60_000;

/** The due time of a read that cannot be sent yet, because the same read is in flight. */
export const notNow = Number.POSITIVE_INFINITY;

export type Due = { computer: PolledComputer; due: number };

/**
 * Picks the computer to read next: among the due computers, the one with the oldest answer; if none is due, the
 * one that is due first. A failed read does not move its computer to the end of the line, because in a fleet of
 * thousands its next turn would be a whole round away.
 */
export type NextUp = {
	add(computer: PolledComputer, due: number, since: number): void;
	readonly first: Due | undefined;
};

export function createNextUp(now: number): NextUp {
	let first: Due | undefined;
	let firstSince = notNow;

	return {
		add(computer, due, since) {
			if (due === notNow) return;
			const isBefore =
				first === undefined ||
				(due <= now ? first.due > now || since < firstSince : due < first.due);
			if (!isBefore) return;
			first = { computer, due };
			firstSince = since;
		},
		get first() {
			return first;
		},
	};
}

/** When the status of a computer is due, without regard to other computers and to the budget. */
export function statusDue(computer: PolledComputer, input: PlannerInput, now: number): number {
	const { status, detail } = computer;
	if (status.isInFlight) return notNow;
	const { detailHasStatus } = input;
	const askedAt = detailHasStatus ? Math.max(status.askedAt, detail.askedAt) : status.askedAt;
	return Math.max(
		dueAt(askedAt, statusInterval(computer, input, now), now),
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

// In a large fleet each turn is up to half an hour away, so a computer keeps its place for more failures than
// `failuresUntilDown`.
const failuresUntilLast = 2 * failuresUntilDown;

/**
 * The time since which a computer waits for an answer. After many failures, the time of the last try counts
 * instead.
 */
export function waitingSince({ askedAt, answeredAt, backoff }: ReadHistory): number {
	return (backoff?.count ?? 0) >= failuresUntilLast ? askedAt : answeredAt;
}

// After ten minutes an operation or a phase change counts as stuck. Its computer is read ever more slowly, and
// after an hour as rarely as all others, so that a few stuck computers do not use up the budget.
const stuckAfterMs = 10 * minute;
const maxUrgentMs = 60 * minute;

export function isUrgent({ urgentSince }: PolledComputer, now: number): boolean {
	return urgentSince !== null && now - urgentSince < maxUrgentMs;
}

export function statusInterval(
	computer: PolledComputer,
	{ focused }: PlannerInput,
	now: number,
): number {
	const { best, worst } = reads.status;
	if (computer.urgentSince === null || !isUrgent(computer, now)) return focused ? best : worst;
	return best * Math.max(1, (now - computer.urgentSince) / stuckAfterMs);
}

/** The computers on screen, starting with the one whose details are open. */
export function computersOnScreen({
	computers,
	detail,
	visible,
}: PlannerInput): readonly PolledComputer[] {
	const ids = new Set(detail === undefined ? visible : [detail, ...visible]);
	return [...ids].map(id => computers.get(id)).filter(computer => computer !== undefined);
}
