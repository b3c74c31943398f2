import { fitToWidth, type Span, textOf, widthOf } from '../../drawing/span.ts';
import type { Theme } from '../../drawing/theme.ts';
import type { FilterTerm } from '../../fleet/computers/filter-words.ts';
import type { OrderField, Ordering } from '../../fleet/computers/order-fields.ts';
import type { Age } from '../../store/freshness.ts';
import type { FleetRow } from '../../store/selectors.ts';
import { accountColumn } from './account-column.ts';
import type { CellContext } from './cell-context.ts';
import type { Column, PlacedColumn } from './column.ts';
import { columns } from './columns.ts';
import { columnsTaken, roomFor } from './flowing-cell.ts';
import { matchedTermsIn, withFilterMatches } from './row-matches.ts';

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
	row: FleetRow,
	placed: readonly PlacedColumn[],
	context: CellContext,
	/** Whether a text may continue over the empty cells behind it. */
	canFlow = true,
): TableCells {
	const look = { age: context.ageOf(row), terms: matchedTermsIn(row, context) };
	const cells: (readonly Span[])[] = [];
	const isEmpty = (at: number) => isBlank(cells[at] ?? []);
	for (let at = placed.length - 1; at >= 0; at -= 1) {
		const each = placed[at] as PlacedColumn;
		const flows = canFlow && each.column.flowsOver?.(row);
		const room = flows ? roomFor(placed, at, isEmpty) : each.width;
		cells[at] = cellOf(row, each.column, room, context, look);
	}
	return cells;
}

/** What all cells of a row have in common. */
export type RowLook = {
	age: Age;
	/** The terms of the filter that the computer has. */
	terms: readonly FilterTerm[];
};

/**
 * Greys out an outdated row, because its colours would suggest that the state is current, and underlines what the filter
 * matched.
 */
export function cellOf(
	row: FleetRow,
	column: Column,
	width: number,
	context: CellContext,
	{ age, terms }: RowLook,
	/** What the cell draws, if that is known already. */
	drawn?: string,
): readonly Span[] {
	const spans = column.cellSpans(row, width, context, drawn);
	const isOperationShown = column.showsOperation && row.operation !== undefined;
	const isGrey = age === 'old' && !isOperationShown;
	const shown = isGrey ? spans.map(([text]): Span => [text, 'faint']) : spans;
	return terms.length === 0 ? shown : withFilterMatches(shown, row, column, context, terms);
}

/** Returns the text of a cell: that of the spans of `cellOf`. */
export function cellTextOf(
	row: FleetRow,
	{ column, width }: PlacedColumn,
	context: CellContext,
): string {
	return column.cellText
		? column.cellText(row, width, context)
		: textOf(column.cellSpans(row, width, context));
}

/**
 * Joins the cells of a line. A text that is too wide for its column flows over the empty cells after it, or is cut.
 */
export function joinedCells(
	cells: TableCells,
	placed: readonly PlacedColumn[],
	theme: Theme,
): readonly Span[] {
	const isEmpty = (at: number) => isBlank(cells[at] ?? []);
	const joined: Span[] = [];
	for (let at = 0; at < placed.length; ) {
		const { column, width, gap } = placed[at] as PlacedColumn;
		const cell = cells[at] ?? [];
		const taken = column.flowsOver
			? columnsTaken(placed, at, widthOf(cell, theme), isEmpty)
			: { count: 1, width };
		if (gap > 0) joined.push([' '.repeat(gap)]);
		joined.push(...fitToWidth(cell, taken.width, theme, column.align));
		at += taken.count;
	}
	return joined;
}

export function isBlank(spans: readonly Span[]): boolean {
	for (let at = 0; at < spans.length; at++) if ((spans[at] as Span)[0].trim() !== '') return false;
	return true;
}

const gapWidth = 2;

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

/** The cells at the left edge of each row, for the cursor and the mark, and the cell at the right edge. */
export const rowEdges = 4;

