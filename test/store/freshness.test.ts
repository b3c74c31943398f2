import { expect, test } from 'vitest';
import type { Fact, RateLimitUsage } from '../../source/fleet/fact.ts';
import type { ReadName } from '../../source/fleet/reads.ts';
import { createFailure } from '../../source/platform/decoding/platform-error.ts';
import {
	createOldTest,
	failingReadOf,
	isOld,
	outageOf,
	statusAgesOf,
	withOldApart,
} from '../../source/store/freshness.ts';
import { rowsOf } from '../../source/store/selectors.ts';
import type { AccountState } from '../../source/store/state.ts';
import { accountAfter, fact, failure, listRead } from '../arbitraries/sample-facts.ts';
import { now } from '../arbitraries/values.ts';
import { minute, second } from '../durations.ts';
import { profileOf } from '../opened-account.ts';

const after = (time: number, every?: number) =>
	isOld({ at: now - time, ...(every !== undefined && { every }) }, now);

test.each([
	['whatever the interval of the reads', 10 * second, 10 * second],
	['but at least 30 seconds, because nobody acts on less', second, 7_500],
	['counting at most a minute per interval', 15 * minute, minute],
	['counting a minute per interval when the interval is unknown', undefined, minute],
])('an answer is old after four intervals, %s', (_, every, interval) => {
	expect(after(4 * interval, every)).toBe(false);
	expect(after(4 * interval + 1, every)).toBe(true);
});

test.each([
	['ten seconds after the last answer', 'offline', 11, true],
	['not within ten seconds of it', 'offline', 5, false],
	['at once where the sign-in is refused', 'auth', 5, true],
] as const)('a failing list makes every row old: %s', (_, kind, seconds, isOldNow) => {
	const list = listRead(now - seconds * second, [{ id: 'sb_1', status: 'active' }]);
	const noAnswer = createFailure(kind, 'no answer');
	const failed = fact(now - second, { type: 'readFailed', read: 'list', failure: noAnswer });
	const oldIn = (each: AccountState) =>
		[...each.computers.values()].map(computer => createOldTest(each, now)(computer));
	expect(oldIn(accountAfter(list))).toEqual([false]);
	expect(oldIn(accountAfter(list, failed))).toEqual([isOldNow]);
});

test('after a sleep of the machine, a record that cannot be read is no sign that the platform is silent', () => {
	const list = listRead(now - 20 * minute, [{ id: 'sb_1' }]);
	const outageAfter = (kind: 'offline' | 'unreadable') => {
		const noStatus = createFailure(kind, 'the answer has no status');
		const failedAt = (at: number) =>
			fact(at, { type: 'readFailed', read: 'status', id: 'sb_1', failure: noStatus });
		return outageOf(accountAfter(list, failedAt(now - 19 * minute), failedAt(now)), now);
	};
	expect(outageAfter('offline')).toBeDefined();
	expect(outageAfter('unreadable')).toBeUndefined();
});

const failed = (at: number, read: ReadName, askedAt: number, nextAt: number) =>
	fact(at, { type: 'readFailed', read, failure, nextAt }, askedAt);

const credits = (at: number, askedAt = at) =>
	fact(at, { type: 'answered', read: 'credits', answer: { balance: 1 } }, askedAt);

test('a failing list is the only failing read if another was answered since, and waits for the read that failed last', () => {
	const [list, again] = [failed(10_000, 'list', 0, 11_000), failed(21_000, 'list', 11_000, 23_000)];
	const late = failed(10_000, 'list', 9_000, 11_000);
	const other = failed(11_000, 'credits', 10_500, 13_000);
	const failing = (now: number, ...facts: readonly Fact[]) =>
		failingReadOf(accountAfter(...facts), now);
	expect(failing(2, listRead(1, []))).toBeUndefined();
	expect(failing(3, listRead(1, []), failed(2, 'credits', 2, 9))).toBeUndefined();
	const alone = { read: 'list', isOnlyThisRead: true, retryAt: 11_000 };
	expect(failing(10_500, credits(100, 0), list)).toMatchObject(alone);
	expect(failing(30_000, list, again, credits(30_000))?.isOnlyThisRead).toBe(true);
	expect(failing(10_500, credits(100), late)?.isOnlyThisRead).toBe(false);
	const both = failing(11_500, credits(9_500), late, other);
	expect(both).toMatchObject({ isOnlyThisRead: false, retryAt: 13_000 });
	expect(failing(13_500, late, other)?.retryAt, 'the next try is under way').toBe(13_500);
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

test('an outage is over with the first answer, also for a read that was not tried again since the outage began', () => {
	const refused = createFailure('auth', 'no password was given');
	const failedAt = (at: number, read: ReadName) =>
		fact(at, { type: 'readFailed', read, failure: refused });
	const before = [listRead(now - 11 * minute, []), failedAt(now - 10 * minute, 'status')];
	const during = [...before, failedAt(now - second, 'list'), failedAt(now - second, 'credits')];
	expect(outageOf(accountAfter(...during), now)).toBeDefined();
	expect(outageOf(accountAfter(...during, listRead(now, [])), now)).toBeUndefined();
});

const statusRead = (id: string, age: number) =>
	fact(now - age, { type: 'computerRead', read: 'status', computer: { id, status: 'active' } });

/** A list without statuses was read just now. */
const oneByOne = accountAfter(
	listRead(now - 40 * minute, [{ id: 'sb_1' }, { id: 'sb_2' }]),
	statusRead('sb_2', 31 * minute),
	statusRead('sb_1', 4 * second),
	listRead(now - second, [{ id: 'sb_1' }, { id: 'sb_2' }]),
);

const opened = (state: AccountState) => [{ profile: profileOf('test'), state }];
const counts = { total: 2, phases: { active: 2 }, behind: 0 };

test('where statuses are read one by one, the ages on screen reach from the newest to the oldest', () => {
	const rows = rowsOf('test', oneByOne);
	const agesOf = (count: number) => statusAgesOf(rows.slice(0, count), opened(oneByOne), now);
	expect(agesOf(2)).toEqual({ newest: 4 * second, oldest: 31 * minute });
	expect(agesOf(1)).toEqual({ newest: 4 * second, oldest: 4 * second });
	const told = accountAfter(listRead(now - second, [{ id: 'sb_1', status: 'active' }]));
	expect(statusAgesOf(rowsOf('test', told), opened(told), now)).toBeUndefined();
});

test('a computer with an old status is counted as old and not as active', () => {
	const counted = withOldApart(counts, rowsOf('test', oneByOne), opened(oneByOne), now);
	expect(counted).toEqual({ total: 2, phases: { active: 1 }, behind: 0, old: 1 });
	const fresh = accountAfter(
		listRead(now - 2 * minute, [{ id: 'sb_1' }]),
		statusRead('sb_1', 90 * second),
		listRead(now, [{ id: 'sb_1' }]),
	);
	expect(withOldApart(counts, rowsOf('test', fresh), opened(fresh), now)).toBe(counts);
});
