import { type FieldSource, fields } from '../../fleet/computers/field.ts';
import type { Ordering } from '../../fleet/computers/order-fields.ts';
import type { Term } from '../../fleet/filters/filter.ts';
import { matchedPlaces } from '../../fleet/filters/matched-places.ts';
import { fitTo, type Span, textOf, widthOf, withMatches } from '../../lines/span.ts';
import type { FleetRow } from '../../store/selectors.ts';
import { type Click, orderByField } from '../look/moves.ts';
import type { CellContext } from './cell-context.ts';
import { columnsTaken, type PlacedColumn } from './column-widths.ts';
import type { Column } from './columns.ts';

//    NAME           STATUS        STAGE                                 CPU    MEM  VERSION   UPTIME
//  ❯ atlas          ● Active                                            12%    41%  1.4.2      6d 4h
// ▪  borealis       ◐ Creating    loading image ━━━╸──── 63%  ~20s

/** A click on a title orders by it. */
function titleSpans(
	placed: readonly PlacedColumn[],
	ordering: Ordering,
): readonly (readonly Span[])[] {
	const sign = ordering.isReversed ? '▼' : '▲';
	return placed.map(({ column: { title, field } }) => {
		const isOrdering = field === ordering.by;
		const click: Click | undefined = field && { type: 'move', move: orderByField(field) };
		return [[isOrdering ? `${title}${sign}` : title, 'faint', click]];
	});
}

export const titleLine = (placed: readonly PlacedColumn[], ordering: Ordering): readonly Span[] => [
	['   '],
	...joinedCells(titleSpans(placed, ordering), placed),
	[' '],
];

type RowLook = { isOld: boolean; terms: readonly Term<FieldSource>[] };

export const rowLook = (row: FleetRow, context: CellContext): RowLook => ({
	isOld: context.ageOf(row) === 'old',
	terms: context.matchedTermsOf?.(computerIn(row, context), context.now) ?? [],
});

/** An old row is grey, because its colours would suggest that the state is current. */
export function cellSpans(
	row: FleetRow,
	column: Column,
	context: CellContext,
	width: number,
	{ isOld, terms }: RowLook,
): readonly Span[] {
	const spans = column.cell(row, context, width);
	const isOperationShown = column.showsOperation && row.operation !== undefined;
	const shown = isOld && !isOperationShown ? spans.map(([text]): Span => [text, 'faint']) : spans;
	const name = column.field ?? column.searchedField;
	if (name === undefined || terms.length === 0) return shown;
	const field = fields[name];
	const values = field.values(computerIn(row, context), context.now);
	return withMatches(shown, matchedPlaces(terms, { text: textOf(shown), field, values }));
}

const computerIn = ({ computer }: FleetRow, { filterName }: CellContext): FieldSource =>
	filterName === undefined ? computer : { ...computer, accountName: filterName };

/** A text that may flow over has as much room as the empty cells behind it leave. */
function rowCells(
	row: FleetRow,
	placed: readonly PlacedColumn[],
	context: CellContext,
): readonly (readonly Span[])[] {
	const look = rowLook(row, context);
	const cells: (readonly Span[])[] = [];
	for (let at = placed.length - 1; at >= 0; at -= 1) {
		const { column, width } = placed[at] as PlacedColumn;
		const room = column.flowsOver?.(row)
			? columnsTaken(placed, at, Number.POSITIVE_INFINITY, other => isBlank(cells[other])).width
			: width;
		cells[at] = cellSpans(row, column, context, room, look);
	}
	return cells;
}

/** A text that is too long for its column flows over the empty cells after it, or is cut. */
function joinedCells(
	cells: readonly (readonly Span[])[],
	placed: readonly PlacedColumn[],
): readonly Span[] {
	const joined: Span[] = [];
	for (let at = 0; at < placed.length; ) {
		const { column, width, gap } = placed[at] as PlacedColumn;
		const spans = cells[at] ?? [];
		const taken = column.flowsOver
			? columnsTaken(placed, at, widthOf(spans), other => isBlank(cells[other]))
			: { count: 1, width };
		if (gap > 0) joined.push([' '.repeat(gap)]);
		joined.push(...fitTo(spans, taken.width, column.align));
		at += taken.count;
	}
	return joined;
}

const isBlank = (spans: readonly Span[] = []) => textOf(spans).trim() === '';

export function rowSign(isMarked: boolean, isKept: boolean): Span {
	if (isMarked) return ['▪', 'mark'];
	return isKept ? ['┊', 'faint'] : [' '];
}

export const rowLine = (
	row: FleetRow,
	placed: readonly PlacedColumn[],
	context: CellContext,
	sign: Span,
	isUnderCursor: boolean,
): readonly Span[] => [
	sign,
	isUnderCursor ? ['❯', 'accent'] : [' '],
	[' '],
	...joinedCells(rowCells(row, placed, context), placed),
	[' '],
];
