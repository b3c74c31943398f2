import { type CursorWriter, unknownPosition } from './cursor-writer.ts';
import { createBlankLine, type Grid, isSameCell } from './grid.ts';
import type { LineNumbering } from './line-numbering.ts';
import { plainStyle, styleChange } from './style.ts';

/**
 * A move of the rows from `top` to just before `bottom`: up by `rowsUp` rows, or down if `rowsUp` is
 * negative.
 */
type RowShift = { top: number; bottom: number; rowsUp: number };

/**
 * A shift must save more cells than this, because its own sequences take bytes too. It must also save this part of the
 * changed cells: the painter paints a frame with a shift and one without, to send the shorter one, which takes twice as
 * long. Scrolling by a few rows saves more than half of them. On another page of the table a shift saves less than a
 * fifth, because rows resemble each other, and then the two frames are about as long.
 */
const minSavedCells = 30;
const minSavedPart = 1 / 4;

/** How many of the best distances of the rough comparison are compared cell by cell. */
const maxDistancesComparedExactly = 3;

/** The numbers of all rows of a screen: of their cells, or of their groups of cells. */
type NumberedRows = readonly Int32Array[];

/**
 * Finds the block of rows that the terminal already shows higher or lower. Each distance between two changed
 * rows is tried, and judged by the run of rows that saves the most cells.
 */
export function findRowShift(
	currentGrid: Grid,
	nextGrid: Grid,
	{ numbered }: LineNumbering,
): RowShift | undefined {
	if (!hasMovedRows(currentGrid, nextGrid)) return undefined;
	const current = currentGrid.lines.map(numbered);
	const next = nextGrid.lines.map(numbered);
	const before = current.map(({ cells }) => cells);
	const after = next.map(({ cells }) => cells);
	const unshiftedDifferences = differencesOf(before, after);
	const changedCells = unshiftedDifferences.reduce((sum, count) => sum + count, 0);
	let bestGain = Math.max(minSavedCells, changedCells * minSavedPart);
	const promising = promisingDistances(
		current.map(({ groups }) => groups),
		next.map(({ groups }) => groups),
		distancesBetween(unshiftedDifferences),
	);

	const blank = numbered(createBlankLine(nextGrid.columns)).cells;
	const atBlank = after.map(row => countDifferences(blank, row));
	let best: RowShift | undefined;
	for (const by of promising) {
		forEachRun(before, after, unshiftedDifferences, by, (start, end, gain) => {
			// The block includes the rows that are pushed out. Blank rows appear at the other end of the block.
			const first = by > 0 ? end : start + by;
			const last = by > 0 ? end + by : start;
			const atBlankRow = isByOne(by) ? (unshiftedDifferences[first] ?? 0) : 0;
			if (gain + atBlankRow <= bestGain) return;
			let net = gain;
			for (let row = first; row < last; row++) {
				net += (unshiftedDifferences[row] ?? 0) - (atBlank[row] ?? 0);
			}
			if (net <= bestGain) return;
			bestGain = net;
			best =
				by > 0 ? { top: start, bottom: last, rowsUp: by } : { top: first, bottom: end, rowsUp: by };
		});
	}
	return best;
}

/**
 * Whether at least two rows changed so much that they may have moved from elsewhere. Styles count as well: the cheapest
 * way to move the cursor may be to shift its row with the colour of its blank cells.
 */
function hasMovedRows(currentGrid: Grid, nextGrid: Grid): boolean {
	const { columns, lines } = nextGrid;
	let moved = 0;
	for (let y = 0; y < lines.length; y++) {
		const before = currentGrid.lines[y];
		const line = lines[y];
		if (!before || !line || before === line) continue;
		let count = 0;
		for (let x = 0; x < columns; x++) if (!isSameCell(before, x, line, x)) count += 1;
		if (count * 5 > columns) moved += 1;
		if (moved === 2) return true;
	}
	return false;
}

/** Marks every distance between two rows that have differences. A distance upwards has the sign of `rowsUp`. */
function distancesBetween(differences: readonly number[]): Uint8Array {
	const rows = differences.length;
	const areFound = new Uint8Array(2 * rows);
	for (let from = 0; from < rows; from++) {
		if (differences[from] === 0) continue;
		for (let to = 0; to < rows; to++) if (differences[to] !== 0) areFound[rows + from - to] = 1;
	}
	areFound[rows] = 0;
	return areFound;
}

