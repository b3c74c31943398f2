/** What a response's headers say about the budget. Times are milliseconds from now. */
export type RateLimitHeaders = {
	limit: number | undefined;
	remaining: number | undefined;
	resetIn: number | undefined;
	retryIn: number | undefined;
};

export function rateLimitHeadersFrom(headers: Headers, now: number): RateLimitHeaders {
	// Absolute times are compared with the platform's own Date, because our clock may be wrong.
	const serverNow = dateFrom(headers.get('date')) ?? now;
	const limit = countFrom(headers.get('x-ratelimit-limit'));
	return {
		limit: limit === 0 ? undefined : limit,
		remaining: countFrom(headers.get('x-ratelimit-remaining')),
		resetIn: waitFrom(headers.get('x-ratelimit-reset'), serverNow),
		retryIn: waitFrom(headers.get('retry-after'), serverNow),
	};
}

function countFrom(text: string | null): number | undefined {
	const digits = text?.match(/^\s*(-?\d+)/)?.[1];
	const count = Number(digits ?? Number.NaN);
	return Number.isSafeInteger(count) ? Math.max(0, count) : undefined;
}

// The size of the number reveals its unit. 1e9 seconds from now would be thirty years, and 1e11 seconds
// after 1970 would be three thousand.
function waitFrom(text: string | null, now: number): number | undefined {
	if (text === null || !/^\s*\d+(\.\d+)?\s*$/.test(text)) {
		const date = dateFrom(text);
		return date === undefined ? undefined : date - now;
	}
	const number = Number(text);
	if (number < 1e9) return number * 1_000;
	if (number < 1e11) return number * 1_000 - now;
	return number - now;
}

// Accepts HTTP dates and ISO dates; Date.parse alone accepts nearly anything. Without a zone it is UTC.
function dateFrom(text: string | null): number | undefined {
	const date = text?.trim() ?? '';
	if (!/^([A-Z][a-z]+, |\d{4}-\d\d-\d\d[T ])/.test(date)) return undefined;
	const time = Date.parse(/[T ][\d:.]+$/.test(date) ? `${date}Z` : date);
	return Number.isNaN(time) ? undefined : time;
}
