import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRowsSelector } from '../../../source/store/selectors.ts';
import { emptyAccount } from '../../../source/store/state.ts';
import { createStore } from '../../../source/store/store.ts';
import { createRowOrder } from '../../../source/wording/table/row-order.ts';
import { now } from '../../arbitraries/values.ts';

const account = 'test';

test('ordered rows have their own ids, also when one of them keeps the place of an earlier row', () => {
	const answer = fc.uniqueArray(
		fc.record({
			id: fc.constantFrom('sb_1', 'sb_2', 'sb_3', 'sb_4', 'sb_5'),
			name: fc.constantFrom('atlas', 'borealis', 'corvus'),
			cpu: fc.integer({ min: 0, max: 9 }),
		}),
		{ selector: ({ id }) => id },
	);
	const step = fc.record({
		answer,
		by: fc.constantFrom('name', 'cpu', 'trouble'),
		isReversed: fc.boolean(),
		keptPlace: fc.nat(5),
	});
	fc.assert(
		fc.property(fc.array(step, { maxLength: 6 }), steps => {
			const store = createStore();
			const rowsOf = createRowsSelector(account);
			const order = createRowOrder();
			let rows = rowsOf(emptyAccount);
			for (const { answer, by, isReversed, keptPlace } of steps) {
				const kept = rows[keptPlace];
				store.fold({ account, at: now, type: 'listRead', computers: answer });
				rows = rowsOf(store.getState().accounts.get(account) ?? emptyAccount);
				const options = { at: now, accountOf: () => undefined, ordering: { by, isReversed } };
				const ordered = order.apply(rows, { ...options, kept });
				expect(order.idsOf(ordered)).toEqual(ordered.map(({ id }) => id));
				expect(new Set(ordered)).toEqual(new Set(rows));
				// The earlier row decides where the computer stands. Its present row is shown.
				const earlier = rows.map(row => (row.id === kept?.id ? kept : row));
				const byEarlier = order.apply(earlier, { ...options, kept: undefined });
				expect(ordered.map(({ id }) => id)).toEqual(byEarlier.map(({ id }) => id));
			}
		}),
	);
	expect(createRowOrder().idsOf([])).toBeUndefined();
});
