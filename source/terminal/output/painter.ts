import { blankCell, blankLine, type CellLine, type Grid, isSameCell, isSameLine } from './cells.ts';
import { hasKnownWidth } from './character-width.ts';
import { isSameOnSpace, plainStyle, type Style, shownStyle, styleChange } from './style.ts';

export type Capabilities = { hasColours: boolean; hasLinks: boolean; lacksUnicode: boolean };

export type Painter = {
	/** Returns an empty text if the terminal shows this grid already. */
	paint(grid: Grid): string;
	forgetShownGrid(): void;
};

/** Terminals show everything between these two sequences at once. Shorter frames arrive in one piece without them. */
const beginUpdate = '\u001B[?2026h';
const endUpdate = '\u001B[?2026l';
const minSynchronisedLength = 1000;

/** Fewer unchanged cells than this between two changed ones are written again. */
const minSkippedCells = 5;

/** Rows are scrolled if at least this many that are not blank need not be written then. */
const minScrolledRows = 3;

/** Where the cursor is after a glyph in the last column, or after one on whose width terminals disagree. */
const unknown = -1;

export function createPainter(capabilities: () => Capabilities): Painter {
	let shown: Grid | undefined;
	let text = '';
	let x = unknown;
	let y = unknown;
	let style = plainStyle;

	return {
		paint(grid) {
			text = '';
			const isSized = shown?.columns === grid.columns && shown.lines.length === grid.lines.length;
			const before = shown && isSized ? scrolled(shown.lines, grid) : erased(grid);
			for (const [row, line] of grid.lines.entries())
				if (before[row] !== line) paintRow(before[row] ?? [], line, row);
			shown = grid;
			return isSized && text.length < minSynchronisedLength ? text : beginUpdate + text + endUpdate;
		},
		forgetShownGrid() {
			shown = undefined;
		},
	};

	// Both return the lines that the screen shows afterwards.

	function erased({ columns, lines }: Grid): readonly CellLine[] {
		text += `\u001B[?25l${styleChange(style, plainStyle)}\u001B[m\u001B[H\u001B[J`;
		[x, y, style] = [0, 0, plainStyle];
		return lines.map(() => blankLine(columns));
	}

	function scrolled(before: readonly CellLine[], { columns, lines }: Grid): readonly CellLine[] {
		const found = findShift(before, lines);
		if (!found) return before;
		const { top, bottom, by } = found;
		const count = Math.abs(by);
		setStyle(plainStyle);
		// Rows are deleted at one end of the part that moves and inserted at the other.
		moveTo(0, by > 0 ? top : bottom - count);
		text += `\u001B[${count}M`;
		moveTo(0, by > 0 ? bottom - count : top);
		text += `\u001B[${count}L`;
		const blank = blankLine(columns);
		return before.map((line, row) => {
			if (row < top || row >= bottom) return line;
			const from = row + by;
			return from >= top && from < bottom ? (before[from] ?? blank) : blank;
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
				setStyle(plainStyle);
				text += '\u001B[K';
				return;
			}
			while (at > 0 && line[at]?.glyph === '') at -= 1;
			approach(line, at, row);
			if (!hasKnownWidth(line[at]?.glyph ?? ' ')) covered = at + 2 * (line[at]?.glyph.length ?? 0);
			at = write(line, at, row) - 1;
		}
	}

	/** Moves the cursor to a column, or writes the few cells before it again, which takes as many bytes. */
	function approach(line: CellLine, column: number, row: number): void {
		const isNear = y === row && x !== unknown && x < column && column - x < minSkippedCells;
		if (isNear && line.slice(x, column).every(({ glyph }) => hasKnownWidth(glyph)))
			while (x < column) write(line, x, row);
		moveTo(column, row);
	}

	function write(line: CellLine, at: number, row: number): number {
		const { glyph, style: wanted } = line[at] ?? blankCell;
		let end = at + 1;
		while (line[end]?.glyph === '') end += 1;
		if (glyph !== ' ' || !isSameOnSpace(style, wanted)) setStyle(wanted);
		if (hasKnownWidth(glyph)) {
			text += shownGlyph(glyph);
			x = end < line.length ? end : unknown;
			return end;
		}
		// Terminals disagree on the width, so the cells are cleared first, and the cursor is moved to what follows.
		text += ' '.repeat(end - at);
		x = unknown;
		moveTo(at, row);
		text += shownGlyph(glyph);
		x = unknown;
		return end;
	}

	function setStyle(wanted: Style): void {
		const next = shownStyle(wanted, capabilities());
		text += styleChange(style, next);
		style = next;
	}

	function moveTo(column: number, row: number): void {
		if (x === column && y === row) return;
		text += moveBetween(x, y, column, row);
		[x, y] = [column, row];
	}

	/** Without Unicode, this program writes only ASCII, but Ink adds an ellipsis to each text that it cuts off. */
	function shownGlyph(glyph: string): string {
		if (!capabilities().lacksUnicode) return glyph;
		return glyph === '…' ? '~' : /^[\x20-\x7e]$/.test(glyph) ? glyph : '?';
	}
}

function moveBetween(fromX: number, fromY: number, x: number, y: number): string {
	if (fromY === y && x === 0) return '\r';
	if (fromY === y && fromX !== unknown && x > fromX)
		return `\u001B[${x - fromX === 1 ? '' : x - fromX}C`;
	if (fromY + 1 === y && x === 0) return '\r\n';
	if (x === 0) return `\u001B[${y === 0 ? '' : y + 1}H`;
	return `\u001B[${y === 0 ? '' : y + 1};${x + 1}H`;
}

/** Rows from `top` to before `bottom` that move up by some rows, or down by as many if it is negative. */
type Shift = { top: number; bottom: number; by: number };

/** Undefined where writing the rows anew takes no longer. */
function findShift(before: readonly CellLine[], lines: readonly CellLine[]): Shift | undefined {
	const isChanged = lines.map((line, row) => !isSameLine(before[row], line));
	if (isChanged.filter(Boolean).length < minScrolledRows) return undefined;
	const isBlank = lines.map(line => line.every(cell => isSameCell(cell, blankCell)));
	const countWhere = (from: number, to: number, changed: boolean) => {
		let count = 0;
		for (let row = from; row < to; row++)
			if (row in isBlank && !isBlank[row] && isChanged[row] === changed) count += 1;
		return count;
	};
	let best: Shift | undefined;
	let bestGain = minScrolledRows - 1;
	for (let by = 1 - lines.length; by < lines.length; by++) {
		if (by === 0) continue;
		for (let start = Math.max(0, -by); start < lines.length; ) {
			const isMoved = (row: number) => {
				const line = lines[row];
				return line !== undefined && row + by < before.length && isSameLine(before[row + by], line);
			};
			let end = start;
			while (isMoved(end)) end += 1;
			if (end === start) {
				start += 1;
				continue;
			}
			// The rows that are pushed out or come in anew are erased, so those of them that stay the same cost a row.
			const [top, bottom] = by > 0 ? [start, end + by] : [start + by, end];
			const lost = countWhere(top, start, false) + countWhere(end, bottom, false);
			const gain = countWhere(start, end, true) - lost;
			if (gain > bestGain) {
				bestGain = gain;
				best = { top, bottom, by };
			}
			start = end + 1;
		}
	}
	return best;
}
