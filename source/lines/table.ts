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
	/**
	 * In place of `drop`, `min` and the widest cell, which would move the columns of a table whose rows change: the widths that
	 * the column takes, each when those of lower turns have room.
	 */
	widths?: readonly Width[] | undefined;
	/** Of a cell whose text is too long for the column; one by default. */
	maxLines?: number;
	/** A text that is too long continues over the cells to its right that are empty or drawn. */
	flows?: boolean | undefined;
	/** A drawing, such as a bar. Speech and pipes leave it out. */
	isDrawn?: boolean | undefined;
	/** What a click on the title does. */
	click?: Click | undefined;
};

export type Width = readonly [turn: number, cells: number];

type PlacedColumn<C> = { column: C; cells: number };

type Cell = {
	spans: readonly Span[];
	cells: number;
	isDrawn: boolean;
	align?: 'right' | undefined;
};

const columnGap = 2;

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
	const placed = placedColumns(
		columns.filter(({ isDrawn }) => !isDrawn || width < Number.POSITIVE_INFINITY),
		width + 1 - margin.length,
		column => column.widths ?? widthsIn(column, rows),
	);
	const joined = (cells: readonly Pick<Cell, 'spans' | 'cells' | 'align'>[]): readonly Span[] =>
		cells.flatMap(({ spans, cells, align }, at): readonly Span[] => [
			[at === 0 ? margin : ' '.repeat(columnGap)],
			...fitTo(spans, cells, align),
		]);
	const titles = placed.map(({ column: { title, align, click }, cells }) => {
		const span: Span = [title, 'faint', click];
		return { spans: [span], cells, align };
	});
	return [
		{ spans: joined(titles), spoken: '', margin: margin.length } as Line & Partial<Extra>,
		...rows.flatMap((row, at) => {
			const cells = cellsOfRow(row, placed);
			const lines = cells.map((cell, nth) => linesOfCell(cell, placed[nth]?.column.maxLines));
			const height = Math.max(1, ...lines.map(({ length }) => length));
			return Array.from({ length: height }, (_, nth) => ({
				spans: joined(cells.map((cell, each) => ({ ...cell, spans: lines[each]?.[nth] ?? [] }))),
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

/** From right to left, because a text has as much room as the empty cells behind it leave. */
function cellsOfRow<Row>(row: Row, placed: readonly PlacedColumn<Column<Row>>[]): readonly Cell[] {
	const after: Cell[] = [];
	for (const { column, cells } of placed.toReversed()) {
		const { flows, isDrawn = false, align } = column;
		const closed = after.findIndex(each => !each.isDrawn && textOf(each.spans).trim() !== '');
		const free = flows ? after.slice(0, closed < 0 ? after.length : closed) : [];
		const room = free.reduce((sum, each) => sum + columnGap + each.cells, cells);
		const spans = column.cell(row, room);
		let taken = cells;
		for (const each of free) {
			if (widthOf(spans) <= taken) break;
			taken += columnGap + each.cells;
			after.shift();
		}
		after.unshift({ spans, cells: taken, isDrawn, align });
	}
	return after;
}

function linesOfCell({ spans, cells }: Cell, maxLines = 1): readonly (readonly Span[])[] {
	if (maxLines === 1 || widthOf(spans) <= cells) return [spans];
	const lines = wrap(spans, cells);
	if (lines.length <= maxLines) return lines;
	const end = lines.slice(maxLines - 1).flatMap((line): readonly Span[] => [...line, [' ']]);
	return [...lines.slice(0, maxLines - 1), cut(end, cells)];
}

/** Gives the columns their widths by the turns. After the first column that has no room, none appears, and the others grow. */
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

function widthsIn<Row>(
	{ title, cell, drop = 0, min = 1 }: Column<Row>,
	rows: readonly Row[],
): readonly Width[] {
	const widest = rows.reduce((most, row) => Math.max(most, widthOf(cell(row, Infinity))), 0);
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
			const text = spellOut(textOf(cell(row, Number.POSITIVE_INFINITY)));
			return at === 0 || text === '' ? text : `${title.trim().toLowerCase()} ${text}`.trim();
		});
	const named = cells.filter(text => text !== '');
	// A row without a first cell belongs to the row above.
	if (first === '') return `also ${named.join(', ')}`;
	return named.length > 0 ? `${first}: ${named.join(', ')}` : first;
}
