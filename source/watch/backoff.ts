import type { FailureKind } from '../fleet/failure.ts';

/** Something failed, so many times in a row, and is not tried again for a while. */
export type Backoff = { count: number; at: number; delay: number };

/** One failure or two are bad luck; from so many in a row on, the whole kind of read does not work. */
export const failuresUntilDown = 3;

export const isDown = (setback: Backoff | null): boolean =>
	(setback?.count ?? 0) >= failuresUntilDown;

const minute = 60_000;

// A refused sign-in costs the identity provider something and may lock the account: it is tried more
// slowly, and at once when a person has put the credentials right.
const waits = {
	auth: { first: 5_000, most: 5 * minute },
	lasting: { first: minute, most: minute },
	passing: { first: 1_000, most: minute },
} as const;

const lasting: readonly FailureKind[] = ['denied', 'missing', 'payment', 'invalid'];

/**
 * Doubles with every failure in a row, up to the most, and never ends. The jitter only lengthens: many
 * monitors that lost the same platform do not come back in step, and none comes back too soon.
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
	const wished = Math.min(failure.retryAfter ?? 0, 10 * minute);
	return { count, at: now, delay: Math.max(wait * (1 + random() / 4), wished) };
}

/** When it may be tried again. */
export function retryAt(setback: Backoff | null, now: number): number {
	return setback === null ? Number.NEGATIVE_INFINITY : dueAt(setback.at, setback.delay, now);
}

/**
 * When something is due again that was done at that time. What was done in the future was done before
 * the clock was put back: it is due at once, or nothing would happen until the clock has caught up.
 */
export function dueAt(done: number, interval: number, now: number): number {
	return done > now ? Number.NEGATIVE_INFINITY : done + interval;
}
