import { type CursorWriter, unknownPosition } from './cursor-writer.ts';
import {
	copyRow,
	createCellNumbering,
	createGrid,
	fillRowWithSpaces,
	type Grid,
	isSameCell,
} from './grid.ts';
import { plainStyle, styleChange } from './style.ts';

/**
 * A move of the rows from `top` to just before `bottom`: up by `rowsUp` rows, or down if `rowsUp` is
 * negative.
 */
type RowShift = { top: number; bottom: number; rowsUp: number };

/** A shift must save more cells than this, because its own sequences take bytes too. */
const minSavedCells = 30;

/** A first, rough comparison of rows joins this many cells into one. */
const cellsPerRoughCell = 8;

/** This many of the best distances of the rough comparison are then compared cell by cell. */
const maxDistancesComparedExactly = 3;

/** A grid with a number for each cell. Cells with different numbers look different. */
type NumberedCells = { numbers: Int32Array; columns: number };

/**
 * Finds the block of rows that the terminal already shows higher or lower. Each distance is tried, and
 * judged by the run of rows that saves the most cells.
 */
export function findRowShift(currentGrid: Grid, nextGrid: Grid): RowShift | undefined {
	const { rows, columns } = nextGrid;
	if (!hasMovedRows(currentGrid, nextGrid)) return undefined;
	const codesOf = createCellNumbering();
	const inCells = (grid: Grid): NumberedCells => ({ numbers: codesOf(grid), columns });
	const [before, after] = [inCells(currentGrid), inCells(nextGrid)];
	const unshiftedDifferences = mapRows(rows, y => countDifferentCells(before, y, after, y));
	const [roughBefore, roughAfter] = [joinNeighbouringCells(before), joinNeighbouringCells(after)];
	const roughUnshifted = mapRows(rows, y => countDifferentCells(roughBefore, y, roughAfter, y));
	const promising: { rowsUp: number; savedCells: number }[] = [];
	for (let by = 1 - rows; by < rows; by++) {
		if (by === 0) continue;
		let gain = 0;
		forEachRun(roughBefore, roughAfter, roughUnshifted, by, run => {
			gain = Math.max(gain, run.savedCells);
		});
		if (gain > 0) promising.push({ rowsUp: by, savedCells: gain });
	}
	promising.sort((a, b) => b.savedCells - a.savedCells);

	const blank = inCells(createGrid(columns, 1));
	let best: RowShift | undefined;
	let bestGain = minSavedCells;
	for (const { rowsUp: by } of promising.slice(0, maxDistancesComparedExactly)) {
		forEachRun(before, after, unshiftedDifferences, by, ({ start, end, savedCells: gain }) => {
			if (gain <= bestGain) return;
			// The block includes the rows that are pushed out. Blank rows appear at the other end of the block.
			const [first, last] = by > 0 ? [end, end + by] : [start + by, start];
			let net = gain;
			for (let row = first; row < last; row++) {
				net += (unshiftedDifferences[row] ?? 0) - countDifferentCells(blank, 0, after, row);
			}
			if (net <= bestGain) return;
			bestGain = net;
			best =
				by > 0 ? { top: start, bottom: last, rowsUp: by } : { top: first, bottom: end, rowsUp: by };
		});
	}
	return best;
}

/** Whether at least two rows changed so much that they may have moved from elsewhere. */
function hasMovedRows(currentGrid: Grid, nextGrid: Grid): boolean {
	const { rows, columns } = nextGrid;
	let moved = 0;
	for (let y = 0; y < rows; y++) {
		let count = 0;
		for (let at = y * columns; at < (y + 1) * columns; at++) {
			if (!isSameCell(currentGrid, at, nextGrid, at)) count += 1;
		}
		if (count * 5 > columns) moved += 1;
		if (moved === 2) return true;
	}
	return false;
}

const mapRows = (rowCount: number, valueOfRow: (row: number) => number) =>
	Array.from({ length: rowCount }, (_, row) => valueOfRow(row));

type RowRun = { start: number; end: number; savedCells: number };

/**
 * Calls back for each run of rows that is cheaper to draw after a shift by `rowsUp` rows, with the number of
 * cells that need not be written.
 */
function forEachRun(
	before: NumberedCells,
	after: NumberedCells,
	unshiftedDifferences: readonly number[],
	rowsUp: number,
	onRun: (run: RowRun) => void,
) {
	const rows = unshiftedDifferences.length;
	let gain = 0;
	let start = 0;
	for (let y = Math.max(0, -rowsUp); y < Math.min(rows, rows - rowsUp); y++) {
		if (gain <= 0) {
			gain = 0;
			start = y;
		}
		gain += (unshiftedDifferences[y] ?? 0) - countDifferentCells(before, y + rowsUp, after, y);
		if (gain > 0) onRun({ start, end: y + 1, savedCells: gain });
	}
}

function countDifferentCells(
	a: NumberedCells,
	rowA: number,
	b: NumberedCells,
	rowB: number,
): number {
	const { columns } = a;
	let count = 0;
	for (let x = 0; x < columns; x++) {
		if (a.numbers[rowA * columns + x] !== b.numbers[rowB * columns + x]) count += 1;
	}
	return count;
}

/** Joins the numbers of `cellsPerRoughCell` neighbouring cells into one number. */
function joinNeighbouringCells({ numbers, columns }: NumberedCells): NumberedCells {
	const count = Math.ceil(columns / cellsPerRoughCell);
	const rough = new Int32Array((numbers.length / columns) * count);
	for (let at = 0; at < numbers.length; at++) {
		const column = at % columns;
		const place = ((at - column) / columns) * count + Math.floor(column / cellsPerRoughCell);
		rough[place] = Math.imul(rough[place] ?? 0, 31) + (numbers[at] ?? 0);
	}
	return { numbers: rough, columns: count };
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
	const isAtBottom = bottom === currentGrid.rows;
	if (by > 0 || !isAtBottom)
		writer.text += `${moveToLine(deleted)}\u001B[${countParameter(count)}M`;
	if (by < 0 || !isAtBottom)
		writer.text += `${moveToLine(inserted)}\u001B[${countParameter(count)}L`;
	writer.x = unknownPosition;
	writer.y = unknownPosition;

	const after = createGrid(currentGrid.columns, currentGrid.rows);
	for (let y = 0; y < currentGrid.rows; y++) {
		const isInside = y >= top && y < bottom;
		const from = isInside ? y + by : y;
		if (isInside && (from < top || from >= bottom)) fillRowWithSpaces(after, y);
		else copyRow(currentGrid, from, after, y);
	}
	return after;
}

const moveToLine = (row: number) => `\u001B[${row === 0 ? '' : row + 1}H`;
const countParameter = (count: number) => (count === 1 ? '' : count);
