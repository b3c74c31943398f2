import type { SimulatorClock } from '../world/clock.ts';
import type { WireShapes } from './shapes.ts';

export type LimitedScope = 'create' | 'status' | 'other';

const minuteMs = 60_000;
const windowLengthsMs: Readonly<Record<LimitedScope, number>> = {
	create: 60 * minuteMs,
	status: minuteMs,
	other: minuteMs,
};

export const documentedLimits: Readonly<Record<LimitedScope, number>> = {
	create: 5,
	status: 60,
	other: 30,
};

type LimitDecision = {
	isAllowed: boolean;
	/** The rate limit headers of the answer. */
	headers: Readonly<Record<string, string>>;
};

export type Limiter = {
	countRequest(scope: LimitedScope): LimitDecision;
	/** Counts requests of another client of the same account, up to the limit. */
	countOtherClientRequests(scope: LimitedScope, count: number): void;
	/** Returns the headers of an answer with status 429, even if requests are still allowed. */
	refusalHeaders(scope: LimitedScope): Readonly<Record<string, string>>;
};

export function createLimiter(
	clock: SimulatorClock,
	limits: Readonly<Record<LimitedScope, number>>,
	shapes: () => WireShapes,
): Limiter {
	const requestTimesByScope: Record<LimitedScope, number[]> = { create: [], status: [], other: [] };

	function windowOf(scope: LimitedScope) {
		const now = clock.now();
		const windowLengthMs = windowLengthsMs[scope];
		const isFixed = shapes().window === 'fixed';
		const start = isFixed
			? Math.floor(now / windowLengthMs) * windowLengthMs
			: now - windowLengthMs;
		const requestTimes = requestTimesByScope[scope];
		while ((requestTimes[0] ?? now) <= now - windowLengthMs) requestTimes.shift();
		const firstInWindow = requestTimes.findIndex(at => at >= start);
		const usedCount = firstInWindow < 0 ? 0 : requestTimes.length - firstInWindow;
		const resetAt = isFixed
			? start + windowLengthMs
			: (requestTimes[0] ?? now - windowLengthMs) + windowLengthMs;
		return { now, usedCount, resetAt };
	}

	function headersOf(scope: LimitedScope, remaining: number, isRefused: boolean) {
		const { now, resetAt } = windowOf(scope);
		return {
			'X-RateLimit-Limit': `${limits[scope]}`,
			'X-RateLimit-Remaining': `${remaining}`,
			'X-RateLimit-Reset': resetFormats[shapes().reset](resetAt, now),
			...(isRefused && retryAfterFormats[shapes().retryAfter](resetAt, now)),
		};
	}

	return {
		countRequest(scope) {
			const left = limits[scope] - windowOf(scope).usedCount;
			const isAllowed = left > 0;
			if (isAllowed) requestTimesByScope[scope].push(clock.now());
			return { isAllowed, headers: headersOf(scope, Math.max(0, left - 1), !isAllowed) };
		},
		countOtherClientRequests(scope, count) {
			const left = limits[scope] - windowOf(scope).usedCount;
			for (let taken = 0; taken < Math.min(count, left); taken++)
				requestTimesByScope[scope].push(clock.now());
		},
		refusalHeaders: scope => headersOf(scope, 0, true),
	};
}

type HeaderFormat = (resetAt: number, now: number) => string;

const secondsUntil: HeaderFormat = (resetAt, now) => `${Math.ceil((resetAt - now) / 1000)}`;

const resetFormats: Readonly<Record<WireShapes['reset'], HeaderFormat>> = {
	seconds: secondsUntil,
	unix: resetAt => `${Math.ceil(resetAt / 1000)}`,
	'unix-milliseconds': resetAt => `${resetAt}`,
	iso: resetAt => new Date(resetAt).toISOString(),
};

const retryAfterFormats: Readonly<
	Record<WireShapes['retryAfter'], (resetAt: number, now: number) => Record<string, string>>
> = {
	seconds: (resetAt, now) => ({ 'Retry-After': secondsUntil(resetAt, now) }),
	none: () => ({}),
	// HTTP dates have whole seconds. The date is rounded up, so that a client does not retry too early.
	date: resetAt => ({ 'Retry-After': new Date(Math.ceil(resetAt / 1000) * 1000).toUTCString() }),
};
