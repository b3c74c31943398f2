import { minuteMs } from './duration.ts';
import * as v from './schema.ts';

export const failureKind = v.oneOf([
	'auth',
	'denied',
	'missing',
	'limited',
	'conflict',
	'payment',
	'invalid',
	'server',
	'offline',
	'unreadable',
	'cancelled',
]);

export type FailureKind = v.ValueOf<typeof failureKind>;

export const failureSchema = v.object({
	kind: failureKind,
	message: v.text,
	advice: v.text,
	status: v.optional(v.number),
	code: v.optional(v.text),
	/** An https address such as a payment page, which everyone who knows it can open. */
	url: v.optional(v.secret),
	retryAfter: v.optional(v.number),
	isDeliberate: v.optional(v.boolean),
	isOutcomeUnknown: v.boolean,
});

export type Failure = v.ValueOf<typeof failureSchema>;

const maxRetryAfterMs = 60 * minuteMs;

// A refused sign-in costs the identity provider work and may lock the account.
const backoffRules = {
	auth: { firstDelayMs: 5_000, maxDelayMs: 5 * minuteMs },
	lasting: { firstDelayMs: minuteMs, maxDelayMs: minuteMs },
	passing: { firstDelayMs: 1_000, maxDelayMs: minuteMs },
} as const;

const lastingFailureKinds: readonly FailureKind[] = ['denied', 'missing', 'payment', 'invalid'];

/** The jitter only lengthens the wait, so that many monitors return to a recovered platform one after the other. */
export function backoffDelay(
	previousMs: number | undefined,
	failure: { kind: FailureKind; retryAfter?: number },
	random: () => number,
): number {
	const isLasting = lastingFailureKinds.includes(failure.kind);
	const rule = failure.kind === 'auth' ? 'auth' : isLasting ? 'lasting' : 'passing';
	const { firstDelayMs, maxDelayMs } = backoffRules[rule];
	// Rounded down, the logarithm has no jitter.
	const doublings = previousMs ? Math.floor(Math.log2(previousMs / firstDelayMs)) + 1 : 0;
	const wait = Math.min(firstDelayMs * 2 ** Math.max(0, doublings), maxDelayMs);
	const retryAfter = Math.min(failure.retryAfter ?? 0, maxRetryAfterMs);
	return Math.max(wait * (1 + random() / 4), retryAfter);
}

/** Due at once after the clock was set back. */
export function dueTimeAfter(lastAt: number, intervalMs: number, now: number): number {
	return lastAt > now ? Number.NEGATIVE_INFINITY : lastAt + intervalMs;
}