/** Returns the width of the table in which each of these columns has as much room as it uses. */
export const fullTableWidth = (candidates: readonly Column[]) =>
	candidates.reduce(
		(sum, { growth }) => sum + (growth.at(-1)?.cells ?? 0) + gapWidth,
		rowEdges - gapWidth,
	);

/**
 * Places the columns with these names in a table of this width. The column by which the table is ordered is added,
 * because an order by hidden values would look like no order. Room that no column uses stands between the columns.
 */
export function placedColumns(
	tableWidth: number,
	names: readonly string[] | undefined,
	hasSeveralAccounts = false,
	orderedBy?: OrderField,
): readonly PlacedColumn[] {
	const room = tableWidth - rowEdges;
	const named = columnsNamed(names, hasSeveralAccounts);
	const ordering = columns.find(({ field }) => field !== undefined && field === orderedBy);
	const candidates = ordering ? withColumn(named, ordering) : named;
	return spreadOver(room, columnsThatFit(room, candidates, names !== undefined, ordering));
}

/** Adds a column in its usual place, or at the end of columns that a person has put into another order. */
function withColumn(shown: readonly Column[], added: Column): readonly Column[] {
	if (shown.includes(added)) return shown;
	const usual = columns.indexOf(added);
	const after = shown.findIndex(column => columns.indexOf(column) > usual);
	return shown.toSpliced(after < 0 ? shown.length : after, 0, added);
}

/**
 * Chooses the columns that fit into this width, and returns each with its own width in cells. The steps of all
 * columns are taken in the order of their turns until one does not fit, so that a wider table never shows less. If a
 * person chose the columns, all of them come before any of them grows.
 */
export function columnsThatFit(
	width: number,
	candidates: readonly Column[] = defaultColumns,
	areChosen = false,
	ordering?: Column,
): readonly PlacedColumn[] {
	const orderOf = (column: Column, turn: number, at: number) => {
		if (at > 0) return areChosen ? turn + growthAfter : turn;
		return column === ordering ? Math.min(turn, orderingTurn) : turn;
	};
	const steps = candidates.flatMap(column =>
		column.growth.map(({ turn, cells }, at) => ({
			column,
			cells,
			order: orderOf(column, turn, at),
		})),
	);
	steps.sort((a, b) => a.order - b.order);
	const widths = new Map<Column, number>();
	let room = width + gapWidth;
	for (const { column, cells } of steps) {
		const before = widths.get(column);
		// A column is shown only if its first width fits. The first column is shown in any case, cut if necessary.
		const isFirst = widths.size === 0;
		const needed = before === undefined ? cells + gapWidth : cells - before;
		const granted = before === undefined && !isFirst && needed > room ? 0 : Math.min(needed, room);
		if (granted > 0)
			widths.set(column, before === undefined ? granted - gapWidth : before + granted);
		room -= granted;
		if (granted < needed) break;
	}
	return candidates
		.flatMap(column => ({ column, width: widths.get(column) ?? 0 }))
		.filter(({ column }) => widths.has(column))
		.map((placed, at) => ({ ...placed, gap: at > 0 ? gapWidth : 0 }));
}

/** Added to the turn of later steps, so that all columns that a person chose appear before any of them grows. */
const growthAfter = 100;

/** The column by which the table is ordered appears after the name and the status. */
const orderingTurn = 1.5;

/**
 * Widens the gaps between the columns until the table has this width, so that the last column ends at the right edge.
 */
function spreadOver(width: number, placed: readonly PlacedColumn[]): readonly PlacedColumn[] {
	const used = placed.reduce((sum, each) => sum + each.gap + each.width, 0);
	const gaps = placed.length - 1;
	const spare = gaps > 0 ? Math.max(0, width - used) : 0;
	return placed.map((each, at) => {
		const more = Math.floor(spare / gaps) + (at <= spare % gaps ? 1 : 0);
		return at > 0 && spare > 0 ? { ...each, gap: each.gap + more } : each;
	});
}
