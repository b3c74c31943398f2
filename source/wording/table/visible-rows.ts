import type { AccountProfile } from '../../fleet/computers/account-profile.ts';
import { createFilterCompleter } from '../../fleet/computers/filter-completion.ts';
import type { GlobalId } from '../../fleet/computers/global-id.ts';
import {
	isSameOrdering,
	type OrderField,
	troubleFirst,
} from '../../fleet/computers/order-fields.ts';
import { memoize } from '../../foundation/memoize.ts';
import type { CompletedWord } from '../../foundation/term-completion.ts';
import { type Grouping, groupings, groupingsOfOneAccount } from '../../screen/map-look.ts';
import type { Screen, Viewport } from '../../screen/screen.ts';
import type { TypedLine } from '../../screen/typed-line.ts';
import { createJointRowsSelector, type OpenedAccount } from '../../store/opened-accounts.ts';
import type { FleetRow } from '../../store/selectors.ts';
import { isInTrouble } from '../../store/trouble-rank.ts';
import type { Layout } from '../../views/layout.ts';
import type { PlacedColumn } from './column.ts';
import { createColumnPlacer } from './column-placer.ts';
import { tableWidth } from './detail-placement.ts';
import { createHeldOrder } from './held-order.ts';
import { createKeptPlace } from './kept-place.ts';
import { createKeptIdsSelector } from './kept-rows.ts';
import { type AccountNameOf, accountNamesOf, createRowFilter } from './row-filter.ts';
import { createRowOrder } from './row-order.ts';

export type VisibleRows = Viewport & {
	/** All rows of all accounts. `rows` holds only the rows that match the filter, in the order of the table. */
	allRows: readonly FleetRow[];
	/** The same rows in the order of the table. */
	orderedRows: readonly FleetRow[];
	rows: readonly FleetRow[];
	/** Whether the rows are held in an order that differs from the sorted one. */
	isUnsorted: boolean;
	/** Whether any of the rows is in error, or the outcome of an operation on it is not known. */
	hasTrouble: boolean;
	/** The rows that the filter would hide, but that stay because of an operation on them. */
	keptIds: ReadonlySet<GlobalId>;
	/** Returns the completions of the word at the caret of a filter. */
	filterCompletions: (line: TypedLine) => CompletedWord;
	/** Does in advance what the next letter of a filter needs. It is the same function until the computers change. */
	prepareLetter: (line: TypedLine) => void;
};

type VisibleRowsOptions = {
	accounts: readonly OpenedAccount[];
	screen: Screen;
	layout: Layout;
	/**
	 * Whether the rows stay in their order, because a person is about to act on one of them. They also do while any
	 * computer is marked.
	 */
	isOrderHeld?: boolean;
	now: number;
};

const minuteMs = 60_000;

/**
 * Returns a function that filters and orders the rows of the table. That function returns the same object while none of
 * its inputs changes.
 */
