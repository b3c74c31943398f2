import { type CursorWriter, unknownPosition } from './cursor-writer.ts';
import { createBlankLine, type Grid } from './grid.ts';
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

/** The rough comparison divides each row into parts of so many cells. */
const cellsPerPart = 24;

/** A distance that saves a smaller share of the changed parts is not compared cell by cell. */
const minSavedShareOfParts = 1 / 16;

/** The cells of a row, or the numbers of its parts. */
type Numbers = readonly number[];

/**
 * Finds the block of rows that the terminal already shows higher or lower. Each distance between two changed
 * rows is tried, and judged by the run of rows that saves the most cells.
 */
export function findRowShift(currentGrid: Grid, nextGrid: Grid): RowShift | undefined {
	const differences = nextGrid.lines.map((line, y) => {
		const shown = currentGrid.lines[y];
		return line === shown ? 0 : countDifferences(shown?.cells, line.cells);
	});
	if (!haveRowsMoved(differences, nextGrid.columns)) return undefined;
	const before = currentGrid.lines.map(({ cells }) => cells);
	const after = nextGrid.lines.map(({ cells }) => cells);
	const changedCells = differences.reduce((sum, count) => sum + count, 0);
	let bestGain = Math.max(minSavedCells, changedCells * minSavedPart);
	const promising = promisingDistances(before, after, differences);
	if (promising.length === 0) return undefined;

	const blank = createBlankLine(nextGrid.columns).cells;
	let best: RowShift | undefined;
	for (const by of promising) {
		forEachRun(before, after, differences, by, (start, end, gain) => {
			// The block includes the rows that are pushed out. Blank rows appear at the other end of the block.
			const first = by > 0 ? end : start + by;
			const last = by > 0 ? end + by : start;
			const atBlankRow = isByOne(by) ? (differences[first] ?? 0) : 0;
			if (gain + atBlankRow <= bestGain) return;
			let net = gain;
			for (let row = first; row < last; row++) {
				net += (differences[row] ?? 0) - countDifferences(blank, after[row]);
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
const haveRowsMoved = (differences: Numbers, columns: number) =>
	differences.filter(count => count * 5 > columns).length >= 2;

/**
 * Returns the distances that seem to save the most cells, the best one first. A distance upwards has the sign of
 * `rowsUp`. Rows are compared by their parts, and distances that save far too few of them are left out.
 */
function promisingDistances(
	before: readonly Numbers[],
	after: readonly Numbers[],
	differences: Numbers,
): Numbers {
	const rows = after.length;
	const comparison = compareParts(before, after);
	const areFound = distancesBetween(differences);
	const promising: { by: number; saved: number }[] = [];
	for (let by = -rows; by < rows; by++) {
		if (areFound[rows + by] !== 1) continue;
		const saved = comparison.mostSaved(by);
		if (saved > comparison.changed * minSavedShareOfParts) promising.push({ by, saved });
	}
	promising.sort((a, b) => b.saved - a.saved);
	return promising.slice(0, maxDistancesComparedExactly).map(({ by }) => by);
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

/** Compares all rows by their parts. Each part is one number: equal parts have the same number, and others mostly not. */
function compareParts(before: readonly Numbers[], after: readonly Numbers[]) {
	const rows = after.length;
	const parts = Math.ceil((after[0]?.length ?? 0) / cellsPerPart);
	const [partsBefore, partsAfter] = [partsOf(before, parts), partsOf(after, parts)];
	const unshifted = Array.from({ length: rows }, (_, y) => differencesAt(y, y));

	function differencesAt(rowBefore: number, rowAfter: number): number {
		let count = 0;
		const offset = (rowBefore - rowAfter) * parts;
		const end = (rowAfter + 1) * parts;
		for (let at = rowAfter * parts; at < end; at++) {
			if (partsBefore[at + offset] !== partsAfter[at]) count += 1;
		}
		return count;
	}

	return {
		changed: unshifted.reduce((sum, count) => sum + count, 0),
		/** Returns how many parts the best run of rows saves if the terminal shifts it by `rowsUp` rows. */
		mostSaved(rowsUp: number): number {
			let gain = 0;
			let most = 0;
			for (let y = Math.max(0, -rowsUp); y < Math.min(rows, rows - rowsUp); y++) {
				const ofRow = unshifted[y] ?? 0;
				if (gain === 0 && ofRow === 0) continue;
				gain = Math.max(0, gain + ofRow - differencesAt(y + rowsUp, y));
				if (gain > most) most = gain;
			}
			return most;
		},
	};
}

function partsOf(rows: readonly Numbers[], partsPerRow: number): Int32Array {
	const parts = new Int32Array(rows.length * partsPerRow);
	let next = 0;
	for (const cells of rows) {
		for (let start = 0; start < cells.length; start += cellsPerPart) {
			const end = Math.min(cells.length, start + cellsPerPart);
			let part = 0;
			for (let at = start; at < end; at++) part = Math.imul(part, 31) + (cells[at] ?? 0);
			parts[next] = part;
			next += 1;
		}
	}
	return parts;
}

/**
 * Calls a function for each run of rows that is cheaper to draw after a shift by `rowsUp` rows, with the number of
 * cells that are saved. A frame has many runs, so none of them becomes an object.
 */
function forEachRun(
	before: readonly Numbers[],
	after: readonly Numbers[],
	unshiftedDifferences: Numbers,
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

function countDifferences(a: Numbers | undefined, b: Numbers | undefined): number {
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
