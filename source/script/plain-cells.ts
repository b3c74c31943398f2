import {
	blanks,
	cutWithEllipsis,
	fitToWidth,
	type Span,
	textOf,
	widthOf,
	wrapText,
} from '../drawing/span.ts';
import type { Theme } from '../drawing/theme.ts';
import { cleanForTerminal } from '../terminal/features/escape-sequences.ts';
import type { PlacedColumn } from '../wording/table/column.ts';
import { columnsTaken } from '../wording/table/flowing-cell.ts';

// NAME      STATUS      STAGE                          CPU   MEM  VERSION
// atlas     ● Active                                   36%   60%  1.4.2
// draco     ✖ Error     image pull failed: disk quota             1.4.2      the reason flows over empty cells,
//                       exceeded                                             and goes on in the next line

// A column grows to at most this width for a long text, so that the other lines are not torn apart.
const maxPaddedWidth = 40;

// In output to a pipe, names are cut at this length, so that none fills a screen. With --json, nothing is cut.
const maxCellWidth = 200;

// A reason may take this number of lines of a terminal. Its end is cut, and `crowsnest show` prints all of it.
const maxLinesOfCell = 4;

/** The text of a cell, and its width. */
export type PlainCell = { text: string; width: number };

/** The cells of one line, and the text before them. */
export type PlainLine = { before: string; cells: readonly PlainCell[] };

type CellOptions = { isTerminal: boolean; mayContinue: boolean; theme: Theme };

/**
 * Returns a cell. On a terminal it is cut to its column, unless its text may continue behind it. In a pipe, the text
 * that may continue is whole, however long it is.
 */
export function plainCell(
	spans: readonly Span[],
	placed: PlacedColumn | undefined,
	{ isTerminal, mayContinue, theme }: CellOptions,
): PlainCell {
	if (isTerminal && !mayContinue) {
		const { width: columnWidth = 0, column } = placed ?? {};
		const text = textOf(fitToWidth(spans, columnWidth, theme, column?.align));
		return { text, width: columnWidth };
	}
	const width = widthOf(spans, theme);
	return width > maxCellWidth && !mayContinue
		? { text: textOf(cutWithEllipsis(spans, maxCellWidth, theme)), width: maxCellWidth }
		: { text: textOf(spans), width };
}

type Output = { placed: readonly PlacedColumn[]; width: number; theme: Theme };

/**
 * Returns the columns with the widths that their cells need. On a terminal, the cells share the room that the columns
 * leave. In a pipe, the cells have the width that they need.
 */
export function widened(lines: readonly PlainLine[], { placed, width }: Output): Output['placed'] {
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

/** Joins the cells of a line for a pipe. A text that is too long for its column shifts the later cells of its line. */
export function joinedLine({ before, cells }: PlainLine, placed: Output['placed']): string {
	let line = before;
	/** The blanks before the next text. Those behind the last text are left out. */
	let blankCount = 0;
	for (let at = 0; at < cells.length; at++) {
		const { text, width: needed } = cells[at] as PlainCell;
		const { gap, width, column } = placed[at] as PlacedColumn;
		const padding = width > needed ? width - needed : 0;
		blankCount += column.align === 'right' ? gap + padding : gap;
		if (text !== '') {
			line += blanks(blankCount) + text;
			blankCount = 0;
		}
		if (column.align !== 'right') blankCount += padding;
	}
	return cleanForTerminal(line);
}

/**
 * Joins the cells of a line for a terminal. A text that is too long for its column flows over the empty cells to its
 * right and goes on in the lines below.
 */
export function joinedLines({ before, cells }: PlainLine, output: Output): readonly string[] {
	const { placed, width, theme } = output;
	const isEmpty = (at: number) => cells[at]?.text.trim() === '';
	let line = before;
	const below: string[] = [];
	for (let at = 0; at < cells.length; ) {
		const { text, width: needed } = cells[at] as PlainCell;
		const { gap, column } = placed[at] as PlacedColumn;
		const taken = columnsTaken(placed, at, needed, isEmpty);
		line += ' '.repeat(gap);
		const isWrapped = needed > taken.width;
		const shown = isWrapped ? (wrapText(text, taken.width, theme)[0] ?? '') : text;
		if (isWrapped) {
			const indent = theme.ruler.width(line);
			const room = Math.max(taken.width, width - indent);
			const rest = linesBelow(text.slice(shown.length).trimStart(), room, theme);
			below.push(...rest.map(each => (' '.repeat(indent) + cleanForTerminal(each)).trimEnd()));
		}
		const padding = ' '.repeat(Math.max(0, taken.width - theme.ruler.width(shown)));
		line += column.align === 'right' ? padding + shown : shown + padding;
		at += taken.count;
	}
	return [cleanForTerminal(line), ...below];
}

/** Wraps the rest of a text. If it takes too many lines, its end is cut. */
function linesBelow(text: string, width: number, theme: Theme): readonly string[] {
	const lines = wrapText(text, width, theme);
	const last = maxLinesOfCell - 1;
	if (lines.length <= last) return lines;
	const end = lines.slice(last - 1).join(' ');
	return [...lines.slice(0, last - 1), textOf(cutWithEllipsis([[end]], width, theme))];
}
