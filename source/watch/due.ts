import { dueTimeAfter, retryTimeOf } from '../foundation/backoff.ts';
import type { PlannerInput, PolledComputer, ReadHistory } from './planner-input.ts';
import { pollingModeOf, stuckAfterMs } from './polling-mode.ts';
import { readTable } from './reads.ts';

const minuteMs = 60_000;

/** The due time of a read that must not be sent, because the same read is already in flight. */
export const neverDue = Number.POSITIVE_INFINITY;

export type DueComputer = { computer: PolledComputer; dueAt: number };

/**
 * Picks the computer to read next: among the due computers, the one with the oldest answer; if none is due, the one
 * that is due first. A computer keeps its turn after a failed read, because in a fleet of thousands the next turn may
 * be far away.
 */
type ComputerPicker = {
	consider(computer: PolledComputer, dueAt: number, answerAwaitedSince: number): void;
	readonly choice: DueComputer | undefined;
};

export function createComputerPicker(now: number): ComputerPicker {
	let first: DueComputer | undefined;
	let firstSince = neverDue;

	return {
		consider(computer, due, since) {
			if (due === neverDue) return;
			const isBefore =
				first === undefined ||
				(due <= now ? first.dueAt > now || since < firstSince : due < first.dueAt);
			if (!isBefore) return;
			first = { computer, dueAt: due };
			firstSince = since;
		},
		get choice() {
			return first;
		},
	};
}

/** Returns the time at which the status of a computer is due, without regard to other computers or the limits. */
export function statusDueTimeOf(
	computer: PolledComputer,
	input: PlannerInput,
	now: number,
): number {
	const { status, detail } = computer;
	if (status.isInFlight) return neverDue;
	const { detailHasStatus } = input;
	const askedAt = detailHasStatus ? Math.max(status.askedAt, detail.askedAt) : status.askedAt;
	return Math.max(
		dueTimeAfter(askedAt, statusIntervalFor(computer, input, now), now),
		retryTimeOf(status.backoff, now),
	);
}

export function statusAwaitedSince(
	{ status, detail }: PolledComputer,
	{ detailHasStatus }: PlannerInput,
): number {
	return detailHasStatus
		? Math.max(answerAwaitedSince(status), answerAwaitedSince(detail))
		: answerAwaitedSince(status);
}

// A computer whose reads fail stays first in line for this long, which is enough for six quick retries. It is not a
// number of failures: where turns are minutes apart, the other computers would wait for all of these retries.
const turnKeptMs = minuteMs;

/**
 * Returns the time since which a computer waits for an answer. If its reads have failed for long, this is the time of the
 * last attempt, so that the computer goes to the end of the line.
 */
export function answerAwaitedSince({ askedAt, answeredAt, backoff }: ReadHistory): number {
	const hasLostTurn = backoff !== null && backoff.failedAt - backoff.firstFailedAt >= turnKeptMs;
	return hasLostTurn ? askedAt : answeredAt;
}

// If an operation or a phase change is stuck, its computer is read less and less often, and after an hour as seldom
// as all others. So a few stuck computers do not use up the limit.
const maxUrgentMs = 60 * minuteMs;

export function isUrgent({ urgentSince }: PolledComputer, now: number): boolean {
	return urgentSince !== null && now - urgentSince < maxUrgentMs;
}

export function statusIntervalFor(
	computer: PolledComputer,
	input: PlannerInput,
	now: number,
): number {
	const { intervalMs } = readTable.status;
	if (computer.urgentSince === null || !isUrgent(computer, now))
		return intervalMs[pollingModeOf(input, now)];
	return intervalMs.moving * Math.max(1, (now - computer.urgentSince) / stuckAfterMs);
}

/** Returns the computers on screen, starting with the one whose details are open. */
export function onScreenComputersOf({
	computers,
	detailId,
	visibleIds,
}: PlannerInput): readonly PolledComputer[] {
	const ids = new Set(detailId === undefined ? visibleIds : [detailId, ...visibleIds]);
	return [...ids].map(id => computers.get(id)).filter(computer => computer !== undefined);
}
