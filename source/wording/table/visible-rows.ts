import { type Layout, tableWidth } from '../../drawing/layout.ts';
import type { FieldName } from '../../fleet/computers/field.ts';
import { filterFrom } from '../../fleet/computers/filter.ts';
import { createSorter } from '../../fleet/computers/ordering.ts';
import { memoize } from '../../foundation/memoize.ts';
import type { Screen, Viewport } from '../../screen/screen.ts';
import { createRowsSelector, type Row } from '../../store/selectors.ts';
import type { AccountState } from '../../store/state.ts';
import { columnsNamed, columnsThatFit } from './column-layout.ts';

export type VisibleRows = Viewport & {
	/** All rows of the account. `rows` holds only the rows that match the filter, in the order of the table. */
	allRows: readonly Row[];
	rows: readonly Row[];
};

type VisibleRowsOptions = { account: AccountState; screen: Screen; layout: Layout; now: number };

const minuteMs = 60_000;

/**
 * Returns a function that filters and orders the rows of the table. That function returns the same object
 * while none of its inputs changes.
 */
export function createVisibleRows(): (options: VisibleRowsOptions) => VisibleRows {
	const rowsOf = createRowsSelector();

	// The time is rounded to the minute, so that an ordering by age is not computed every second. The rows are
	// ordered before they are filtered, so that a typed letter of the filter does not order them again.
	const order = createSorter<Row>(({ computer }) => computer);
	const ordered = memoize(
		(allRows: readonly Row[], by: FieldName, isReversed: boolean, at: number) =>
			order(allRows, { by, isReversed }, at),
	);
	const rowsShown = createRowFilter();
	const idsOf = memoize((rows: readonly Row[]) => rows.map(({ computer }) => computer.id));
	const fieldsOf = memoize((cells: number, names: Screen['columns']) =>
		columnsThatFit(cells - 4, columnsNamed(names)).flatMap(({ column }) => column.field ?? []),
	);

	const together = memoize(
		(
			allRows: readonly Row[],
			rows: readonly Row[],
			lines: number,
			fields: readonly FieldName[],
		): VisibleRows => ({
			allRows,
			rows,
			ids: idsOf(rows),
			maxRows: lines,
			maxScroll: notScrollable,
			orderableFields: fields,
		}),
	);

	return ({ account, screen, layout, now }) => {
		const allRows = rowsOf(account);
		const { by, isReversed } = screen.orderings.fleet;
		const at = Math.floor(now / minuteMs) * minuteMs;
		const rows = rowsShown(ordered(allRows, by, isReversed, at), screen.filters.fleet, at);
		const lines = layout.isTooSmall ? 0 : layout.tableRowCount;
		return together(
			allRows,
			rows,
			lines,
			fieldsOf(tableWidth(screen, layout.columns), screen.columns),
		);
	};
}

const notScrollable = () => 0;

function createRowFilter() {
	let last:
		| { allRows: readonly Row[]; filter: string; at: number; rows: readonly Row[] }
		| undefined;

	return (allRows: readonly Row[], filter: string, at: number): readonly Row[] => {
		if (filter === '') return allRows;
		const isSame = last?.allRows === allRows && last.at === at;
		if (last && isSame && last.filter === filter) return last.rows;
		const from = last && isSame && isNarrower(last.filter, filter) ? last.rows : allRows;
		const { test } = filterFrom(filter);
		const rows = from.filter(({ computer }) => test(computer, at));
		last = { allRows, filter, at, rows };
		return rows;
	};
}

// Returns whether the new filter can only match rows that the earlier filter matched: it adds letters to a
// plain word. With a quotation mark, the letters may belong to an excluded phrase instead, and match more rows.
function isNarrower(before: string, filter: string): boolean {
	return filter.startsWith(before) && /(^|\s)[^\s:-][^\s:]*$/.test(filter) && !/OR|"/.test(filter);
}
