import { createCellCodes } from './cell-codes.ts';
import { blankRow, copyRow, createGrid, type Grid } from './grid.ts';
import { type Pen, unknown } from './pen.ts';
import { plain, styleChange } from './style.ts';

/** Rows `top` up to `bottom`, without it, move up by `by` rows, or down when it is negative. */
export type Shift = { top: number; bottom: number; by: number };

/** Below this many cells a shift costs more than it saves. */
const leastGain = 30;

/**
 * Finds the block of rows that are on the screen already, only higher or lower. For each distance it
 * looks for the run of rows that gain most by it, counted in cells that need not be written.
 */
export function findShift(shown: Grid, wanted: Grid): Shift | undefined {
	const { rows, columns } = wanted;
	const codesOf = createCellCodes();
	const [before, after] = [codesOf(shown), codesOf(wanted)];
	const unshifted = Array.from({ length: rows }, (_, y) =>
		differences(before, y, after, y, columns),
	);
	const changed = unshifted.filter(count => count * 5 > columns).length;
	if (changed < 2) return undefined;

	const blank = codesOf(createGrid(columns, 1));
	let best: Shift | undefined;
	let bestGain = leastGain;
	for (let by = 1 - rows; by < rows; by++) {
		if (by === 0) continue;
		let gain = 0;
		let start = 0;
		for (let y = Math.max(0, -by); y < Math.min(rows, rows - by); y++) {
			if (gain <= 0) {
				gain = 0;
				start = y;
			}
			const without = unshifted[y] ?? 0;
			gain += without - differences(before, y + by, after, y, columns);
			if (gain <= bestGain) continue;
			// The rows that are pushed out lie in the block too, and blank ones take their place.
			const [first, end] = by > 0 ? [y + 1, y + 1 + by] : [start + by, start];
			let net = gain;
			for (let row = first; row < end; row++) {
				net += (unshifted[row] ?? 0) - differences(blank, 0, after, row, columns);
			}
			if (net <= bestGain) continue;
			bestGain = net;
			best = by > 0 ? { top: start, bottom: end, by } : { top: first, bottom: y + 1, by };
		}
	}
	return best;
}

function differences(
	a: Float64Array,
	rowA: number,
	b: Float64Array,
	rowB: number,
	columns: number,
): number {
	let count = 0;
	for (let x = 0; x < columns; x++) {
		if (a[rowA * columns + x] !== b[rowB * columns + x]) count += 1;
	}
	return count;
}

/** Deletes lines at one end of the block and inserts as many at the other, which every terminal
 *  knows; tells what is shown then. */
export function shift(pen: Pen, shown: Grid, { top, bottom, by }: Shift): Grid {
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
