import type { GlobalId } from '../../fleet/computers/global-id.ts';
import type { Ordering } from '../../fleet/computers/order-fields.ts';
import { createIndexSorter, itemsAt } from '../../fleet/computers/ordering.ts';
import { createItemValues } from '../../foundation/item-values.ts';
import { memoize } from '../../foundation/memoize.ts';
import type { FleetRow } from '../../store/selectors.ts';
import { troubleOrderOf } from '../../store/trouble-rank.ts';
import { indexOfRow } from './kept-place.ts';
import type { AccountNameOf } from './row-filter.ts';

type OrderOptions = {
	ordering: Ordering;
	at: number;
	accountOf: AccountNameOf;
	/** An earlier row of a computer, by which it is ordered. */
	kept: FleetRow | undefined;
};

/**
 * Creates an order of the rows of the table. The ids are ordered with the rows: to read the id of each of ten thousand
 * rows afterwards would take longer than ordering them.
 */
export function createRowOrder() {
	const sorterWith = memoize((accountOf: AccountNameOf) =>
		createIndexSorter<FleetRow>({
			fieldSourceOf: ({ computer }) => computer,
			accountOf,
			troubleOrderOf,
		}),
	);
	const listIdsOf = createItemValues(({ id }: FleetRow) => id);
	const orderedIds = new WeakMap<readonly FleetRow[], readonly GlobalId[]>();
	const ordered = memoize(
		(
			sort: ReturnType<typeof sorterWith>,
			rows: readonly FleetRow[],
			ordering: Ordering,
			at: number,
			kept: FleetRow | undefined,
		) => {
			// Most often it is a row of the list. A search for the same object reads none of the rows.
			const place = kept && !rows.includes(kept) ? indexOfRow(rows, kept.id) : -1;
			const sorted = kept && place >= 0 ? rows.with(place, kept) : rows;
			const indexes = sort(sorted, ordering, at);
			const result = itemsAt(indexes, rows);
			orderedIds.set(result, itemsAt(indexes, listIdsOf(rows)));
			return result;
		},
	);

	return {
		apply: (rows: readonly FleetRow[], { ordering, at, accountOf, kept }: OrderOptions) =>
			ordered(sorterWith(accountOf), rows, ordering, at, kept),
		/** Returns the ids of rows that were ordered here; undefined for others. */
		idsOf: (rows: readonly FleetRow[]) => orderedIds.get(rows),
	};
}
