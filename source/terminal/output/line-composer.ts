import {
	blankCell,
	type CellLine,
	cellOf,
	glyphAt,
	type OpenLine,
	styleAt,
	unitAt,
} from './cells.ts';
import { createBlankLine } from './grid.ts';

/** A text on a line of the screen, from column `x`. Later pieces of a line cover earlier ones. */
export type Piece = { x: number; line: CellLine };

/**
 * Composes the lines of the screen from their pieces. If a line has the same pieces as in the previous frame, it is
 * the same object as before, so that only changed lines cost time.
 */
export function createLineComposer() {
	let blank = createBlankLine(0);
	let earlier: { pieces: readonly Piece[]; line: CellLine }[] = [];

	return (pieces: readonly Piece[], y: number, columns: number): CellLine => {
		if (blank.cells.length !== columns) {
			blank = createBlankLine(columns);
			earlier = [];
		}
		if (pieces.length === 0) return blank;
		const before = earlier[y];
		if (before && hasSamePieces(before.pieces, pieces)) return before.line;
		const line = composedLine(pieces, blank);
		earlier[y] = { pieces, line };
		return line;
	};
}

const hasSamePieces = (a: readonly Piece[], b: readonly Piece[]) =>
	a.length === b.length && a.every(({ x, line }, at) => x === b[at]?.x && line === b[at]?.line);

function composedLine(pieces: readonly Piece[], blank: CellLine): CellLine {
	const [first] = pieces;
	const isWhole = first?.x === 0 && first.line.cells.length === blank.cells.length;
	if (first && isWhole && pieces.length === 1) return first.line;
	const line: OpenLine = { cells: blank.cells.slice(), rareCells: [] };
	for (const { x, line: piece } of pieces) writeCells(line, x, piece);
	return line;
}

/**
 * Returns the cells between two columns. A wide glyph that is cut in half becomes a space with the style of the
 * glyph.
 */
export function sliceColumns(line: CellLine, from: number, to: number): CellLine {
	if (from <= 0 && to >= line.cells.length) return line;
	const end = Math.max(from, Math.min(to, line.cells.length));
	const slice = { cells: line.cells.slice(from, end), rareCells: [...line.rareCells] };
	replaceRest(slice, 0, 1);
	if (end < line.cells.length && unitAt(line, end) === 0) {
		const last = slice.cells.length - 1;
		const lead = replaceRest(slice, last, -1);
		if (lead >= 0) replaceBySpace(slice, lead);
	}
	return slice;
}

/** Writes a piece over a line. Where only half of a wide glyph is covered, the other half becomes a space. */
function writeCells(line: OpenLine, x: number, piece: CellLine) {
	const { cells } = line;
	const visible = sliceColumns(piece, Math.max(0, -x), cells.length - x);
	const { length } = visible.cells;
	if (length === 0) return;
	const start = Math.max(0, x);
	if (unitAt(line, start) === 0) replaceBySpace(line, replaceRest(line, start - 1, -1));
	replaceRest(line, start + length, 1);
	for (let index = 0; index < length; index++) {
		const cell = visible.cells[index] ?? blankCell;
		// The index of a rare cell is that of the piece.
		cells[start + index] =
			cell < 0 ? cellOf(glyphAt(visible, index), styleAt(visible, index), line.rareCells) : cell;
	}
}

/** Replaces cells without a glyph by spaces, from a column on. Returns the column of the first other cell. */
function replaceRest(line: OpenLine, from: number, step: 1 | -1): number {
	let at = from;
	for (; at >= 0 && at < line.cells.length && unitAt(line, at) === 0; at += step) {
		replaceBySpace(line, at);
	}
	return at;
}

function replaceBySpace(line: OpenLine, column: number) {
	line.cells[column] = cellOf(' ', styleAt(line, column), line.rareCells);
}
