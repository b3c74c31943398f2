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

const offline = createFailure('offline', 'no answer');

test('every row is old during an outage, also if its answer came a moment ago', () => {
	const list = listRead(now - 11 * second, [{ id: 'sb_1', status: 'active' }]);
	const nextAt = now + second;
	const failed = fact(now - second, { type: 'readFailed', read: 'list', failure: offline, nextAt });
	const [listed, account] = [accountAfter(list), accountAfter(list, failed)];
	const ageIn = (each: AccountState) =>
		[...each.computers.values()].map(computer => createRowAge(each, now)(computer));
	expect(ageIn(listed)).toEqual(['fresh']);
	expect(ageIn(account)).toEqual(['old']);
});
