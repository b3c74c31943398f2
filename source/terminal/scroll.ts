import { type CursorWriter, unknownPosition } from './cursor-writer.ts';
import { blankRow, copyRow, createCellCodes, createGrid, type Grid, isSameCell } from './grid.ts';
import { plain, styleChange } from './style.ts';

/** The rows from `top` to before `bottom` move up by `by` rows, or down if it is negative. */
export type Shift = { top: number; bottom: number; by: number };

/** A shift that saves fewer cells costs more than it saves. */
const minGain = 30;

/** In the first, rough comparison this many cells count as one. */
const chunkSize = 8;

/** This many distances are then compared cell by cell. */
const maxCandidates = 3;

/** A number for each cell; cells with different numbers look different. */
type Codes = { numbers: Int32Array; columns: number };

/**
 * Finds the block of rows that the terminal already shows, but higher or lower. For each distance it looks
 * for the run of rows that saves the most cells.
 */
export function findShift(shown: Grid, wanted: Grid): Shift | undefined {
	const { rows, columns } = wanted;
	if (!hasMovedRows(shown, wanted)) return undefined;
	const codesOf = createCellCodes();
	const inCells = (grid: Grid): Codes => ({ numbers: codesOf(grid), columns });
	const [before, after] = [inCells(shown), inCells(wanted)];
	const unshifted = rowsBy(rows, y => differences(before, y, after, y));
	const [roughBefore, roughAfter] = [inChunks(before), inChunks(after)];
	const roughUnshifted = rowsBy(rows, y => differences(roughBefore, y, roughAfter, y));
	const promising: { by: number; gain: number }[] = [];
	for (let by = 1 - rows; by < rows; by++) {
		if (by === 0) continue;
		let gain = 0;
		eachRun(roughBefore, roughAfter, roughUnshifted, by, run => {
			gain = Math.max(gain, run.gain);
		});
		if (gain > 0) promising.push({ by, gain });
	}
	promising.sort((a, b) => b.gain - a.gain);

	const blank = inCells(createGrid(columns, 1));
	let best: Shift | undefined;
	let bestGain = minGain;
	for (const { by } of promising.slice(0, maxCandidates)) {
		eachRun(before, after, unshifted, by, ({ start, end, gain }) => {
			if (gain <= bestGain) return;
			// Rows that are pushed out belong to the block too, and blank rows take their place.
			const [first, last] = by > 0 ? [end, end + by] : [start + by, start];
			let net = gain;
			for (let row = first; row < last; row++) {
				net += (unshifted[row] ?? 0) - differences(blank, 0, after, row);
			}
			if (net <= bestGain) return;
			bestGain = net;
			best = by > 0 ? { top: start, bottom: last, by } : { top: first, bottom: end, by };
		});
	}
	return best;
}

/** Whether more than one row has changed so much that it may have come from elsewhere. */
function hasMovedRows(shown: Grid, wanted: Grid): boolean {
	const { rows, columns } = wanted;
	let moved = 0;
	for (let y = 0; y < rows; y++) {
		let count = 0;
		for (let at = y * columns; at < (y + 1) * columns; at++) {
			if (!isSameCell(shown, at, wanted, at)) count += 1;
		}
		if (count * 5 > columns) moved += 1;
		if (moved === 2) return true;
	}
	return false;
}

const rowsBy = (rows: number, of: (row: number) => number) =>
	Array.from({ length: rows }, (_, row) => of(row));

type Run = { start: number; end: number; gain: number };

/** Calls back with the cells that each run of rows saves if it is shifted. */
function eachRun(
	before: Codes,
	after: Codes,
	unshifted: readonly number[],
	by: number,
	onRun: (run: Run) => void,
) {
	const rows = unshifted.length;
	let gain = 0;
	let start = 0;
	for (let y = Math.max(0, -by); y < Math.min(rows, rows - by); y++) {
		if (gain <= 0) {
			gain = 0;
			start = y;
		}
		gain += (unshifted[y] ?? 0) - differences(before, y + by, after, y);
		if (gain > 0) onRun({ start, end: y + 1, gain });
	}
}

function differences(a: Codes, rowA: number, b: Codes, rowB: number): number {
	const { columns } = a;
	let count = 0;
	for (let x = 0; x < columns; x++) {
		if (a.numbers[rowA * columns + x] !== b.numbers[rowB * columns + x]) count += 1;
	}
	return count;
}

/** Joins the numbers of neighbouring cells into one. */
function inChunks({ numbers, columns }: Codes): Codes {
	const count = Math.ceil(columns / chunkSize);
	const rough = new Int32Array((numbers.length / columns) * count);
	for (let at = 0; at < numbers.length; at++) {
		const column = at % columns;
		const place = ((at - column) / columns) * count + Math.floor(column / chunkSize);
		rough[place] = Math.imul(rough[place] ?? 0, 31) + (numbers[at] ?? 0);
	}
	return { numbers: rough, columns: count };
}

/**
 * Scrolls the block by deleting lines at one end and inserting as many at the other, which every terminal
 * can. Returns what is shown afterwards.
 */
export function scrollRows(writer: CursorWriter, shown: Grid, { top, bottom, by }: Shift): Grid {
	const count = Math.abs(by);
	const deleted = by > 0 ? top : bottom - count;
	const inserted = by > 0 ? bottom - count : top;
	// Inserted lines get the background in use, so it is reset first.
	writer.text += styleChange(writer.style, plain);
	writer.style = plain;
	// At the bottom of the screen one of the two is enough: lines fall off, or come in blank.
	const isAtBottom = bottom === shown.rows;
	if (by > 0 || !isAtBottom) writer.text += `${line(deleted)}\u001B[${number(count)}M`;
	if (by < 0 || !isAtBottom) writer.text += `${line(inserted)}\u001B[${number(count)}L`;
	writer.x = unknownPosition;
	writer.y = unknownPosition;

	const after = createGrid(shown.columns, shown.rows);
	for (let y = 0; y < shown.rows; y++) {
		const isInside = y >= top && y < bottom;
		const from = isInside ? y + by : y;
		if (isInside && (from < top || from >= bottom)) blankRow(after, y);
		else copyRow(shown, from, after, y);
	}
	return after;
}

const line = (row: number) => `\u001B[${row === 0 ? '' : row + 1}H`;
const number = (count: number) => (count === 1 ? '' : count);
