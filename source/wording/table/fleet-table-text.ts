import { fitToWidth, type Span, widthOf } from '../../drawing/span.ts';
import type { Theme } from '../../drawing/theme.ts';
import type { Ordering } from '../../fleet/computers/order-fields.ts';
import type { Row } from '../../store/selectors.ts';
import { accountColumn } from './account-column.ts';
import type { CellContext } from './cell-context.ts';
import type { Column } from './column.ts';
import { columns } from './columns.ts';

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
		const text = isOrdering ? `${title}${sign}` : title;
		const click = field && ({ type: 'move', move: { type: 'orderByField', field } } as const);
		return [[text, 'faint', click]];
	});
}

export function rowCells(
	row: Row,
	placed: readonly PlacedColumn[],
	context: CellContext,
): TableCells {
	const hasAge = showsAge(placed);
	return placed.map(each => cellOf(row, each, hasAge, context));
}

export const showsAge = (placed: readonly PlacedColumn[]) =>
	placed.some(({ column }) => column.showsAge);

/** Greys out an outdated row, because its colours would suggest that the state is current. */
export function cellOf(
	row: Row,
	{ column, width }: PlacedColumn,
	hasAge: boolean,
	context: CellContext,
): readonly Span[] {
	const spans = column.cellSpans(row, width, context);
	const age = context.ageOf(row);
	const isOperationShown = column.showsOperation && row.operation !== undefined;
	const mark: readonly Span[] =
		column.marksOldRows && !hasAge && age !== 'fresh'
			? [[context.theme.glyphs.outdated, 'busy']]
			: [];
	const isGrey = age === 'old' && !isOperationShown;
	return [...mark, ...(isGrey ? spans.map(([text]): Span => [text, 'faint']) : spans)];
}

/** Joins the cells of a line. A cell that is too wide for its column is cut, or, without cutting, shifts the later cells. */
export function joinedCells(
	cells: TableCells,
	placed: readonly PlacedColumn[],
	theme: Theme,
	isCut = true,
): readonly Span[] {
	return placed.flatMap(({ column, width }, at) => {
		const cell = cells[at] ?? [];
		const room = isCut ? width : Math.max(width, widthOf(cell, theme));
		const spans = fitToWidth(cell, room, theme, column.align);
		return at > 0 ? [[columnGap] as const, ...spans] : spans;
	});
}

export type PlacedColumn = { column: Column; width: number };

const gapWidth = 2;

export const columnGap = ' '.repeat(gapWidth);

const defaultColumns = columns.filter(({ visibility }) => visibility !== 'chosen');

/**
 * Returns the columns with these names in the order of the names, preceded by any column that is always
 * shown but not named. Unknown names are ignored. A table of several accounts begins with the column of accounts.
 */
export function columnsNamed(
	names: readonly string[] | undefined,
	hasSeveralAccounts = false,
): readonly Column[] {
	if (hasSeveralAccounts) return [accountColumn, ...columnsNamed(names)];
	if (!names) return defaultColumns;
	const named = [...new Set(names)].flatMap(name => columns.find(each => each.name === name) ?? []);
	const missing = columns.filter(each => each.visibility === 'always' && !named.includes(each));
	return [...missing, ...named];
}

const neededWidth = (
	shown: readonly Column[],
	widthOfColumn = ({ minWidth }: Column) => minWidth,
) => shown.reduce((sum, column) => sum + widthOfColumn(column) + gapWidth, -gapWidth);

const preferredWidthOf = ({ preferredWidth, minWidth }: Column) => preferredWidth ?? minWidth;

/** Adds the columns that only need spare room, as long as all others keep the width that they prefer. */
function withSpareColumns(
	chosen: readonly Column[],
	candidates: readonly Column[],
	width: number,
): readonly Column[] {
	const spare = candidates.filter(({ isSpare }) => isSpare);
	let all = chosen;
	for (const column of spare.toSorted((a, b) => a.dropOrder - b.dropOrder)) {
		const more = candidates.filter(each => each === column || all.includes(each));
		if (neededWidth(more, preferredWidthOf) <= width) all = more;
	}
	return all;
}

/** Chooses the columns that fit into a table of this width, and returns each with its own width in cells. */
export function columnsThatFit(
	width: number,
	candidates: readonly Column[] = defaultColumns,
): readonly PlacedColumn[] {
	let chosen: readonly Column[] = candidates.filter(({ isSpare }) => !isSpare);
	while (chosen.length > 1 && neededWidth(chosen) > width) {
		const highest = Math.max(...chosen.map(({ dropOrder }) => dropOrder));
		chosen = chosen.filter(
			({ dropOrder }, at) => dropOrder < highest || (highest === 0 && at === 0),
		);
	}
	chosen = withSpareColumns(chosen, candidates, width);
	const placed = chosen.map(column => ({ column, width: Math.min(column.minWidth, width) }));
	let room = Math.max(0, width - neededWidth(chosen));
	const grow = (placement: { column: Column; width: number }, maxWidth: number) => {
		const grown = Math.max(0, Math.min(room, maxWidth - placement.width));
		placement.width += grown;
		room -= grown;
	};
	for (const each of placed) grow(each, each.column.preferredWidth ?? each.column.minWidth);
	for (const each of placed) grow(each, each.column.maxWidth);
	return placed;
}
