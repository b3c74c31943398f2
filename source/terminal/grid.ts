import { isSameOnSpaces, isSameStyle, plain, type Style, visibleOnSpaces } from './style.ts';

/** The cells of a screen, row by row. A glyph that takes more cells is followed by empty ones. */
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
		styles: new Array<Style>(columns * rows).fill(plain),
	};
}

/** Whether a cell of the one grid looks like a cell of the other. */
export function isSameCell(a: Grid, atA: number, b: Grid, atB: number): boolean {
	const glyph = a.glyphs[atA];
	if (glyph !== b.glyphs[atB]) return false;
	const style = a.styles[atA] ?? plain;
	const other = b.styles[atB] ?? plain;
	return style === other || (glyph === ' ' ? isSameOnSpaces : isSameStyle)(style, other);
}

export function isSameGrid(a: Grid, b: Grid): boolean {
	if (a.columns !== b.columns || a.rows !== b.rows) return false;
	for (let at = 0; at < a.glyphs.length; at++) if (!isSameCell(a, at, b, at)) return false;
	return true;
}

/** The grid in another size: cut, or filled up with blanks. Half a glyph becomes a blank. */
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
			fitted.styles[y * columns + at - start] = grid.styles[at] ?? plain;
		}
	}
	return fitted;
}

export function copyRow(from: Grid, fromRow: number, to: Grid, toRow: number) {
	const source = fromRow * from.columns;
	const target = toRow * to.columns;
	for (let x = 0; x < to.columns; x++) {
		to.glyphs[target + x] = from.glyphs[source + x] ?? ' ';
		to.styles[target + x] = from.styles[source + x] ?? plain;
	}
}

export function blankRow(grid: Grid, row: number) {
	const start = row * grid.columns;
	grid.glyphs.fill(' ', start, start + grid.columns);
	grid.styles.fill(plain, start, start + grid.columns);
}

/** Far more than any screen has. */
const maxStyles = 4096;

/**
 * Gives every cell of some grids a number, the same for cells that look the same: whoever compares
 * each row with many others compares numbers.
 */
export function createCellCodes(): (grid: Grid) => Int32Array {
	const glyphs = new Map<string, number>();
	const looks = new Map<string, number>();
	const inked = new Map<Style, number>();
	const blank = new Map<Style, number>();

	function numberOf(style: Style, isBlank: boolean): number {
		const known = isBlank ? blank : inked;
		let number = known.get(style);
		if (number !== undefined) return number;
		const look = lookKey(style, isBlank);
		number = looks.get(look) ?? looks.size;
		looks.set(look, number);
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
			codes[at] = number * maxStyles + numberOf(styles[at] ?? plain, glyph === ' ');
		}
		return codes;
	};
}

/** What of a style can be seen, as `isSameCell` has it. */
function lookKey({ foreground, background, flags, underline, link }: Style, isBlank: boolean) {
	const isBare = isBlank && link === '' && (flags & visibleOnSpaces) === 0;
	return isBare ? `${background}` : `${foreground};${background};${flags};${underline};${link}`;
}
