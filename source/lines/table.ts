import type { Line } from './line.ts';
import { spellOut } from './print.ts';
import { type Click, cut, fitTo, type Span, textOf, widthOf, wrap } from './span.ts';

export type Column<Row> = {
	title: string;
	cell: (row: Row, cells: number) => readonly Span[];
	/** Columns with higher numbers leave first where there is no room; 0 by default. */
	drop?: number | undefined;
	align?: 'right' | undefined;
	/** The fewest cells, to which the column shrinks before another one leaves. */
	min?: number | undefined;
	/** In place of `drop` and `min`, where the rows change: the widths by their turns, so that no column moves. */
	widths?: readonly Width[] | undefined;
	maxLines?: number;
	/** A text that is too long continues over the cells to its right that are empty or drawn. */
	flows?: boolean | undefined;
	/** A drawing, such as a bar. Speech and pipes leave it out. */
	isDrawn?: boolean | undefined;
	click?: Click | undefined;
};

export type Width = readonly [turn: number, cells: number];

type PlacedColumn<C> = { column: C; cells: number };

/** `whole` has the cell of each row as it is where there is room for all of it. */
type MeasuredColumn<Row> = Column<Row> & { whole?: readonly (readonly Span[])[] };

type Cell = {
	lines: readonly (readonly Span[])[];
	cells: number;
	isDrawn?: boolean | undefined;
	align?: 'right' | undefined;
};

const columnGap = 2;
const gap: Span = [' '.repeat(columnGap)];

export function table<Row, Extra extends Partial<Line>>(
	columns: readonly Column<Row>[],
	rows: readonly Row[],
	width: number,
	extra: (row: Row, at: number) => Extra,
): readonly (Line & Partial<Extra>)[] {
	const [first] = rows;
	// Before the rows that the cursor can choose is a blank of their own beside the cursor.
	const isChosen = first !== undefined && extra(first, 0).id !== undefined;
	const margin = isChosen && width < Infinity ? '  ' : ' ';
	const placed = placedColumns(
		columns
			.filter(({ isDrawn }) => !isDrawn || width < Infinity)
			.map((column): MeasuredColumn<Row> => {
				if (column.widths) return column;
				return { ...column, whole: rows.map(row => column.cell(row, Infinity)) };
			}),
		width + 1 - margin.length,
		column => column.widths ?? naturalWidths(column),
	);
	function joined(cells: readonly Cell[], nth = 0): readonly Span[] {
		const spans: Span[] = [];
		for (const { lines, cells: room, align } of cells)
			spans.push(spans.length === 0 ? [margin] : gap, ...fitTo(lines[nth] ?? [], room, align));
		return spans;
	}
	const titles = placed.map(({ column: { title, align, click }, cells }): Cell => {
		return { lines: [[[title, 'faint', click]]], cells, align };
	});
	return [
		{ spans: joined(titles), spoken: '', margin: margin.length } as Line & Partial<Extra>,
		...rows.flatMap((row, at) => {
			const cells = cellsOfRow(row, at, placed);
			const height = cells.reduce((most, { lines }) => Math.max(most, lines.length), 1);
			return Array.from({ length: height }, (_, nth) => ({
				spans: joined(cells, nth),
				spoken: nth === 0 ? (): string => spokenRow(columns, row) : '',
				margin: margin.length,
				...extra(row, at),
			}));
		}),
	];
}

/** From right to left, because a text has as much room as the empty cells behind it leave. */
function cellsOfRow<Row>(
	row: Row,
	at: number,
	placed: readonly PlacedColumn<MeasuredColumn<Row>>[],
): readonly Cell[] {
	const after: Cell[] = [];
	for (const { column, cells } of placed.toReversed()) {
		const { flows, isDrawn, align, maxLines, whole = [] } = column;
		const closed = after.findIndex(each => !each.isDrawn && !each.lines.every(isBlank));
		const free = flows ? after.slice(0, closed < 0 ? after.length : closed) : [];
		const room = free.reduce((sum, each) => sum + columnGap + each.cells, cells);
		const natural = whole[at];
		const spans = natural && widthOf(natural) <= room ? natural : column.cell(row, room);
		let taken = cells;
		for (const each of free) {
			if (widthOf(spans) <= taken) break;
			taken += columnGap + each.cells;
			after.shift();
		}
		after.unshift({ lines: linesOfCell(spans, taken, maxLines), cells: taken, isDrawn, align });
	}
	return after;
}

const isBlank = (spans: readonly Span[]) => spans.every(([text]) => text.trim() === '');

function linesOfCell(spans: readonly Span[], cells: number, maxLines = 1): Cell['lines'] {
	if (maxLines === 1 || widthOf(spans) <= cells) return [spans];
	const lines = wrap(spans, cells);
	if (lines.length <= maxLines) return lines;
	const end = lines.slice(maxLines - 1).flatMap((line): readonly Span[] => [...line, [' ']]);
	return [...lines.slice(0, maxLines - 1), cut(end, cells)];
}

/** After the first column that has no room, none appears, and the others grow. */
export function placedColumns<C>(
	columns: readonly C[],
	width: number,
	widthsOf: (column: C) => readonly Width[],
): readonly PlacedColumn<C>[] {
	const steps = columns
		.flatMap(column => widthsOf(column).map(([turn, cells]) => ({ column, turn, cells })))
		.toSorted((a, b) => a.turn - b.turn);
	const widths = new Map<C, number>();
	let room = width;
	let isFull = false;
	for (const { column, cells } of steps) {
		const before = widths.get(column) ?? -columnGap;
		const isNew = !widths.has(column);
		isFull ||= isNew && widths.size > 0 && cells - before > room;
		if (isNew && isFull) continue;
		const granted = Math.min(cells - before, room);
		widths.set(column, before + granted);
		room -= granted;
	}
	return columns.flatMap(column => {
		const cells = widths.get(column);
		return cells === undefined ? [] : [{ column, cells }];
	});
}

function naturalWidths<Row>({
	title,
	drop = 0,
	min = 1,
	whole = [],
}: MeasuredColumn<Row>): readonly Width[] {
	const widest = whole.reduce((most, spans) => Math.max(most, widthOf(spans)), 0);
	const natural = Math.max(1, widest, widthOf([[title]]));
	return [
		[drop, Math.min(Math.max(min, title.length), natural)],
		[Infinity, natural],
	];
}

/** Says a row as "Pro: auto-sleep after 30 min idle, your plan", in which each cell follows the title of its column. */
function spokenRow<Row>(columns: readonly Column<Row>[], row: Row): string {
	const [first = '', ...cells] = columns
		.filter(({ isDrawn }) => !isDrawn)
		.map(({ title, cell }, at) => {
			const text = spellOut(textOf(cell(row, Infinity)));
			return at === 0 || text === '' ? text : `${title.trim().toLowerCase()} ${text}`.trim();
		});
	const named = cells.filter(text => text !== '');
	// A row without a first cell belongs to the row above.
	if (first === '') return `also ${named.join(', ')}`;
	return named.length > 0 ? `${first}: ${named.join(', ')}` : first;
}
