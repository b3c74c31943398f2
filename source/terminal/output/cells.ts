import { cellsOf, charactersOf } from '../../lines/span.ts';
import { plainWidth } from './character-width.ts';

/** The cell behind a wide glyph has an empty glyph. */
export type Cell = {
	readonly glyph: string;
	/** The parameters of the sequence that sets the colours and attributes, such as `1;38;5;80`; empty for plain text. */
	readonly style: string;
	/** The parameters and address of a link, as `OSC 8` has them; empty without a link. */
	readonly link: string;
};

export type CellLine = readonly Cell[];

/** Every line has `columns` cells. */
export type Grid = { readonly columns: number; readonly lines: readonly CellLine[] };

export const blankCell: Cell = { glyph: ' ', style: '', link: '' };

export const isSameCell = (a: Cell | undefined, b: Cell | undefined) =>
	a === b || (a?.glyph === b?.glyph && a?.style === b?.style && a?.link === b?.link);

export const isSameLine = (a: CellLine | undefined, b: CellLine) =>
	a === b || (a?.length === b.length && b.every((cell, x) => isSameCell(cell, a[x])));

export const blankLine = (columns: number): CellLine => new Array<Cell>(columns).fill(blankCell);

export function resizedGrid(grid: Grid, columns: number, rows: number): Grid {
	if (grid.columns === columns && grid.lines.length === rows) return grid;
	const lines = Array.from({ length: rows }, (_, y) =>
		overwritten(blankLine(columns), 0, grid.lines[y] ?? []),
	);
	return { columns, lines };
}

/** Where only half of a wide glyph fits or is covered, the other half becomes a blank. */
export function overwritten(before: CellLine, x: number, cells: CellLine): CellLine {
	const end = Math.min(before.length, x + cells.length);
	if (end <= x) return before;
	const line = [...before];
	if (line[x]?.glyph === '' && x > 0) line[x - 1] = blankCell;
	if (line[end]?.glyph === '') line[end] = blankCell;
	for (let at = Math.max(0, x); at < end; at++) line[at] = cells[at - x] ?? blankCell;
	if (cells[end - x]?.glyph === '') line[end - 1] = { ...(line[end - 1] ?? blankCell), glyph: ' ' };
	return line;
}

// Styles, links, and other OSC sequences, which take no cell.
const sequence =
	/\u001B\[([\d;]*)m|\u001B\]8;([^;]*;[^\u0007\u001B\u009C]*)(?:\u0007|\u001B\\|\u009C)|\u001B\].*?(?:\u0007|\u001B\\|\u009C)/g;

export function readLine(text: string): CellLine {
	const cells: Cell[] = [];
	let codes: readonly string[] = [];
	let link = '';
	let start = 0;
	for (const { 0: whole, 1: sent, 2: target, index } of text.matchAll(sequence)) {
		pushText(cells, text.slice(start, index), codes.join(';'), link);
		if (sent !== undefined) codes = codesAfter(codes, sent);
		else if (target !== undefined) link = target === ';' ? '' : target;
		start = index + whole.length;
	}
	pushText(cells, text.slice(start), codes.join(';'), link);
	return cells;
}

/** The codes that lead from one style to another. */
export function codesBetween(before: string, after: string): string {
	if (after === '') return '';
	if (before === '') return after;
	if (after.startsWith(`${before};`)) return after.slice(before.length + 1);
	if (!before.startsWith(`${after};`)) return `0;${after}`;
	const ends = codesIn(before.slice(after.length + 1))
		.map(endOf)
		.join(';');
	// Bold and dim share their end.
	return codesAfter(codesIn(before), ends).join(';') === after ? ends : `0;${after}`;
}

const codesIn = (sent: string): readonly string[] =>
	sent.match(/[34]8;5;\d+|[34]8;2;\d+;\d+;\d+|\d+/g) ?? [];

function codesAfter(before: readonly string[], sent: string): readonly string[] {
	let codes = before;
	for (const code of sent === '' ? ['0'] : codesIn(sent)) {
		const end = endOf(code);
		if (code === '0') codes = [];
		else if (code === end) codes = codes.filter(each => endOf(each) !== end);
		else {
			const isColour = end === foregroundEnd || end === backgroundEnd;
			codes = [...codes.filter(each => each !== code && !(isColour && endOf(each) === end)), code];
		}
	}
	return codes;
}

const [foregroundEnd, backgroundEnd] = ['39', '49'];

/** The code that ends what another one starts. Both bold and dim end with 22. */
function endOf(code: string): string {
	const number = Number.parseInt(code, 10);
	if (number < 3) return '22';
	if (number < 30) return `${20 + (number % 20)}`;
	// Nothing of ours has these codes, so they change nothing.
	if (number >= 50 && number < 90) return code;
	return (number >= 40 && number < 50) || number >= 100 ? backgroundEnd : foregroundEnd;
}

/** Equal cells are the same object: a page is compared with the page before in half the time. */
const knownCells = new Map<string, Map<string, Cell>>();
const maxLooks = 500;

function cellsWithLook(style: string, link: string): (glyph: string) => Cell {
	if (knownCells.size > maxLooks) knownCells.clear();
	const look = `${style} ${link}`;
	const known = knownCells.get(look) ?? new Map<string, Cell>();
	knownCells.set(look, known);
	return glyph => {
		const cell = known.get(glyph) ?? { glyph, style, link };
		known.set(glyph, cell);
		return cell;
	};
}

function pushText(cells: Cell[], text: string, style: string, link: string): void {
	const begin = cells.length;
	const cellOf = cellsWithLook(style, link);
	for (const glyph of text) {
		const width = plainWidth(glyph.charCodeAt(0));
		if (width === 0) {
			cells.length = begin;
			for (const each of charactersOf(text)) pushGlyph(cells, each, cellOf);
			return;
		}
		cells.push(cellOf(glyph));
		if (width === 2) cells.push(cellOf(''));
	}
}

function pushGlyph(cells: Cell[], glyph: string, cellOf: (glyph: string) => Cell): void {
	if (/^\p{Default_Ignorable_Code_Point}+$/u.test(glyph)) return;
	const width = cellsOf(glyph);
	// A glyph without width, such as a mark without a letter, would change the cell before it.
	cells.push(cellOf(width === 0 ? ' ' : glyph));
	for (let more = width - 1; more > 0; more--) cells.push(cellOf(''));
}
