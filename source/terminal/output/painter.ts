import {
	blankCell,
	blankLine,
	type CellLine,
	codesBetween,
	type Grid,
	isSameCell,
	isSameLine,
} from './cells.ts';
import { hasKnownWidth } from './character-width.ts';

export type Painter = ReturnType<typeof createPainter>;

/** Terminals show everything between these two sequences at once. */
const beginUpdate = '\u001B[?2026h';
const endUpdate = '\u001B[?2026l';

/** Where the cursor is after a glyph in the last column, or after one on whose width terminals disagree. */
const unknown = -1;

export function createPainter(capabilities: () => { hasLinks: boolean; hasUnicode: boolean }) {
	let shown: Grid | undefined;
	let text = '';
	let [x, y] = [unknown, unknown];
	let [style, link] = ['', ''];

	return {
		paint(grid: Grid): string {
			text = '';
			const isSized = shown?.columns === grid.columns && shown.lines.length === grid.lines.length;
			const before = shown && isSized ? scrolled(shown.lines, grid) : erased(grid);
			for (const [row, line] of grid.lines.entries())
				if (before[row] !== line) paintRow(before[row] ?? [], line, row);
			shown = grid;
			return text === '' ? '' : beginUpdate + text + endUpdate;
		},
		forgetShownGrid() {
			shown = undefined;
		},
	};

	// Both return the lines that the screen shows afterwards.

	function erased({ columns, lines }: Grid): readonly CellLine[] {
		setLook(blankCell);
		text += '\u001B[?25l\u001B[m\u001B[H\u001B[J';
		[x, y] = [0, 0];
		return lines.map(() => blankLine(columns));
	}

	function scrolled(before: readonly CellLine[], { columns, lines }: Grid): readonly CellLine[] {
		const shift = findShift(before, lines);
		if (!shift) return before;
		const { top, bottom, by } = shift;
		const count = Math.abs(by);
		setLook(blankCell);
		// Rows are deleted at one end of the part that moves and inserted at the other.
		moveTo(0, by > 0 ? top : bottom - count);
		text += `\u001B[${count}M`;
		moveTo(0, by > 0 ? bottom - count : top);
		text += `\u001B[${count}L`;
		return before.map((line, row) => {
			if (row < top || row >= bottom) return line;
			const from = row + by;
			return (from >= top && from < bottom && before[from]) || blankLine(columns);
		});
	}

	function paintRow(before: CellLine, line: CellLine, row: number): void {
		const tail = line.findLastIndex(cell => !isSameCell(cell, blankCell)) + 1;
		// The cells before this column are written again: a glyph of uncertain width may have covered them.
		let covered = 0;
		for (let at = 0; at < line.length; at++) {
			if (at >= covered && isSameCell(line[at], before[at])) continue;
			if (at >= tail) {
				moveTo(at, row);
				setLook(blankCell);
				text += '\u001B[K';
				return;
			}
			while (at > 0 && line[at]?.glyph === '') at -= 1;
			moveTo(at, row);
			const { glyph } = line[at] ?? blankCell;
			if (!hasKnownWidth(glyph)) covered = at + 2 * glyph.length;
			at = write(line, at, row) - 1;
		}
	}

	function write(line: CellLine, at: number, row: number): number {
		const cell = line[at] ?? blankCell;
		const glyph = capabilities().hasUnicode
			? cell.glyph
			: cell.glyph.replace(/[^\x20-\x7e]+/g, '?');
		let end = at + 1;
		while (line[end]?.glyph === '') end += 1;
		setLook(cell);
		if (hasKnownWidth(cell.glyph)) {
			text += glyph;
			x = end < line.length ? end : unknown;
			return end;
		}
		// Terminals disagree on the width, so the cells are cleared first, and the cursor is moved to what follows.
		text += ' '.repeat(end - at);
		x = unknown;
		moveTo(at, row);
		text += glyph;
		x = unknown;
		return end;
	}

	function setLook(wanted: { style: string; link: string }): void {
		if (capabilities().hasLinks && wanted.link !== link) {
			link = wanted.link;
			text += `\u001B]8;${link || ';'}\u001B\\`;
		}
		if (wanted.style === style) return;
		text += `\u001B[${codesBetween(style, wanted.style)}m`;
		style = wanted.style;
	}

	function moveTo(column: number, row: number): void {
		if (x !== column || y !== row) text += `\u001B[${row + 1};${column + 1}H`;
		[x, y] = [column, row];
	}
}

const minScrolledRows = 3;

/** Rows from `top` to before `bottom` that move up by some rows, or down by as many if it is negative. */
type Shift = { top: number; bottom: number; by: number };

function findShift(before: readonly CellLine[], lines: readonly CellLine[]): Shift | undefined {
	const isChanged = lines.map((line, row) => !isSameLine(before[row], line));
	if (isChanged.filter(Boolean).length < minScrolledRows) return undefined;
	let best: Shift | undefined;
	let most = minScrolledRows - 1;
	for (let by = 1 - lines.length; by < lines.length; by++) {
		const end = Math.min(lines.length, lines.length - by);
		let start = Math.max(0, -by);
		let saved = 0;
		for (let row = start; row <= end && end - start > most; row++) {
			const line = lines[row];
			if (line && row < end && isSameLine(before[row + by], line)) {
				if (isChanged[row]) saved += 1;
				continue;
			}
			if (saved > most) {
				most = saved;
				best = { top: Math.min(start, start + by), bottom: Math.max(row, row + by), by };
			}
			start = row + 1;
			saved = 0;
		}
	}
	return best;
}
