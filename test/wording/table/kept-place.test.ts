import { expect, test } from 'vitest';
import { troubleFirst } from '../../../source/fleet/computers/order-fields.ts';
import type { FleetRow } from '../../../source/store/selectors.ts';
import { createKeptPlace } from '../../../source/wording/table/kept-place.ts';
import { rowId } from '../../opened-account.ts';

/** Creates rows that count how often their ids are read. */
function rowsOf(count: number, reads: { count: number }): readonly FleetRow[] {
	const rows = Array.from({ length: count }, (_, at) => ({
		get id() {
			reads.count += 1;
			return rowId(`sb_${at}`);
		},
	}));
	return rows as unknown as readonly FleetRow[];
}

test('a move of the cursor reads one row, and not the whole fleet, also after an answer', () => {
	const reads = { count: 0 };
	const rows = rowsOf(1000, reads);
	const { keptRow } = createKeptPlace();
	const moveTo = (place: number, list: readonly FleetRow[], isHeld: boolean) =>
		keptRow({
			rows: list,
			cursorId: rowId(`sb_${place}`),
			shownRow: list[place],
			ordering: troubleFirst,
			isHeld,
		});
	expect(moveTo(900, rows, false)).toBe(rows[900]);
	reads.count = 0;
	expect(moveTo(901, rows, false)).toBe(rows[901]);
	expect(reads.count).toBeLessThan(10);
	// The order is held, so the row by which the table was ordered is the earlier one.
	const answered = rowsOf(1000, reads);
	moveTo(950, answered, true);
	expect(moveTo(950, rows, false)).toBe(rows[950]);
	expect(reads.count).toBeLessThan(20);
});

test('a row that was shown elsewhere is found by its id', () => {
	const rows = rowsOf(10, { count: 0 });
	const { keptRow } = createKeptPlace();
	const cursorId = rowId('sb_7');
	const options = { rows, cursorId, ordering: troubleFirst, isHeld: false };
	expect(keptRow({ ...options, shownRow: undefined })).toBe(rows[7]);
	expect(createKeptPlace().keptRow({ ...options, shownRow: rows[3] })).toBe(rows[7]);
});
