import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sortComputers } from '../../source/fleet/computers/ordering.ts';
import type { Fact } from '../../source/fleet/fact.ts';
import { orderedRows } from '../../source/script/list-order.ts';
import { fold } from '../../source/store/fold.ts';
import { createRowsSelector } from '../../source/store/selectors.ts';
import { emptyAccount, emptyState } from '../../source/store/state.ts';
import { factBody } from '../arbitraries/facts.ts';
import { accountAfter, listRead } from '../arbitraries/sample-facts.ts';
import { now } from '../arbitraries/values.ts';
import { runs } from '../properties/runs.ts';

const name = 'test';

test('without --sort, a list has the rows of the table, in the order of the table by name', () => {
	let count = 0;
	fc.assert(
		fc.property(fc.array(factBody, { minLength: 1, maxLength: 10 }), bodies => {
			const state = bodies
				.map(body => ({ account: name, at: now, ...body }) as Fact)
				.reduce(fold, emptyState);
			const account = state.accounts.get(name) ?? emptyAccount;
			const rows = createRowsSelector('')(account);
			const byName = { by: 'name', isReversed: false } as const;
			const expected = sortComputers(account.computers.values(), byName, now);
			const listed = { account, computers: account.computers.values() };
			const printed = orderedRows([listed], undefined, now).map(each => each.row);
			count += printed.length;
			expect(printed.map(row => row.computer)).toEqual(expected);
			for (const row of printed)
				expect(row).toEqual(rows.find(({ computer }) => computer === row.computer));
		}),
		runs(300),
	);
	expect(count).toBeGreaterThan(200);
});

test('without --sort, a list orders names with numbers by number, and equal names by id, account by account', () => {
	const named = (...names: readonly (readonly [id: string, name?: string])[]) => {
		const account = accountAfter(
			listRead(
				now,
				names.map(([id, each]) => ({ id, status: 'active', ...(each && { name: each }) })),
			),
		);
		return { account, computers: account.computers.values() };
	};
	const first = named(['sb_3', 'web-10'], ['sb_2', 'web'], ['sb_1', 'WEB'], ['sb_4', 'web-9']);
	const second = named(['sb_9'], ['sb_8', 'atlas']);
	const ids = orderedRows([first, second], undefined, now).map(({ row }) => row.computer.id);
	expect(ids).toEqual(['sb_1', 'sb_2', 'sb_4', 'sb_3', 'sb_8', 'sb_9']);
});