/** Returns the distances that seem to save the most cells, the best one first. */
function promisingDistances(
	before: NumberedRows,
	after: NumberedRows,
	areFound: Uint8Array,
): readonly number[] {
	const rows = after.length;
	const unshifted = differencesOf(before, after);
	const promising: { by: number; saved: number }[] = [];
	for (let by = -rows; by < rows; by++) {
		if (areFound[rows + by] === 0) continue;
		const saved = mostSaved(before, after, unshifted, by);
		if (saved > 0) promising.push({ by, saved });
	}
	promising.sort((a, b) => b.saved - a.saved);
	return promising.slice(0, maxDistancesComparedExactly).map(({ by }) => by);
}

/** Returns how many differences the best run of rows saves if the terminal shifts it by `rowsUp` rows. */
function mostSaved(
	before: NumberedRows,
	after: NumberedRows,
	unshiftedDifferences: readonly number[],
	rowsUp: number,
): number {
	const rows = unshiftedDifferences.length;
	let gain = 0;
	let most = 0;
	for (let y = Math.max(0, -rowsUp); y < Math.min(rows, rows - rowsUp); y++) {
		const shifted = countDifferences(before[y + rowsUp], after[y]);
		gain = Math.max(0, gain + (unshiftedDifferences[y] ?? 0) - shifted);
		if (gain > most) most = gain;
	}
	return most;
}

/**
 * Calls a function for each run of rows that is cheaper to draw after a shift by `rowsUp` rows, with the number of
 * cells that are saved. A frame has many runs, so none of them becomes an object.
 */
function forEachRun(
	before: NumberedRows,
	after: NumberedRows,
	unshiftedDifferences: readonly number[],
	rowsUp: number,
	onRun: (start: number, end: number, savedCells: number) => void,
) {
	const rows = unshiftedDifferences.length;
	let gain = 0;
	let start = 0;
	for (let y = Math.max(0, -rowsUp); y < Math.min(rows, rows - rowsUp); y++) {
		if (gain <= 0) {
			gain = 0;
			start = y;
		}
		const gainOfRow =
			(unshiftedDifferences[y] ?? 0) - countDifferences(before[y + rowsUp], after[y]);
		gain += gainOfRow;
		if (gain > 0) onRun(start, y + 1, gain);
		// A cursor that moves by one row takes its colours along. It is often cheapest to move this row alone.
		if (start < y && gainOfRow > 0 && isByOne(rowsUp)) onRun(y, y + 1, gainOfRow);
	}
}

const isByOne = (rowsUp: number) => Math.abs(rowsUp) === 1;

const differencesOf = (before: NumberedRows, after: NumberedRows): readonly number[] =>
	after.map((numbers, row) => countDifferences(before[row], numbers));

function countDifferences(a: Int32Array | undefined, b: Int32Array | undefined): number {
	if (a === b || !a || !b) return 0;
	let count = 0;
	for (let at = 0; at < b.length; at++) if (a[at] !== b[at]) count += 1;
	return count;
}

/**
 * Scrolls a block of rows by deleting lines at one end and inserting as many at the other, which works in
 * every terminal. Returns the grid that the terminal shows afterwards.
 */
export function scrollRows(
	writer: CursorWriter,
	currentGrid: Grid,
	{ top, bottom, rowsUp: by }: RowShift,
): Grid {
	const count = Math.abs(by);
	const deleted = by > 0 ? top : bottom - count;
	const inserted = by > 0 ? bottom - count : top;
	// Terminals fill inserted lines with the current background, so the style is reset first.
	writer.text += styleChange(writer.style, plainStyle);
	writer.style = plainStyle;
	// Scrolling deletes lines at one end of a region and inserts lines at the other. If the region reaches the
	// bottom of the screen, one of the two is enough, because the terminal does the other.
	const isAtBottom = bottom === currentGrid.lines.length;
	if (by > 0 || !isAtBottom)
		writer.text += `${moveToLine(deleted)}\u001B[${countParameter(count)}M`;
	if (by < 0 || !isAtBottom)
		writer.text += `${moveToLine(inserted)}\u001B[${countParameter(count)}L`;
	writer.x = unknownPosition;
	writer.y = unknownPosition;

	const blank = createBlankLine(currentGrid.columns);
	const lines = currentGrid.lines.map((line, y) => {
		if (y < top || y >= bottom) return line;
		const isFilled = y + by >= top && y + by < bottom;
		return (isFilled && currentGrid.lines[y + by]) || blank;
	});
	return { columns: currentGrid.columns, lines };
}

const moveToLine = (row: number) => `\u001B[${row === 0 ? '' : row + 1}H`;
const countParameter = (count: number) => (count === 1 ? '' : count);
