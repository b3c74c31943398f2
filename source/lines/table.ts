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
	const placed = place(columns, rows, width + 1 - margin.length);
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
	let placed = columns
		.filter(({ drawn }) => !(drawn && isEndless))
		.map(column => {
			const { title, min = 1, drawn } = column;
			const widest = drawn
				? drawn.max
				: rows.reduce((most, row) => Math.max(most, widthOf(column.cell(row, Infinity))), 0);
			const natural = Math.max(widest, widthOf([[title]]));
			return { column, natural, cells: Math.min(Math.max(min, title.length), natural) };
		});
	const total = () => placed.reduce((sum, { cells }) => sum + cells + columnGap, 0);
	while (placed.length > 1 && total() > width) {
		const highest = Math.max(...placed.map(({ column }) => column.drop));
		const dropped = placed.findLastIndex(({ column }) => column.drop === highest);
		placed = placed.filter((_, at) => at !== dropped);
	}
	let room = width - total();
	for (const each of placed) {
		const growth = Math.min(room, each.natural - each.cells);
		each.cells = Math.max(1, each.cells + growth);
		room -= growth;
	}
	return placed;
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
