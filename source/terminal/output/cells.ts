import { cellsOf, charactersOf } from '../../lines/measure.ts';
import { plainWidth } from './character-width.ts';
import { linkedStyle, plainStyle, type Style, styleAfter, styleOnSpace } from './style.ts';

/** The cell behind a wide glyph has an empty glyph. Equal cells are mostly the same object. */
export type Cell = { readonly glyph: string; readonly style: Style };

export type CellLine = readonly Cell[];

/** Every line has `columns` cells. */
export type Grid = { readonly columns: number; readonly lines: readonly CellLine[] };

const cellsByStyle = new WeakMap<Style, Map<string, Cell>>();
const maxGlyphs = 2000;

/** A space keeps only the part of its style that shows. */
export function cellOf(glyph: string, style: Style): Cell {
	let cells = cellsByStyle.get(style);
	if (!cells || cells.size > maxGlyphs) {
		cells = new Map();
		cellsByStyle.set(style, cells);
	}
	let cell = cells.get(glyph);
	if (!cell) {
		cell = { glyph, style: glyph === ' ' ? styleOnSpace(style) : style };
		cells.set(glyph, cell);
	}
	return cell;
}

export const blankCell: Cell = { glyph: ' ', style: plainStyle };

export const isSameCell = (a: Cell | undefined, b: Cell | undefined) =>
	a === b || (a?.glyph === b?.glyph && a?.style === b?.style);

export const isSameLine = (a: CellLine | undefined, b: CellLine) =>
	a === b || (a?.length === b.length && b.every((cell, x) => isSameCell(cell, a[x])));

export const blankLine = (columns: number): CellLine => new Array<Cell>(columns).fill(blankCell);

export function resizedGrid(grid: Grid, columns: number, rows: number): Grid {
	if (grid.columns === columns && grid.lines.length === rows) return grid;
	const lines = Array.from({ length: rows }, (_, y) => {
		const line = [...blankLine(columns)];
		writeOver(line, 0, grid.lines[y] ?? []);
		return line;
	});
	return { columns, lines };
}

/** Where only half of a wide glyph fits or is covered, the other half becomes a blank. */
export function writeOver(line: Cell[], x: number, cells: CellLine): void {
	const end = Math.min(line.length, x + cells.length);
	if (end <= x) return;
	if (line[x]?.glyph === '' && x > 0) line[x - 1] = blankCell;
	if (line[end]?.glyph === '') line[end] = blankCell;
	for (let at = Math.max(0, x); at < end; at++) line[at] = cells[at - x] ?? blankCell;
	if (cells[end - x]?.glyph === '') line[end - 1] = cellOf(' ', line[end - 1]?.style ?? plainStyle);
}

// Styles, links, and other OSC sequences, which take no cell.
const sequence =
	/\u001B\[([\d;]*)m|\u001B\]8;([^;]*;[^\u0007\u001B\u009C]*)(?:\u0007|\u001B\\|\u009C)|\u001B\].*?(?:\u0007|\u001B\\|\u009C)/g;

export function readLine(text: string): CellLine {
	const cells: Cell[] = [];
	let style = plainStyle;
	let start = 0;
	for (const { 0: whole, 1: codes, 2: link, index } of text.matchAll(sequence)) {
		pushText(cells, text.slice(start, index), style);
		if (codes !== undefined) style = styleAfter(style, codes);
		else if (link !== undefined) style = linkedStyle(style, link);
		start = index + whole.length;
	}
	pushText(cells, text.slice(start), style);
	return cells;
}

function pushText(cells: Cell[], text: string, style: Style): void {
	const begin = cells.length;
	for (let at = 0; at < text.length; at++) {
		const width = plainWidth(text.charCodeAt(at));
		if (width === 0) {
			cells.length = begin;
			for (const glyph of charactersOf(text)) pushGlyph(cells, glyph, style);
			return;
		}
		cells.push(cellOf(text.charAt(at), style));
		if (width === 2) cells.push(cellOf('', style));
	}
}

function pushGlyph(cells: Cell[], glyph: string, style: Style): void {
	if (/^\p{Default_Ignorable_Code_Point}+$/u.test(glyph)) return;
	const width = cellsOf(glyph);
	// A glyph without width, such as a mark without a letter, would change the cell before it.
	cells.push(cellOf(width === 0 ? ' ' : glyph, style));
	for (let more = width - 1; more > 0; more--) cells.push(cellOf('', style));
}
