import {
	flagsVisibleOnSpaces,
	isSameStyle,
	isSameStyleOnSpaces,
	plainStyle,
	type Style,
} from './style.ts';

/** The cells of a screen, row by row. A wide glyph is followed by empty cells. */
export type Grid = {
	readonly columns: number;
	readonly rows: number;
	readonly glyphs: string[];
	readonly styles: Style[];
};

export function createGrid(columns: number, rows: number): Grid {
	return {
		columns,
		rows,
		glyphs: new Array<string>(columns * rows).fill(' '),
		styles: new Array<Style>(columns * rows).fill(plainStyle),
	};
}

/** Whether a cell of one grid looks like a cell of another. */
export function isSameCell(a: Grid, indexA: number, b: Grid, indexB: number): boolean {
	const glyph = a.glyphs[indexA];
	if (glyph !== b.glyphs[indexB]) return false;
	const style = a.styles[indexA] ?? plainStyle;
	const other = b.styles[indexB] ?? plainStyle;
	return style === other || (glyph === ' ' ? isSameStyleOnSpaces : isSameStyle)(style, other);
}

export function isSameGrid(a: Grid, b: Grid): boolean {
	if (a.columns !== b.columns || a.rows !== b.rows) return false;
	for (let at = 0; at < a.glyphs.length; at++) if (!isSameCell(a, at, b, at)) return false;
	return true;
}

/** Returns the grid in another size, cut off or filled with spaces. Half of a wide glyph becomes a space. */
export function resizedGrid(grid: Grid, columns: number, rows: number): Grid {
	if (grid.columns === columns && grid.rows === rows) return grid;
	const fitted = createGrid(columns, rows);
	const width = Math.min(columns, grid.columns);
	for (let y = 0; y < Math.min(rows, grid.rows); y++) {
		let end = y * grid.columns + width;
		const start = y * grid.columns;
		if (width < grid.columns) while (end > start && grid.glyphs[end] === '') end -= 1;
		for (let at = start; at < end; at++) {
			fitted.glyphs[y * columns + at - start] = grid.glyphs[at] ?? ' ';
			fitted.styles[y * columns + at - start] = grid.styles[at] ?? plainStyle;
		}
	}
	return fitted;
}

export function copyRow(from: Grid, fromRow: number, to: Grid, toRow: number) {
	const source = fromRow * from.columns;
	const target = toRow * to.columns;
	for (let x = 0; x < to.columns; x++) {
		to.glyphs[target + x] = from.glyphs[source + x] ?? ' ';
		to.styles[target + x] = from.styles[source + x] ?? plainStyle;
	}
}

export function fillRowWithSpaces(grid: Grid, row: number) {
	const start = row * grid.columns;
	grid.glyphs.fill(' ', start, start + grid.columns);
	grid.styles.fill(plainStyle, start, start + grid.columns);
}

/**
 * No screen has more styles than this. The number of a cell is the number of its glyph times this, plus the
 * number of its style.
 */
const maxStyles = 4096;

/**
 * Creates a function that gives each cell of a grid a number. Cells that look the same have the same number,
 * so rows can be compared quickly by their numbers.
 */
export function createCellNumbering(): (grid: Grid) => Int32Array {
	const glyphs = new Map<string, number>();
	const numbers = new Map<string, number>();
	const onGlyphs = new Map<Style, number>();
	const onSpaces = new Map<Style, number>();

	function numberOf(style: Style, isBlank: boolean): number {
		const known = isBlank ? onSpaces : onGlyphs;
		let number = known.get(style);
		if (number !== undefined) return number;
		const key = styleKey(style, isBlank);
		number = numbers.get(key) ?? numbers.size;
		numbers.set(key, number);
		known.set(style, number);
		return number;
	}

	return ({ glyphs: cells, styles }) => {
		const codes = new Int32Array(cells.length);
		for (let at = 0; at < cells.length; at++) {
			const glyph = cells[at] ?? ' ';
			let number = glyphs.get(glyph);
			if (number === undefined) {
				number = glyphs.size;
				glyphs.set(glyph, number);
			}
			codes[at] = number * maxStyles + numberOf(styles[at] ?? plainStyle, glyph === ' ');
		}
		return codes;
	};
}

/** Returns a text that is equal for styles that look the same, by the rules of `isSameCell`. */
function styleKey({ foreground, background, flags, underline, link }: Style, isBlank: boolean) {
	const isBare = isBlank && link === '' && (flags & flagsVisibleOnSpaces) === 0;
	return isBare ? `${background}` : `${foreground};${background};${flags};${underline};${link}`;
}
