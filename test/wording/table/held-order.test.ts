import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Ordering } from '../../../source/fleet/computers/order-fields.ts';
import type { FleetRow } from '../../../source/store/selectors.ts';
import { createHeldOrder } from '../../../source/wording/table/held-order.ts';
import { rowId } from '../../opened-account.ts';

const byName: Ordering = { by: 'name', isReversed: false };

/** A row with this id. Rows of later answers are other objects. */
const rowOf = (id: string) => ({ id: rowId(id) }) as FleetRow;

test('held rows keep the order in which they were shown, with new rows at the end, whatever the sorted order becomes', () => {
	const ids = fc.uniqueArray(fc.constantFrom(...'abcdefgh'), { maxLength: 8 });
	fc.assert(
		fc.property(fc.array(fc.tuple(ids, fc.boolean()), { maxLength: 8 }), lists => {
			const heldOrder = createHeldOrder();
			let shown: readonly string[] | undefined;
			let kept: readonly FleetRow[] = [];
			for (const [sortedIds, isSorted] of lists) {
				// Every other row is the object of the answer before.
				const sorted = sortedIds.map(
					(id, at) => (at % 2 && kept.find(row => row.id === rowId(id))) || rowOf(id),
				);
				const { rows, isUnsorted } = heldOrder(sorted, byName, !isSorted);
				const left = (shown ?? []).filter(id => sortedIds.includes(id));
				const added = sortedIds.filter(id => !left.includes(id));
				const expected = isSorted || !shown ? sortedIds : [...left, ...added];
				expect(rows.map(({ id }) => id)).toEqual(expected.map(rowId));
				for (const row of rows) expect(sorted).toContain(row);
				expect(isUnsorted).toBe(expected.join() !== sortedIds.join());
				shown = expected;
				kept = sorted;
			}
		}),
		{ numRuns: 500 },
	);
});

test('held rows whose sorted order is that of the answer before are not looked up by their ids', () => {
	const heldOrder = createHeldOrder();
	let lookedAt = 0;
	const counted = (id: string) =>
		Object.defineProperty({}, 'id', {
			get() {
				lookedAt += 1;
				return rowId(id);
			},
		}) as FleetRow;
	const sorted = Array.from('bac', counted);
	heldOrder(Array.from('abc', rowOf), byName, false);
	expect(heldOrder(sorted, byName, true).rows.map(({ id }) => id)).toEqual(
		Array.from('abc', rowId),
	);
	lookedAt = 0;
	const { rows } = heldOrder(sorted.with(2, counted('c')), byName, true);
	expect(rows).toHaveLength(3);
	// Only the row that was replaced is compared.
	expect(lookedAt).toBe(2);
});
