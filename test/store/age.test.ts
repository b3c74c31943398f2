import { expect, test } from 'vitest';
import { createFailure } from '../../source/platform/decoding/platform-error.ts';
import { ageOf, createRowAge } from '../../source/store/freshness.ts';
import type { AccountState } from '../../source/store/state.ts';
import { accountAfter, fact, listRead } from '../arbitraries/sample-facts.ts';

const now = Date.UTC(2026, 10, 21, 8);
const second = 1_000;
const minute = 60 * second;

const after = (time: number, every?: number) =>
	ageOf({ at: now - time, ...(every !== undefined && { every }) }, now);

test.each([
	['whatever the interval of the reads', 10 * second, 10 * second],
	['but at least 30 seconds, because nobody acts on less', second, 7_500],
	['counting at most a minute per interval', 15 * minute, minute],
	['counting a minute per interval when the interval is unknown', undefined, minute],
])(
	'an answer is late after two intervals and old after four intervals, %s',
	(_, every, interval) => {
		if (interval >= 10 * second) {
			expect(after(2 * interval, every)).toBe('fresh');
			expect(after(2 * interval + 1, every)).toBe('late');
		}
		expect(after(4 * interval, every)).toBe('late');
		expect(after(4 * interval + 1, every)).toBe('old');
	},
);

test.each([
	['ten seconds after the last answer', 'offline', 11, 'old'],
	['not within ten seconds of it', 'offline', 5, 'fresh'],
	['at once where the sign-in is refused', 'auth', 5, 'old'],
] as const)('a failing list makes every row old: %s', (_, kind, seconds, age) => {
	const list = listRead(now - seconds * second, [{ id: 'sb_1', status: 'active' }]);
	const failure = createFailure(kind, 'no answer');
	const failed = fact(now - second, { type: 'readFailed', read: 'list', failure });
	const ageIn = (each: AccountState) =>
		[...each.computers.values()].map(computer => createRowAge(each, now)(computer));
	expect(ageIn(accountAfter(list))).toEqual(['fresh']);
	expect(ageIn(accountAfter(list, failed))).toEqual([age]);
});
