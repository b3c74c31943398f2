import type { FailureKind } from '../fleet/failure.ts';

/** A read that failed `count` times in a row waits for `delay` from `at` on. */
export type Backoff = { count: number; at: number; delay: number };

/** One or two failures in a row are bad luck. From the third on, that kind of read counts as down. */
export const failuresUntilDown = 3;

export const isDown = (backoff: Backoff | null): boolean =>
	(backoff?.count ?? 0) >= failuresUntilDown;

const minute = 60_000;

// A refused sign-in costs the identity provider work and may lock the account, so it is retried more
// slowly. Correcting the credentials retries it at once.
const waits = {
	auth: { first: 5_000, most: 5 * minute },
	lasting: { first: minute, most: minute },
	passing: { first: 1_000, most: minute },
} as const;

const lasting: readonly FailureKind[] = ['denied', 'missing', 'payment', 'invalid'];

/**
 * Doubles with each failure in a row up to the maximum, and never gives up. The jitter only lengthens the
 * wait: monitors that lost the same platform return at different times, and none too early.
 *
 * ```
 *   failure   1     2       3           4                 …
 *   wait      ├─1 s─┼──2 s──┼────4 s────┼───────8 s───────┼── … 60 s, 60 s
 * ```
 */
export function backoffAfter(
	before: Backoff | null,
	failure: { kind: FailureKind; retryAfter?: number },
	now: number,
	random: () => number,
): Backoff {
	const count = (before?.count ?? 0) + 1;
	const { first, most } =
		waits[
			failure.kind === 'auth' ? 'auth' : lasting.includes(failure.kind) ? 'lasting' : 'passing'
		];
	const wait = Math.min(first * 2 ** Math.min(count - 1, 30), most);
	const retryAfter = Math.min(failure.retryAfter ?? 0, 10 * minute);
	return { count, at: now, delay: Math.max(wait * (1 + random() / 4), retryAfter) };
}

/** The earliest time of the next try; at any time without a backoff. */
export function retryAt(backoff: Backoff | null, now: number): number {
	return backoff === null ? Number.NEGATIVE_INFINITY : dueAt(backoff.at, backoff.delay, now);
}

/**
 * When something last done at `done` is due again. A time in the future means that the clock was put
 * back: then it is due at once, instead of waiting until the clock catches up.
 */
export function dueAt(done: number, interval: number, now: number): number {
	return done > now ? Number.NEGATIVE_INFINITY : done + interval;
}
