import { cellsOf } from '../lines/measure.ts';
import { cut, fitTo, type Span, textOf, widthOf, wrapText } from '../lines/span.ts';
import type { FleetRow } from '../store/selectors.ts';
import { cleanForTerminal } from '../terminal/features/escape-sequences.ts';
import type { PlacedColumn } from '../views/fleet/column-widths.ts';
import { columnsTaken } from '../views/fleet/column-widths.ts';
import { cellSpans, rowLook, titleSpans } from '../views/fleet/row-line.ts';
import { maxPaddedWidth, type TableRow } from './pipe-table.ts';

// NAME      STATUS      STAGE                          CPU   MEM  VERSION
// atlas     ● Active                                   36%   60%  1.4.2
// draco     ✖ Error     image pull failed: disk quota             1.4.2      the reason flows over empty cells,
//                       exceeded                                             and goes on in the next line

// A reason may take this number of lines of a terminal. Its end is cut, and `crowsnest show` prints all of it.
const maxLinesOfCell = 4;

/** The text of a cell, and its width. */
type PlainCell = { text: string; width: number };

/** The cells of one line, and the text before them. */
type PlainLine = { before: string; cells: readonly PlainCell[] };

/**
 * Returns a cell. It is cut to its column, unless its text may continue behind it.
 */
function plainCell(
	spans: readonly Span[],
	{ width: columnWidth, column }: PlacedColumn,
	mayContinue: boolean,
): PlainCell {
	if (mayContinue) return { text: textOf(spans), width: widthOf(spans) };
	return { text: textOf(fitTo(spans, columnWidth, column.align)), width: columnWidth };
}

type TerminalTable = Output & { titleBefore: string };

/**
 * Formats computers as a table for a terminal. Cells are cut to their columns, and long reasons go on in the next line.
 */
export function terminalTableLines(
	rows: readonly TableRow[],
	{ placed, titleBefore, width }: TerminalTable,
): readonly string[] {
	const lineFrom = (
		before: string,
		cells: readonly (readonly Span[])[],
		row?: FleetRow,
	): PlainLine => ({
		before,
		cells: placed.map((each, at) => {
			const mayContinue = row !== undefined && each.column.flowsOver?.(row) === true;
			return plainCell(cells[at] ?? [], each, mayContinue);
		}),
	});
	const lines = [
		lineFrom(titleBefore, titleSpans(placed)),
		...rows.map(({ before, row, context }) => {
			const look = rowLook(row, context);
			const cells = placed.map(({ column, width: cells }) =>
				cellSpans(row, column, context, cells, look),
			);
			return lineFrom(before, cells, row);
		}),
	];
	const output = { placed: widened(lines, { placed, width }), width };
	return lines.flatMap(line => joinedLines(line, output));
}

type Output = { placed: readonly PlacedColumn[]; width: number };

/** Returns the columns with the widths that their cells need. The cells share the room that the columns leave. */
function widened(lines: readonly PlainLine[], { placed, width }: Output): Output['placed'] {
	const before = lines[0]?.before.length ?? 0;
	const used = placed.reduce((sum, { gap, width: own }) => sum + gap + own, before);
	let spare = Math.max(0, width - used);
	return placed.map((each, at) => {
		let longest = 0;
		for (let number = 0; number < lines.length; number++) {
			const cell = (lines[number] as PlainLine).cells[at];
			if (cell && cell.width > longest) longest = cell.width;
		}
		const more = Math.min(spare, Math.max(0, Math.min(longest, maxPaddedWidth) - each.width));
		spare -= more;
		return { ...each, width: each.width + more };
	});
}

/**
 * Joins the cells of a line for a terminal. A text that is too long for its column flows over the empty cells to its
 * right and goes on in the lines below.
 */
function joinedLines({ before, cells }: PlainLine, output: Output): readonly string[] {
	const { placed, width } = output;
	const isEmpty = (at: number) => cells[at]?.text.trim() === '';
	let line = before;
	const below: string[] = [];
	for (let at = 0; at < cells.length; ) {
		const { text, width: needed } = cells[at] as PlainCell;
		const { gap, column } = placed[at] as PlacedColumn;
		const taken = columnsTaken(placed, at, needed, isEmpty);
		line += ' '.repeat(gap);
		const isWrapped = needed > taken.width;
		const shown = isWrapped ? (wrapText(text, taken.width)[0] ?? '') : text;
		if (isWrapped) {
			const indent = cellsOf(line);
			const room = Math.max(taken.width, width - indent);
			const rest = linesBelow(text.slice(shown.length).trimStart(), room);
			below.push(...rest.map(each => (' '.repeat(indent) + cleanForTerminal(each)).trimEnd()));
		}
		const padding = ' '.repeat(Math.max(0, taken.width - cellsOf(shown)));
		line += column.align === 'right' ? padding + shown : shown + padding;
		at += taken.count;
	}
	return [cleanForTerminal(line), ...below];
}

/** Wraps the rest of a text. If it takes too many lines, its end is cut. */
function linesBelow(text: string, width: number): readonly string[] {
	const lines = wrapText(text, width);
	const last = maxLinesOfCell - 1;
	if (lines.length <= last) return lines;
	const end = lines.slice(last - 1).join(' ');
	return [...lines.slice(0, last - 1), textOf(cut([[end]], width))];
}
