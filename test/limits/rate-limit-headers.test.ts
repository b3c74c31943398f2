import { expect, test } from 'vitest';
import { rateLimitHeadersFrom } from '../../source/limits/rate-limit-headers.ts';

const now = Date.UTC(2026, 10, 21, 8);

const limitsFrom = (headers: Record<string, string>) =>
	rateLimitHeadersFrom(new Headers(headers), now);
const resetIn = (reset: string) => limitsFrom({ 'X-RateLimit-Reset': reset }).resetInMs;
const retryIn = (retry: string) => limitsFrom({ 'Retry-After': retry }).retryInMs;

test.each([
	['seconds from now', '42', 42_000],
	['fractions of a second', '1.5', 1_500],
	['Unix seconds', `${now / 1_000 + 42}`, 42_000],
	['Unix milliseconds', `${now + 42_000}`, 42_000],
	['an ISO date', '2026-11-21T08:00:42Z', 42_000],
	['an ISO date with fractions of a second', '2026-11-21T08:00:42.500Z', 42_500],
	['an ISO date of another time zone', '2026-11-21T10:00:42+02:00', 42_000],
	['an ISO date without a zone', '2026-11-21T08:00:42', 42_000],
	['an HTTP date', 'Sat, 21 Nov 2026 08:00:42 GMT', 42_000],
	['the past', '2026-11-21T07:59:00Z', -60_000],
])('the rate limiter reads a rate limit reset in %s', (_, reset, wait) => {
	expect(resetIn(reset)).toBe(wait);
});

test.each(['', 'soon', '-5', '5 apples', '2026', 'NaN', '1e3', '0x10'])(
	'the rate limiter ignores the rate limit reset %j, which contains no time',
	reset => {
		// The text 2026 is read as a number of seconds, not as a year.
		expect(resetIn(reset)).toBe(reset === '2026' ? 2_026_000 : undefined);
	},
);

test('the rate limiter reads the header Retry-After in seconds and as a date', () => {
	expect(retryIn('7')).toBe(7_000);
	expect(retryIn('Sat, 21 Nov 2026 08:00:07 GMT')).toBe(7_000);
	expect(retryIn('later')).toBeUndefined();
});

test('the rate limiter compares dates in the headers with the Date header of the same response', () => {
	const skewed = limitsFrom({
		Date: 'Sat, 21 Nov 2026 11:00:00 GMT',
		'X-RateLimit-Reset': '2026-11-21T11:00:42Z',
		'Retry-After': '7',
	});
	expect(skewed).toMatchObject({ resetInMs: 42_000, retryInMs: 7_000 });
});

test('the rate limiter reads the limit and the remaining requests, and ignores values that are not whole numbers', () => {
	const counts = (limit: string, remaining: string) => {
		const limits = limitsFrom({ 'X-RateLimit-Limit': limit, 'X-RateLimit-Remaining': remaining });
		return [limits.limit, limits.remaining];
	};
	expect(counts('30', '0')).toEqual([30, 0]);
	expect(counts('30, 30;w=60', '12, 12')).toEqual([30, 12]);
	expect(counts('0', '-3')).toEqual([undefined, 0]);
	expect(counts('many', `${'9'.repeat(400)}`)).toEqual([undefined, undefined]);
	expect(limitsFrom({})).toEqual({});
});