export function createVisibleRows(): (options: VisibleRowsOptions) => VisibleRows {
	const rowsOf = createJointRowsSelector();

	const namesOf = memoize((...profiles: readonly AccountProfile[]) => accountNamesOf(profiles));
	const rowOrder = createRowOrder();
	const keptPlace = createKeptPlace();
	const heldOrder = createHeldOrder();
	let ordering = troubleFirst;
	const keptIdsOf = createKeptIdsSelector();
	const rowFilter = createRowFilter();
	let lastIds: readonly GlobalId[] = [];
	let lastRows: readonly FleetRow[] = [];
	/** Returns the same array as long as it has the same ids. */
	const steadyIds = (next: readonly GlobalId[]) => {
		if (!haveSameIds(next, lastIds)) lastIds = next;
		return lastIds;
	};
	const placedOf = createColumnPlacer();
	const fieldsOf = memoize(
		(cells: number, names: Screen['columns'], hasSeveral: boolean, by: OrderField) =>
			orderFieldsOf(placedOf(cells, names, hasSeveral, by)),
	);

	// A completer keeps the rows of its last call, so it ends with the typing.
	const completerFor = memoize((accountOf: AccountNameOf, now: number, _isTyping: boolean) =>
		createFilterCompleter<FleetRow>({ sourceOf: ({ computer }) => computer, accountOf, now }),
	);

	const preparationOf = memoize(
		(
			completer: ReturnType<typeof completerFor>,
			rows: readonly FleetRow[],
			orderedRows: readonly FleetRow[],
		) =>
			(line: TypedLine) => {
				completer.prepare(rows, line);
				rowFilter.prepare(orderedRows);
			},
	);

	const together = memoize(
		(
			allRows: readonly FleetRow[],
			orderedRows: readonly FleetRow[],
			isUnsorted: boolean,
			{ rows, ids, keptIds }: ReturnType<typeof rowFilter.apply>,
			lines: number,
			fields: readonly OrderField[],
			completer: ReturnType<typeof completerFor>,
			groupings: readonly Grouping[],
		): VisibleRows => ({
			allRows,
			orderedRows,
			isUnsorted,
			filterCompletions: line => completer.complete(allRows, line),
			prepareLetter: preparationOf(completer, allRows, orderedRows),
			rows,
			keptIds,
			ids: steadyIds(ids),
			maxRows: lines,
			maxScroll: notScrollable,
			orderableFields: fields,
			groupings,
			hasTrouble: rows.some(isInTrouble),
			isInTrouble: index => {
				const row = rows[index];
				return row !== undefined && isInTrouble(row);
			},
		}),
	);

	// The result is kept, because a key first asks for the rows that the last frame has shown.
	const rowsFor = memoize(
		(
			accounts: VisibleRowsOptions['accounts'],
			screen: Screen,
			layout: Layout,
			isOrderHeld: boolean,
			now: number,
		) => {
			const allRows = rowsOf(accounts);
			const nameOf = namesOf(...accounts.map(({ profile }) => profile));
			const { fleet: chosen } = screen.orderings;
			const isHeld = isOrderHeld || screen.marks.size > 0;
			if (!isSameOrdering(ordering, chosen)) ordering = chosen;
			// Rounded to the minute, so that an ordering by age is not computed every second.
			const at = Math.floor(now / minuteMs) * minuteMs;
			const cursorId = screen.cursor?.id;
			const shownRow = screen.cursor && lastRows[screen.cursor.index];
			const kept = keptPlace.keptRow({ rows: allRows, cursorId, shownRow, ordering, isHeld });
			// The rows are ordered before they are filtered, so that a typed letter of the filter does not order them again.
			const sortedBy = (row: FleetRow | undefined) =>
				rowOrder.apply(allRows, { ordering, at, accountOf: nameOf, kept: row });
			const byKept = sortedBy(kept);
			const sorted = isHeld
				? byKept
				: keptPlace.steadiest(byKept, () => sortedBy(undefined), cursorId);
			const { rows: orderedRows, isUnsorted } = heldOrder(sorted, ordering, isHeld);
			keptPlace.noteShown(orderedRows, cursorId);
			const matching = rowFilter.apply(orderedRows, {
				filter: screen.filters.fleet,
				keptIds: keptIdsOf(screen, accounts, now),
				at,
				nameOf,
				isTyping: screen.isFiltering,
				ids: rowOrder.idsOf(orderedRows),
			});
			lastRows = matching.rows;
			const lines = layout.isTooSmall ? 0 : layout.tableRowCount;
			return together(
				allRows,
				orderedRows,
				isUnsorted,
				matching,
				lines,
				fieldsOf(
					tableWidth(screen, layout.columns, accounts.length),
					screen.columns,
					accounts.length > 1,
					ordering.by,
				),
				completerFor(nameOf, at, screen.isFiltering),
				accounts.length > 1 ? groupings : groupingsOfOneAccount,
			);
		},
	);

	return ({ accounts, screen, layout, isOrderHeld = false, now }) =>
		rowsFor(accounts, screen, layout, isOrderHeld, now);
}

/** Returns the fields by which `<` and `>` order the table: trouble, and then the visible columns. */
function orderFieldsOf(placed: readonly PlacedColumn[]): readonly OrderField[] {
	return [troubleFirst.by, ...placed.flatMap(({ column }) => column.field ?? [])];
}

/** A loop, because a call for each of ten thousand ids takes long. */
function haveSameIds(ids: readonly GlobalId[], others: readonly GlobalId[]): boolean {
	if (ids === others) return true;
	if (ids.length !== others.length) return false;
	for (let at = 0; at < ids.length; at++) if (ids[at] !== others[at]) return false;
	return true;
}

const notScrollable = () => 0;
