import { hourMs, minuteMs } from '../../foundation/duration.ts';
import type { WireShapes } from './shapes.ts';

export type LimitedScope = 'create' | 'status' | 'other';

const windowLengthsMs: Readonly<Record<LimitedScope, number>> = {
	create: hourMs,
	status: minuteMs,
	other: minuteMs,
};

export const documentedLimits: Readonly<Record<LimitedScope, number>> = {
	create: 5,
	status: 60,
	other: 30,
};

export function createLimiter(
	clock: { now(): number },
	limits: Readonly<Record<LimitedScope, number>>,
	shapes: () => WireShapes,
) {
	const timesByScope: Record<LimitedScope, number[]> = { create: [], status: [], other: [] };

	function windowOf(scope: LimitedScope) {
		const [now, lengthMs] = [clock.now(), windowLengthsMs[scope]];
		const isFixed = shapes().window === 'fixed';
		const times = timesByScope[scope].filter(at => at > now - lengthMs);
		timesByScope[scope] = times;
		const startedAt = isFixed
			? Math.floor(now / lengthMs) * lengthMs
			: (times[0] ?? now - lengthMs);
		const left = limits[scope] - times.filter(at => at >= startedAt).length;
		return { now, times, left, resetAt: startedAt + lengthMs };
	}

	function headersOf(scope: LimitedScope, remaining: number, isRefused: boolean) {
		const { now, resetAt } = windowOf(scope);
		const { reset, retryAfter } = shapes();
		const seconds = `${Math.ceil((resetAt - now) / 1000)}`;
		const resetTexts: Readonly<Record<typeof reset, string>> = {
			seconds,
			unix: `${Math.ceil(resetAt / 1000)}`,
			'unix-milliseconds': `${resetAt}`,
			iso: new Date(resetAt).toISOString(),
		};
		// HTTP dates have whole seconds; rounded down, a client would retry too early.
		const date = new Date(Math.ceil(resetAt / 1000) * 1000).toUTCString();
		const headers: Record<string, string> = {
			'X-RateLimit-Limit': `${limits[scope]}`,
			'X-RateLimit-Remaining': `${remaining}`,
			'X-RateLimit-Reset': resetTexts[reset],
		};
		if (isRefused && retryAfter !== 'none')
			headers['Retry-After'] = retryAfter === 'date' ? date : seconds;
		return headers;
	}

	return {
		countRequest(scope: LimitedScope) {
			const { left, times, now } = windowOf(scope);
			if (left > 0) times.push(now);
			return { isAllowed: left > 0, headers: headersOf(scope, Math.max(0, left - 1), left <= 0) };
		},
		countOtherClientRequests(scope: LimitedScope, count: number) {
			const { left, times, now } = windowOf(scope);
			for (let taken = 0; taken < Math.min(count, left); taken++) times.push(now);
		},
		refusalHeaders: (scope: LimitedScope) => headersOf(scope, 0, true),
	};
}
