import type { ResponseHeaders } from '../foundation/network.ts';

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
