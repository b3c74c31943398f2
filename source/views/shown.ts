import type { FieldName } from '../fleet/field.ts';
import { filterFrom } from '../fleet/filter.ts';
import { inOrder, type Ordering } from '../fleet/ordering.ts';
import { remember } from '../store/memory.ts';
import { createRowsOf, type Row } from '../store/rows.ts';
import type { Screen, Shown } from '../store/screen.ts';
import type { AccountState } from '../store/state.ts';
import { columnsWithin } from './columns.ts';
import type { Layout } from './layout.ts';

export type ShownRows = Shown & {
	/** All rows of the account, and those that the filter lets through, in order. */
	all: readonly Row[];
	rows: readonly Row[];
};

type Asked = { account: AccountState; screen: Screen; layout: Layout; now: number };

const minute = 60_000;

/** The rows of the table; the same value as long as nothing that it depends on has changed. */
export function createShownOf(): (asked: Asked) => ShownRows {
	const rowsOf = createRowsOf();

	// By the minute: what is filtered and ordered by age need not be looked over every second.
	const rowsShown = remember(
		(all: readonly Row[], filter: string, by: FieldName, isReversed: boolean, at: number) =>
			chosen(all, filter, { by, isReversed }, at),
	);
	const idsOf = remember((rows: readonly Row[]) => rows.map(({ computer }) => computer.id));
	const fieldsOf = remember((columns: number) =>
		columnsWithin(columns - 4).flatMap(({ column }) => column.field ?? []),
	);

	const together = remember(
		(
			all: readonly Row[],
			rows: readonly Row[],
			lines: number,
			fields: readonly FieldName[],
		): ShownRows => ({ all, rows, ids: idsOf(rows), lines, scrollable: nowhere, fields }),
	);

	return ({ account, screen, layout, now }) => {
		const all = rowsOf(account);
		const { by, isReversed } = screen.ordering;
		const rows = rowsShown(all, screen.filter, by, isReversed, Math.floor(now / minute) * minute);
		const lines = layout.isTooSmall ? 0 : layout.lines;
		return together(all, rows, lines, fieldsOf(layout.columns));
	};
}

const nowhere = () => 0;

function chosen(all: readonly Row[], filter: string, ordering: Ordering, now: number) {
	const { test } = filterFrom(filter);
	const shown = all.filter(({ computer }) => test(computer, now));
	const byComputer = new Map(shown.map(row => [row.computer, row]));
	return inOrder(byComputer.keys(), ordering, now).flatMap(each => byComputer.get(each) ?? []);
}
