import { plainStyle, type Style, styleSeenOnSpace } from './style.ts';
import { numberedStyle, numberOfStyle } from './style-cache.ts';

/**
 * One line of cells. A cell is a number. Cells with equal numbers look the same, except rare cells of different lines:
 *
 *    number of the style × 65,536 + UTF-16 unit of the glyph     nearly all cells
 *    −1 − index in `rareCells`                                   a glyph of several units, or a style without a number
 *
 * Numbers are compared and copied faster than glyphs and styles, and take half of the memory. A wide glyph is followed by a cell
 * without a glyph. A line is never changed. So frames can share equal lines, and two lines that are the same object need not
 * be compared.
 */
export type CellLine = {
	readonly cells: readonly number[];
	readonly rareCells: readonly RareCell[];
};

export type RareCell = { readonly glyph: string; readonly style: Style };

/** The line that is being composed. */
export type OpenLine = { cells: number[]; rareCells: RareCell[] };

const unitsPerStyle = 0x10000;
const unitMask = unitsPerStyle - 1;

export const blankCell = 0x20;
export const noRareCells: readonly RareCell[] = [];

/** Returns the number of a cell without a glyph in this style; -1 for a rare style. */
export function styleBase(style: Style): number {
	const number = numberOfStyle(style);
	return number === undefined ? -1 : number * unitsPerStyle;
}

const spaceCells = new WeakMap<Style, number>();

/** Returns the number of a space in this style; -1 for a rare style. */
export function spaceCell(style: Style): number {
	let cell = spaceCells.get(style);
	if (cell === undefined) {
		const base = styleBase(styleSeenOnSpace(style));
		cell = base < 0 ? -1 : base + blankCell;
		spaceCells.set(style, cell);
	}
	return cell;
}

/** Returns the number of a space that keeps the whole style; -1 for a rare style. */
export function wholeSpaceCell(style: Style): number {
	const base = styleBase(style);
	return base < 0 ? -1 : base + blankCell;
}

/** Returns the number of a cell. A rare one is added to `rareCells`. */
export function cellOf(glyph: string, style: Style, rareCells: RareCell[]): number {
	const seen = glyph === ' ' ? styleSeenOnSpace(style) : style;
	const base = glyph.length > 1 ? -1 : styleBase(seen);
	if (base < 0) return -rareCells.push({ glyph, style: seen });
	return base + (glyph === '' ? 0 : glyph.charCodeAt(0));
}

/** Returns the UTF-16 unit of a glyph: 0 in a cell without a glyph, and -1 for a glyph of several units. */
export function unitAt({ cells, rareCells }: CellLine, column: number): number {
	const cell = cells[column] ?? blankCell;
	if (cell >= 0) return cell & unitMask;
	const glyph = rareCells[-1 - cell]?.glyph ?? '';
	return glyph.length > 1 ? -1 : glyph === '' ? 0 : glyph.charCodeAt(0);
}

export function glyphAt({ cells, rareCells }: CellLine, column: number): string {
	const cell = cells[column] ?? blankCell;
	if (cell < 0) return rareCells[-1 - cell]?.glyph ?? '';
	const unit = cell & unitMask;
	return unit === 0 ? '' : String.fromCharCode(unit);
}

/** Returns the style of a cell. For a space, it is the part of the style that a space shows. */
export function styleAt({ cells, rareCells }: CellLine, column: number): Style {
	const cell = cells[column] ?? blankCell;
	if (cell < 0) return rareCells[-1 - cell]?.style ?? plainStyle;
	return numberedStyle(cell >>> 16);
}
