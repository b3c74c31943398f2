import { expect, test } from 'vitest';
import { statusAgesOf, withOldApart } from '../../source/store/freshness.ts';
import { createRowsSelector } from '../../source/store/selectors.ts';
import type { AccountState } from '../../source/store/state.ts';
import { accountAfter, fact, listRead } from '../arbitraries/sample-facts.ts';
import { now } from '../arbitraries/values.ts';
import { profileOf } from '../opened-account.ts';

const second = 1_000;
const minute = 60 * second;

const statusRead = (id: string, age: number) =>
	fact(now - age, { type: 'statusRead', computer: { id, status: 'active' } });

/** A list without statuses was read just now. */
const oneByOne = accountAfter(
	listRead(now - 40 * minute, [{ id: 'sb_1' }, { id: 'sb_2' }]),
	statusRead('sb_2', 31 * minute),
	statusRead('sb_1', 4 * second),
	listRead(now - second, [{ id: 'sb_1' }, { id: 'sb_2' }]),
);

const opened = (state: AccountState) => [{ profile: profileOf('test'), state }];
const rowsOf = (state: AccountState) => createRowsSelector('test')(state);
const counts = { total: 2, phases: { active: 2 }, outdated: 0 };

test('where statuses are read one by one, the ages on screen reach from the newest to the oldest', () => {
	const rows = rowsOf(oneByOne);
	const agesOf = (count: number) => statusAgesOf(rows.slice(0, count), opened(oneByOne), now);
	expect(agesOf(2)).toEqual({ newest: 4 * second, oldest: 31 * minute });
	expect(agesOf(1)).toEqual({ newest: 4 * second, oldest: 4 * second });
	const told = accountAfter(listRead(now - second, [{ id: 'sb_1', status: 'active' }]));
	expect(statusAgesOf(rowsOf(told), opened(told), now)).toBeUndefined();
});

test('a computer with an old status is counted as old and not as active', () => {
	const counted = withOldApart(counts, rowsOf(oneByOne), opened(oneByOne), now);
	expect(counted).toEqual({ total: 2, phases: { active: 1 }, outdated: 0, old: 1 });
	const fresh = accountAfter(
		listRead(now - 2 * minute, [{ id: 'sb_1' }]),
		statusRead('sb_1', 90 * second),
		listRead(now, [{ id: 'sb_1' }]),
	);
	expect(withOldApart(counts, rowsOf(fresh), opened(fresh), now)).toBe(counts);
});
