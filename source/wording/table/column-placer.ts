import type { OrderField } from '../../fleet/computers/order-fields.ts';
import { memoize } from '../../foundation/memoize.ts';
import type { PlacedColumn } from './column.ts';
import { placedColumns } from './fleet-table-text.ts';

/**
 * Creates a function that places columns, and returns the same array as long as they stand in the same places. So the
 * cells of a row that was shown in another order need not be composed again.
 */
export function createColumnPlacer(): typeof placedColumns {
	let last: readonly PlacedColumn[] = [];
	// A person who looks for an order passes the same few again and again.
	const placesByOrder = memoize(
		(_width: number, _names: readonly string[] | undefined, _hasSeveral = false) =>
			new Map<OrderField | undefined, readonly PlacedColumn[]>(),
	);
	return (width, names, hasSeveralAccounts, orderedBy) => {
		const known = placesByOrder(width, names, hasSeveralAccounts);
		const placed =
			known.get(orderedBy) ?? placedColumns(width, names, hasSeveralAccounts, orderedBy);
		known.set(orderedBy, placed);
		const isSame =
			placed.length === last.length &&
			placed.every(({ column, width, gap }, at) => {
				const other = last[at];
				return other?.column === column && other.width === width && other.gap === gap;
			});
		if (!isSame) last = placed;
		return last;
	};
}
