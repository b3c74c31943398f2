import type { SimulatorClock } from './clock.ts';
import type { Shapes } from './shapes.ts';

export type LimitedScope = 'create' | 'status' | 'other';

const minute = 60_000;
const windows: Readonly<Record<LimitedScope, number>> = {
	create: 60 * minute,
	status: minute,
	other: minute,
};

export const documentedLimits: Readonly<Record<LimitedScope, number>> = {
	create: 5,
	status: 60,
	other: 30,
};

export type LimitDecision = {
	isAllowed: boolean;
	/** The rate limit headers of the answer. */
	headers: Readonly<Record<string, string>>;
};

export type Limiter = {
	spend(scope: LimitedScope): LimitDecision;
	/** Counts requests of another client of the account, up to the limit. */
	spendForeign(scope: LimitedScope, count: number): void;
	/** Returns the headers of a refusal, also while requests would still be allowed. */
	refusal(scope: LimitedScope): Readonly<Record<string, string>>;
};

export function createLimiter(
	clock: SimulatorClock,
	limits: Readonly<Record<LimitedScope, number>>,
	shapes: () => Shapes,
): Limiter {
	const spent: Record<LimitedScope, number[]> = { create: [], status: [], other: [] };

	function windowOf(scope: LimitedScope) {
		const now = clock.now();
		const length = windows[scope];
		const isFixed = shapes().window === 'fixed';
		const start = isFixed ? Math.floor(now / length) * length : now - length;
		const times = spent[scope];
		while ((times[0] ?? now) <= now - length) times.shift();
		const first = times.findIndex(at => at >= start);
		const used = first < 0 ? 0 : times.length - first;
		const resetAt = isFixed ? start + length : (times[0] ?? now - length) + length;
		return { now, used, resetAt };
	}

	function headersOf(scope: LimitedScope, remaining: number, isRefused: boolean) {
		const { now, resetAt } = windowOf(scope);
		return {
			'X-RateLimit-Limit': `${limits[scope]}`,
			'X-RateLimit-Remaining': `${remaining}`,
			'X-RateLimit-Reset': resetIn[shapes().reset](resetAt, now),
			...(isRefused && retryAfterIn[shapes().retryAfter](resetAt, now)),
		};
	}

	return {
		spend(scope) {
			const left = limits[scope] - windowOf(scope).used;
			const isAllowed = left > 0;
			if (isAllowed) spent[scope].push(clock.now());
			return { isAllowed, headers: headersOf(scope, Math.max(0, left - 1), !isAllowed) };
		},
		spendForeign(scope, count) {
			const left = limits[scope] - windowOf(scope).used;
			for (let taken = 0; taken < Math.min(count, left); taken++) spent[scope].push(clock.now());
		},
		refusal: scope => headersOf(scope, 0, true),
	};
}

type HeaderFormat = (resetAt: number, now: number) => string;

const secondsUntil: HeaderFormat = (resetAt, now) => `${Math.ceil((resetAt - now) / 1000)}`;

const resetIn: Readonly<Record<Shapes['reset'], HeaderFormat>> = {
	seconds: secondsUntil,
	unix: resetAt => `${Math.ceil(resetAt / 1000)}`,
	'unix-milliseconds': resetAt => `${resetAt}`,
	iso: resetAt => new Date(resetAt).toISOString(),
};

const retryAfterIn: Readonly<
	Record<Shapes['retryAfter'], (resetAt: number, now: number) => Record<string, string>>
> = {
	seconds: (resetAt, now) => ({ 'Retry-After': secondsUntil(resetAt, now) }),
	none: () => ({}),
	// An HTTP date has whole seconds. It is rounded up, so that a client does not retry too early.
	date: resetAt => ({ 'Retry-After': new Date(Math.ceil(resetAt / 1000) * 1000).toUTCString() }),
};
