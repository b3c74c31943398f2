import { type CursorWriter, unknown } from './cursor-writer.ts';
import { blankRow, copyRow, createCellCodes, createGrid, type Grid, isSameCell } from './grid.ts';
import { plain, styleChange } from './style.ts';

/** Rows `top` up to `bottom`, without it, move up by `by` rows, or down when it is negative. */
export type Shift = { top: number; bottom: number; by: number };

/** Below this many cells a shift costs more than it saves. */
const minGain = 30;

/** So many cells are first compared as one. */
const chunkSize = 8;

/** So many distances are looked at cell by cell. */
const maxCandidates = 3;

/** Numbers in rows: two that differ stand for something that looks different. */
type Codes = { numbers: Int32Array; columns: number };

/**
 * Finds the block of rows that are on the screen already, only higher or lower. For each distance it
 * looks for the run of rows that gain most by it, counted in cells that need not be written.
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
			// The rows that are pushed out lie in the block too, and blank ones take their place.
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

/** Tells of each run of rows, from one to before another, what is gained if these are shifted. */
function eachRun(
	before: Codes,
	after: Codes,
	unshifted: readonly number[],
	by: number,
	tell: (run: Run) => void,
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
		if (gain > 0) tell({ start, end: y + 1, gain });
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

/** A number for several cells beside each other. */
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

/** Deletes lines at one end of the block and inserts as many at the other, which every terminal
 *  knows; tells what is shown then. */
export function scrollRows(pen: CursorWriter, shown: Grid, { top, bottom, by }: Shift): Grid {
	const count = Math.abs(by);
	const deleted = by > 0 ? top : bottom - count;
	const inserted = by > 0 ? bottom - count : top;
	// New lines get the background in use.
	pen.text += styleChange(pen.style, plain);
	pen.style = plain;
	// At the bottom of the screen lines fall off, or come in blank, without being asked to.
	const isAtBottom = bottom === shown.rows;
	if (by > 0 || !isAtBottom) pen.text += `${line(deleted)}\u001B[${number(count)}M`;
	if (by < 0 || !isAtBottom) pen.text += `${line(inserted)}\u001B[${number(count)}L`;
	pen.x = unknown;
	pen.y = unknown;

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
