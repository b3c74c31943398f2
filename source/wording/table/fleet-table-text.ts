import { fitted, type Span, widthOf } from '../../drawing/span.ts';
import type { Theme } from '../../drawing/theme.ts';
import type { Ordering } from '../../fleet/computers/ordering.ts';
import type { Row } from '../../store/selectors.ts';
import type { CellContext } from './cell-context.ts';
import { columnGap, type PlacedColumn } from './column-layout.ts';
import type { Column } from './columns.ts';

/** The cells of one line of the table of computers, in the order of its columns. */
export type TableCells = readonly (readonly Span[])[];

/** Returns the titles of the columns, with a sign at the column that orders the table. */
export function titleCells(
	placed: readonly PlacedColumn[],
	ordering: Ordering | undefined,
	{ glyphs }: Theme,
): TableCells {
	const sign = ordering?.isReversed ? glyphs.descending : glyphs.ascending;
	return placed.map(({ column: { title, field } }) => {
		const isOrdering = ordering !== undefined && field === ordering.by;
		return [[isOrdering ? `${title}${sign}` : title, 'faint']];
	});
}

export function rowCells(
	row: Row,
	placed: readonly PlacedColumn[],
	context: CellContext,
): TableCells {
	const hasAge = placed.some(({ column }) => column.showsAge);
	return placed.map(({ column, width }) =>
		agedSpans(row, column, column.cellSpans(row, width, context), hasAge, context),
	);
}

/** Greys out an outdated row, because its colours would suggest that the state is current. */
function agedSpans(
	row: Row,
	{ marksOldRows, showsOperation }: Column,
	spans: readonly Span[],
	hasAge: boolean,
	{ ageOf, theme }: CellContext,
): readonly Span[] {
	const age = ageOf(row);
	const isOperationShown = showsOperation && row.operation !== undefined;
	const mark: readonly Span[] =
		marksOldRows && !hasAge && age !== 'fresh' ? [[theme.glyphs.outdated, 'busy']] : [];
	const isGrey = age === 'old' && !isOperationShown;
	return [...mark, ...(isGrey ? spans.map(([text]): Span => [text, 'faint']) : spans)];
}

/** Joins the cells of a line. A cell that is too wide is cut, or shifts the rest of its line if nothing is cut. */
export function joinedCells(
	cells: TableCells,
	placed: readonly PlacedColumn[],
	theme: Theme,
	isCut = true,
): readonly Span[] {
	return placed.flatMap(({ column, width }, at) => {
		const cell = cells[at] ?? [];
		const room = isCut ? width : Math.max(width, widthOf(cell, theme));
		const spans = fitted(cell, room, theme, column.align);
		return at > 0 ? [[columnGap] as const, ...spans] : spans;
	});
}
