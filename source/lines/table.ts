import type { Line } from './line.ts';
import { spellOut } from './print.ts';
import { cut, fitTo, type Span, textOf, widthOf, wrap } from './span.ts';

export type Column<Row> = {
	title: string;
	cell: (row: Row, cells: number) => readonly Span[];
	/** Columns with higher numbers leave first where there is no room. */
	drop: number;
	align?: 'right';
	/** The fewest cells, to which the column shrinks before another one leaves. */
	min?: number;
	/** Of a cell whose text is too long for the column; one by default. */
	maxLines?: number;
	/** A drawing, such as a bar, takes what room is left. Speech and pipes leave it out. */
	drawn?: { max: number };
};

type PlacedColumn<Row> = { column: Column<Row>; cells: number };

export const columnGap = 2;

export function table<Row, Extra extends Partial<Line>>(
	columns: readonly Column<Row>[],
	rows: readonly Row[],
	width: number,
	extra: (row: Row, at: number) => Extra,
): readonly (Line & Partial<Extra>)[] {
	const [first] = rows;
	// Before the rows that the cursor can choose is a blank of their own beside the cursor.
	const isChosen = first !== undefined && extra(first, 0).id !== undefined;
	const margin = isChosen && width < Number.POSITIVE_INFINITY ? '  ' : ' ';
	const placed = place(columns, rows, width + 1 - margin.length - columnGap);
	const joined = (cellOf: (each: PlacedColumn<Row>) => readonly Span[]): readonly Span[] =>
		placed.flatMap((each, at): readonly Span[] => [
			[at === 0 ? margin : ' '.repeat(columnGap)],
			...fitTo(cellOf(each), each.cells, each.column.align),
		]);
	return [
		{
			spans: joined(({ column }) => [[column.title, 'faint']]),
			spoken: '',
			margin: margin.length,
		} as Line & Partial<Extra>,
		...rows.flatMap((row, at) => {
			const cells = new Map(
				placed.map(each => [each, linesOfCell(each.column.cell(row, each.cells), each)] as const),
			);
			const height = Math.max(1, ...Array.from(cells.values(), ({ length }) => length));
			return Array.from({ length: height }, (_, nth) => ({
				spans: joined(each => cells.get(each)?.[nth] ?? []),
				// Only the ear asks for it.
				get spoken() {
					return nth === 0 ? spokenRow(columns, row) : '';
				},
				margin: margin.length,
				...extra(row, at),
			}));
		}),
	];
}

function linesOfCell<Row>(
	spans: readonly Span[],
	{ column: { maxLines = 1 }, cells }: PlacedColumn<Row>,
): readonly (readonly Span[])[] {
	if (maxLines === 1 || widthOf(spans) <= cells) return [spans];
	const lines = wrap(spans, cells);
	if (lines.length <= maxLines) return lines;
	const end = lines.slice(maxLines - 1).flatMap((line): readonly Span[] => [...line, [' ']]);
	return [...lines.slice(0, maxLines - 1), cut(end, cells)];
}

function place<Row>(
	columns: readonly Column<Row>[],
	rows: readonly Row[],
	width: number,
): readonly PlacedColumn<Row>[] {
	const isEndless = width === Number.POSITIVE_INFINITY;
	const candidates = columns.filter(({ drawn }) => !(drawn && isEndless));
	const steps = candidates.map((column): readonly WidthStep[] => {
		const { title, drop, min = 1, drawn } = column;
		const widest = drawn
			? drawn.max
			: rows.reduce((most, row) => Math.max(most, widthOf(column.cell(row, Infinity))), 0);
		const natural = Math.max(widest, widthOf([[title]]));
		return [
			[drop, Math.min(Math.max(min, title.length), natural)],
			[growthTurn, natural],
		];
	});
	const widths = widthsThatFit(steps, width);
	return candidates.flatMap((column, at) => {
		const cells = widths[at];
		return cells === undefined ? [] : [{ column, cells: Math.max(1, cells) }];
	});
}

/** A width of a column, and its turn among the steps of all columns of the table. */
export type WidthStep = readonly [turn: number, cells: number];

/** Columns that appear by their `drop` grow only after all of them have appeared. */
export const growthTurn = 1_000;

/**
 * Takes the steps of all columns by their turns until one does not fit, so that a wider table never shows less of a column.
 * A column appears with its first width or not at all (undefined), but the first column is shown in any case.
 */
export function widthsThatFit(
	columns: readonly (readonly WidthStep[])[],
	width: number,
): readonly (number | undefined)[] {
	const steps = columns
		.flatMap((steps, column) => steps.map(([turn, cells]) => ({ column, turn, cells })))
		.sort((a, b) => a.turn - b.turn);
	const widths = new Map<number, number>();
	let room = width + columnGap;
	for (const { column, cells } of steps) {
		const before = widths.get(column) ?? -columnGap;
		const needed = cells - before;
		const mayBeCut = widths.has(column) || widths.size === 0;
		const granted = Math.min(needed, mayBeCut || needed <= room ? room : 0);
		if (mayBeCut || granted > 0) widths.set(column, before + granted);
		room -= granted;
		if (granted < needed) break;
	}
	return columns.map((_, column) => widths.get(column));
}

/** Says a row as "Pro: auto-sleep after 30 min idle, your plan", in which each cell follows the title of its column. */
function spokenRow<Row>(columns: readonly Column<Row>[], row: Row): string {
	const [first = '', ...cells] = columns
		.filter(({ drawn }) => !drawn)
		.map(({ title, cell }, at) => {
			const text = spellOut(textOf(cell(row, Number.POSITIVE_INFINITY)));
			return at === 0 || text === '' ? text : `${title.trim().toLowerCase()} ${text}`.trim();
		});
	const named = cells.filter(text => text !== '');
	// A row without a first cell belongs to the row above.
	if (first === '') return `also ${named.join(', ')}`;
	return named.length > 0 ? `${first}: ${named.join(', ')}` : first;
}
