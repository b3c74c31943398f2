import { expect, test } from 'vitest';
import type { RateLimitUsage } from '../../source/fleet/fact.ts';
import type { ReadName } from '../../source/fleet/reads.ts';
import { failingReadOf } from '../../source/store/freshness.ts';
import { accountAfter, fact, failure, listRead } from '../arbitraries/sample-facts.ts';

const failed = (at: number, read: ReadName, askedAt: number, nextAt: number) =>
	fact(at, { type: 'readFailed', read, failure, nextAt }, askedAt);

const credits = (at: number, askedAt = at) =>
	fact(at, { type: 'answered', read: 'credits', answer: { balance: 1 } }, askedAt);

test('the store reports no outage while the list is answered, even if the reads of the credits fail', () => {
	expect(failingReadOf(accountAfter(listRead(1, [])), 2)).toBeUndefined();
	expect(
		failingReadOf(accountAfter(listRead(1, []), failed(2, 'credits', 2, 9)), 3),
	).toBeUndefined();
});

test('the store reports that only the list fails while other reads are answered', () => {
	const alone = accountAfter(credits(100, 0), failed(10_000, 'list', 0, 11_000));
	expect(failingReadOf(alone, 10_500)).toMatchObject({
		read: 'list',
		isOnlyThisRead: true,
		retryAt: 11_000,
	});
	const later = accountAfter(
		failed(10_000, 'list', 0, 11_000),
		failed(21_000, 'list', 11_000, 23_000),
		credits(30_000),
	);
	expect(failingReadOf(later, 30_000)?.isOnlyThisRead).toBe(true);
});

test('the store does not report only the list when other reads fail too, or succeeded only before it failed', () => {
	const before = accountAfter(credits(100), failed(10_000, 'list', 9_000, 11_000));
	expect(failingReadOf(before, 10_500)?.isOnlyThisRead).toBe(false);
	const both = accountAfter(
		credits(9_500),
		failed(10_000, 'list', 9_000, 11_000),
		failed(11_000, 'credits', 10_500, 13_000),
	);
	expect(failingReadOf(both, 11_500)?.isOnlyThisRead).toBe(false);
});

test('the time of the next try is that of the read that failed last', () => {
	const both = accountAfter(
		failed(1_000, 'list', 1_000, 3_000),
		failed(3_000, 'credits', 3_000, 7_000),
	);
	expect(failingReadOf(both, 4_000)?.retryAt).toBe(7_000);
	expect(failingReadOf(both, 7_500)?.retryAt, 'the next try is under way').toBe(7_500);
	const again = accountAfter(
		failed(1_000, 'list', 1_000, 30_000),
		failed(2_000, 'credits', 2_000, 62_000),
	);
	expect(failingReadOf(again, 4_000)?.retryAt, 'a person requested a read at once').toBe(62_000);
});

test('the time of the next try is never before the rate limit allows it', () => {
	const standing = { limit: 30, spent: 30 };
	const standings: RateLimitUsage = {
		create: standing,
		status: standing,
		other: { ...standing, frozenUntil: 40_000 },
	};
	const frozen = accountAfter(
		failed(1_000, 'list', 1_000, 3_000),
		fact(2_000, { type: 'limitsChanged', standings }),
	);
	expect(failingReadOf(frozen, 2_000)?.retryAt).toBe(40_000);
});
