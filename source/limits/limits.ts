import { hourMs, minuteMs } from '../foundation/duration.ts';
import type { ResponseHeaders } from '../foundation/network.ts';

export const scopes = ['create', 'status', 'other'] as const;

export type Scope = (typeof scopes)[number];

/**
 * `operation` is also what a command waits for, `requestedRead` what a person asks a watch for, and `read` what it
 * reads by itself.
 */
export const priorities = ['operation', 'requestedRead', 'read'] as const;

export type Priority = (typeof priorities)[number];

export type Limit = {
	maxRequests: number;
	windowMs: number;
	/** Never used for reads. */
	reservedShare: number;
	marginMs: number;
	/** Exceeds the timeout of every request, because a process may be killed before it reports the response. */
	maxTransitMs: number;
};

export type LimitsByScope = Readonly<Record<Scope, Limit>>;

const perMinute = (maxRequests: number, reservedShare = 0): Limit => ({
	maxRequests,
	windowMs: minuteMs,
	reservedShare,
	marginMs: 1_000,
	maxTransitMs: minuteMs,
});

export const documentedLimits: LimitsByScope = {
	create: {
		maxRequests: 5,
		windowMs: hourMs,
		reservedShare: 0,
		marginMs: minuteMs,
		maxTransitMs: 2 * minuteMs,
	},
	status: perMinute(60),
	other: perMinute(30, 1 / 5),
};

/** Of each limit, where this process does not know what the others spend. */
export const shareWhenAlone = 1 / 4;

export function limitsOfAll(maxRequestsPerMinute: number): LimitsByScope {
	const rule = perMinute(maxRequestsPerMinute);
	return { create: rule, status: rule, other: rule };
}

export const slotLifetimeMs = ({ windowMs, marginMs }: Limit) => windowMs + marginMs;

export const longestSlotMs = (limit: Limit) => limit.maxTransitMs + slotLifetimeMs(limit);

export type ResponseHead = { status: number; headers: ResponseHeaders };

export type Slot = {
	end(ending: ResponseHead | 'noResponse' | 'notSent'): void;
};

export type SlotRequest = { priority: Priority; signal: AbortSignal };

export type RateLimiter = { acquire(scope: Scope, request: SlotRequest): Promise<Slot> };

export type RateLimitHeaders = ReturnType<typeof rateLimitHeadersFrom>;

export function rateLimitHeadersFrom(headers: ResponseHeaders, now: number) {
	// Absolute times are compared with the platform's own Date header, because the local clock may be wrong.
	const serverNow = timeFromDateText(headers.get('date')) ?? now;
	const limit = countFrom(headers.get('x-ratelimit-limit'));
	return {
		limit: limit === 0 ? undefined : limit,
		remaining: countFrom(headers.get('x-ratelimit-remaining')),
		resetInMs: waitMsFrom(headers.get('x-ratelimit-reset'), serverNow),
		retryInMs: waitMsFrom(headers.get('retry-after'), serverNow),
	};
}

function countFrom(text: string | null): number | undefined {
	const digits = text?.match(/^\s*(-?\d+)/)?.[1];
	const count = Number(digits ?? Number.NaN);
	return Number.isSafeInteger(count) ? Math.max(0, count) : undefined;
}

// Seconds from now, or seconds or milliseconds since 1970: 1e9 seconds are thirty years, and 1e11 three thousand.
function waitMsFrom(text: string | null, now: number): number | undefined {
	if (text === null || !/^\s*\d+(\.\d+)?\s*$/.test(text)) {
		const date = timeFromDateText(text);
		return date === undefined ? undefined : date - now;
	}
	const number = Number(text);
	if (number < 1e9) return number * 1_000;
	if (number < 1e11) return number * 1_000 - now;
	return number - now;
}

// Date.parse alone accepts nearly anything. A date without a zone is in UTC.
function timeFromDateText(text: string | null): number | undefined {
	const date = text?.trim() ?? '';
	if (!/^([A-Z][a-z]+, |\d{4}-\d\d-\d\d[T ])/.test(date)) return undefined;
	const time = Date.parse(/[T ][\d:.]+$/.test(date) ? `${date}Z` : date);
	return Number.isNaN(time) ? undefined : time;
}
