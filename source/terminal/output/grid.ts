import { isSameStyle, isSameStyleOnSpaces, plainStyle, type Style } from './style.ts';

/**
 * One line of cells. A wide glyph is followed by an empty cell. A line is never changed. So frames can share equal
 * lines, and two lines that are the same object need not be compared.
 */
export type CellLine = { readonly glyphs: readonly string[]; readonly styles: readonly Style[] };

/** The cells of a screen, line by line. Every line has `columns` cells. */
export type Grid = { readonly columns: number; readonly lines: readonly CellLine[] };

export function createBlankLine(columns: number): CellLine {
	return {
		glyphs: new Array<string>(columns).fill(' '),
		styles: new Array<Style>(columns).fill(plainStyle),
	};
}

export function createBlankGrid(columns: number, rows: number): Grid {
	return { columns, lines: new Array<CellLine>(rows).fill(createBlankLine(columns)) };
}

/** Whether a cell of one line looks like a cell of another. */
export function isSameCell(a: CellLine, columnA: number, b: CellLine, columnB: number): boolean {
	const glyph = a.glyphs[columnA];
	if (glyph !== b.glyphs[columnB]) return false;
	const style = a.styles[columnA] ?? plainStyle;
	const other = b.styles[columnB] ?? plainStyle;
	return style === other || (glyph === ' ' ? isSameStyleOnSpaces : isSameStyle)(style, other);
}

export function isSameLine(a: CellLine, b: CellLine): boolean {
	if (a === b) return true;
	if (a.glyphs.length !== b.glyphs.length) return false;
	for (let x = 0; x < a.glyphs.length; x++) if (!isSameCell(a, x, b, x)) return false;
	return true;
}

export function isSameGrid(a: Grid, b: Grid): boolean {
	return (
		a.columns === b.columns &&
		a.lines.length === b.lines.length &&
		a.lines.every((line, y) => isSameLine(line, b.lines[y] ?? line))
	);
}

/** Returns the grid in another size, cut off or filled with spaces. */
export function resizedGrid(grid: Grid, columns: number, rows: number): Grid {
	if (grid.columns === columns && grid.lines.length === rows) return grid;
	const lines = grid.lines.slice(0, rows).map(line => resizedLine(line, columns));
	const blank = createBlankLine(columns);
	while (lines.length < rows) lines.push(blank);
	return { columns, lines };
}

/** Returns the line in another length. Half of a wide glyph becomes a space. */
export function resizedLine(line: CellLine, columns: number): CellLine {
	let end = Math.min(columns, line.glyphs.length);
	while (end > 0 && line.glyphs[end] === '') end -= 1;
	const { glyphs, styles } = createBlankLine(columns - end);
	return {
		glyphs: [...line.glyphs.slice(0, end), ...glyphs],
		styles: [...line.styles.slice(0, end), ...styles],
	};
}

/** Whether the cell looks like an erased cell. */
export function isBlankCell({ glyphs, styles }: CellLine, column: number): boolean {
	if (glyphs[column] !== ' ') return false;
	return isSameStyleOnSpaces(styles[column] ?? plainStyle, plainStyle);
}

/** Returns the end of the blank cells that begin in a column. */
export function endOfBlank(line: CellLine, start: number): number {
	let end = start;
	while (end < line.glyphs.length && isBlankCell(line, end)) end += 1;
	return end;
}

/** Returns the column from which the line is blank to its end. */
export function startOfBlankTail(line: CellLine): number {
	let tail = line.glyphs.length;
	while (tail > 0 && isBlankCell(line, tail - 1)) tail -= 1;
	return tail;
}
