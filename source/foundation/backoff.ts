import type { FailureKind } from './failure.ts';

/** A failing read or sign-in waits for `delayMs` after the latest of its failures in a row, which happened at `failedAt`. */
export type Backoff = {
	failureCount: number;
	firstFailedAt: number;
	failedAt: number;
	delayMs: number;
};

const failuresUntilDown = 3;

export const isDown = (backoff: Backoff | null): boolean =>
	(backoff?.failureCount ?? 0) >= failuresUntilDown;

const minuteMs = 60_000;

const maxRetryAfterMs = 60 * minuteMs;

// A refused sign-in costs the identity provider work and may lock the account, so sign-ins are retried more
// slowly. New credentials are tried at once.
const backoffRules = {
	auth: { firstDelayMs: 5_000, maxDelayMs: 5 * minuteMs },
	lasting: { firstDelayMs: minuteMs, maxDelayMs: minuteMs },
	passing: { firstDelayMs: 1_000, maxDelayMs: minuteMs },
} as const;

const lastingFailureKinds: readonly FailureKind[] = ['denied', 'missing', 'payment', 'invalid'];

/**
 * The jitter only lengthens the wait, so that many monitors return to a recovered platform one after the other.
 *
 * ```
 *   failure   1     2       3           4                 …
 *   wait      ├─1 s─┼──2 s──┼────4 s────┼───────8 s───────┼── … 60 s, 60 s
 * ```
 */
export function backoffAfter(
	previous: Backoff | null,
	failure: { kind: FailureKind; retryAfter?: number },
	now: number,
	random: () => number,
): Backoff {
	const count = (previous?.failureCount ?? 0) + 1;
	const isLasting = lastingFailureKinds.includes(failure.kind);
	const rule = failure.kind === 'auth' ? 'auth' : isLasting ? 'lasting' : 'passing';
	const { firstDelayMs, maxDelayMs } = backoffRules[rule];
	const wait = Math.min(firstDelayMs * 2 ** Math.min(count - 1, 30), maxDelayMs);
	const retryAfter = Math.min(failure.retryAfter ?? 0, maxRetryAfterMs);
	return {
		failureCount: count,
		firstFailedAt: previous?.firstFailedAt ?? now,
		failedAt: now,
		delayMs: Math.max(wait * (1 + random() / 4), retryAfter),
	};
}

export function retryTimeOf(backoff: Backoff | null, now: number): number {
	return backoff === null
		? Number.NEGATIVE_INFINITY
		: dueTimeAfter(backoff.failedAt, backoff.delayMs, now);
}

/** If `lastAt` is in the future, the clock was set back, and the action is due at once. */
export function dueTimeAfter(lastAt: number, intervalMs: number, now: number): number {
	return lastAt > now ? Number.NEGATIVE_INFINITY : lastAt + intervalMs;
}
