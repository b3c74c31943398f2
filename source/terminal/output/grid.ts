import { blankCell, type CellLine, glyphAt, noRareCells, styleAt, unitAt } from './cells.ts';
import { isSameStyle } from './style.ts';

/** The cells of a screen, line by line. Every line has `columns` cells. */
export type Grid = { readonly columns: number; readonly lines: readonly CellLine[] };

const emptyLine: CellLine = { cells: [], rareCells: noRareCells };

export const createBlankLine = (columns: number): CellLine => resizedLine(emptyLine, columns);

export function createBlankGrid(columns: number, rows: number): Grid {
	return { columns, lines: new Array<CellLine>(rows).fill(createBlankLine(columns)) };
}

/** Whether a cell of one line looks like a cell of another. */
export function isSameCell(a: CellLine, columnA: number, b: CellLine, columnB: number): boolean {
	const cell = a.cells[columnA] ?? blankCell;
	const other = b.cells[columnB] ?? blankCell;
	if (cell >= 0 || other >= 0) return cell === other;
	return (
		glyphAt(a, columnA) === glyphAt(b, columnB) &&
		isSameStyle(styleAt(a, columnA), styleAt(b, columnB))
	);
}

export function isSameLine(a: CellLine, b: CellLine): boolean {
	if (a === b) return true;
	if (a.cells.length !== b.cells.length) return false;
	for (let x = 0; x < a.cells.length; x++) if (!isSameCell(a, x, b, x)) return false;
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
	let end = Math.min(columns, line.cells.length);
	while (end > 0 && end < line.cells.length && unitAt(line, end) === 0) end -= 1;
	const cells = line.cells.slice(0, end);
	while (cells.length < columns) cells.push(blankCell);
	return { cells, rareCells: line.rareCells };
}

/** Whether the cell looks like an erased cell. */
export const isBlankCell = ({ cells }: CellLine, column: number): boolean =>
	cells[column] === blankCell;

/** Returns the end of the blank cells that begin in a column. */
export function endOfBlank({ cells }: CellLine, start: number): number {
	let end = start;
	while (end < cells.length && cells[end] === blankCell) end += 1;
	return end;
}

/** Returns the column from which the line is blank to its end. */
export function startOfBlankTail({ cells }: CellLine): number {
	let tail = cells.length;
	while (tail > 0 && cells[tail - 1] === blankCell) tail -= 1;
	return tail;
}
