import type { Theme } from '../lines/theme.ts';
import { fitToWidth, type Span, widthOf } from './span.ts';

/**
 * The index of the line under the cursor, or -1 if the cursor is on no line; absent in a block without a cursor. A
 * block with a cursor is drawn one cell further right, after the cell of the cursor.
 */
type WithCursor = { cursorLine?: number };

/** The width of the cursor before the lines of a block. */
export const cursorWidth = 1;

/** A part of a view. Blocks are drawn from top to bottom. */
export type Block =
	| { type: 'lines'; lines: readonly (readonly Span[])[] }
	/** Values with their labels, and the lines in which they are laid out. */
	| { type: 'values'; values: readonly LabelledValue[]; lines: readonly (readonly Span[])[] }
	/** A drawing of values. Speech leaves it out. */
	| { type: 'chart'; lines: readonly (readonly Span[])[] }
	/**
	 * A long list of lines. Only the visible ones are built. Speech reads them without changing their words.
	 */
	| ({ type: 'list'; count: number; lineAt: (index: number) => readonly Span[] } & WithCursor)
	/** A web address, divided into one piece for each line. */
	| { type: 'link'; url: string; pieces: readonly string[] }
	| TableBlock
	/** Lines that are dark on light in every theme, for QR codes, and the texts beside these lines. */
	| { type: 'paper'; lines: readonly string[]; beside?: readonly (readonly Span[])[] }
	/** A spinner with a text, shown until the first data arrives. */
	| { type: 'waiting'; text: string };

/** Blocks that belong together. Blank lines separate sections if there is room for them. */
export type Section = readonly Block[];

export function blockHeight(block: Block): number {
	switch (block.type) {
		case 'lines':
		case 'values':
		case 'chart':
		case 'paper':
			return block.lines.length;
		case 'list':
			return block.count;
		case 'link':
			return block.pieces.length;
		case 'table':
			return 1 + block.rows.length;
		case 'waiting':
			return 1;
	}
}

/** Returns the height of the sections without the blank lines between them. */
export function sectionsHeight(sections: readonly Section[]): number {
	return sections.flat().reduce((sum, block) => sum + blockHeight(block), 0);
}

/** Returns how many lines are above the block with the cursor. */
export function cursorBlockTop(sections: readonly Section[]): number {
	const blocks = sections.flat();
	const at = blocks.findIndex(block => 'cursorLine' in block);
	return sectionsHeight([blocks.slice(0, Math.max(0, at))]);
}

/** Returns how many lines the lists of the sections and the tables with a cursor have, which are the lines that a filter leaves. */
export function listLineCount(sections: readonly Section[]): number {
	return sections.flat().reduce((sum, block) => {
		if (block.type === 'list') return sum + block.count;
		return block.type === 'table' && block.cursorLine !== undefined ? sum + block.rows.length : sum;
	}, 0);
}

const blankBlock: Block = { type: 'lines', lines: [[]] };

export function blocksThatFit(
	sections: readonly Section[],
	availableLines: number,
): readonly Block[] {
	const filled = sections.filter(section => section.length > 0);
	const isRoomy = sectionsHeight(filled) + filled.length - 1 <= availableLines;
	return filled.flatMap((section, at) => (at > 0 && isRoomy ? [blankBlock, ...section] : section));
}

/** A column of a small table, before its rows and the width decide whether it fits and how wide it is. */
type PlannedColumn = {
	/** The title, which must be unique within the table. */
	title: string;
	minWidth: number;
	/** The maximum width; by default the width of the column's widest text. */
	maxWidth?: number;
	/** Columns with higher numbers are dropped first when there is no room. */
	dropOrder: number;
	align?: 'right';
	/** Paints the text in exactly `width` cells. */
	draw?: (text: string, width: number, theme: Theme) => string;
};

type TableColumn = Pick<PlannedColumn, 'title' | 'align' | 'draw'> & { width: number };

export type TableBlock = WithCursor & {
	type: 'table';
	columns: readonly TableColumn[];
	/** The rows, each with one text for each column. */
	rows: readonly (readonly string[])[];
};

// The empty cells around each column: one before it, and one after it.
const columnPadding = 2;

/** Draws a line of a table: the titles for index 0, and then the rows. */
export function tableLine(
	{ columns, rows }: TableBlock,
	index: number,
	theme: Theme,
): readonly Span[] {
	return columns.flatMap(({ title, width, align, draw }, at): readonly Span[] => {
		const gap: readonly Span[] = at === 0 ? [] : [[' '.repeat(columnPadding)]];
		if (index === 0) return [...gap, ...fitToWidth([[title, 'faint']], width, theme, align)];
		const text = rows[index - 1]?.[at] ?? '';
		if (draw) return [...gap, [draw(text, width, theme)]];
		return [...gap, ...fitToWidth([[text]], width, theme, align)];
	});
}

/** Fits the table into `width` cells: columns are dropped first, then shrunk. */
export function fitTable(
	columns: readonly PlannedColumn[],
	rows: readonly (readonly string[])[],
	width: number,
	{ ruler }: Theme,
): TableBlock {
	let chosen = columns.map((column, at) => {
		const texts = rows.map(row => row[at] ?? '');
		const widest = texts.reduce((width, text) => Math.max(width, ruler.width(text)), 0);
		const natural = Math.max(column.maxWidth ?? widest, ruler.width(column.title));
		return { column, at, natural, width: Math.min(column.minWidth, natural) };
	});
	const totalWidth = () => chosen.reduce((sum, entry) => sum + entry.width + columnPadding, 0);
	while (chosen.length > 1 && totalWidth() > width) {
		const highest = Math.max(...chosen.map(({ column }) => column.dropOrder));
		const dropped = chosen.findLastIndex(({ column }) => column.dropOrder === highest);
		chosen = chosen.filter((_, at) => at !== dropped);
	}
	let room = width - totalWidth();
	for (const entry of chosen) {
		const growth = Math.max(
			room < 0 ? 1 - entry.width : 0,
			Math.min(room, entry.natural - entry.width),
		);
		entry.width += growth;
		room -= growth;
	}
	return {
		type: 'table',
		columns: chosen.map(entry => ({ ...entry.column, width: entry.width })),
		rows: rows.map(row => chosen.map(({ at }) => row[at] ?? '')),
	};
}

export type LabelledValue = readonly [label: string, value: readonly Span[]];

/** All labels have this width, so that values line up across blocks. */
export const labelWidth = 10;

const minTwoColumnWidth = 74;

/** Returns the width of a column of values: half of the width where two columns have room. */
export function valueColumnWidth(width: number): number {
	return width < minTwoColumnWidth ? width : Math.floor((width - 1) / 2);
}

//  Address   10.0.0.2                     Version   1.4.2 (latest)
//  Created   2026-11-14 07:31 (7d ago)    Plan      Pro, auto-sleep after 30 min idle
//  Provider  a name that is so long that it takes the line for itself

/**
 * Draws values with their labels, in two columns if the width allows. A value too long for a column gets a
 * line of its own.
 */
export function labelValueLines(
	labelledValues: readonly LabelledValue[],
	width: number,
	theme: Theme,
): readonly (readonly Span[])[] {
	const half = valueColumnWidth(width);
	const lines: (readonly Span[])[] = [];
	let left: readonly Span[] | undefined;
	for (const [label, value] of labelledValues) {
		const spans = labelValueSpans(label, value);
		// The right column has the odd cell, and needs no blank after it.
		const room = left ? width - half - 1 : half - 1;
		const isLong = half === width || widthOf(spans, theme) > room;
		if (left && !isLong) {
			lines.push([...fitToWidth(left, half, theme), ...spans]);
			left = undefined;
			continue;
		}
		if (left) lines.push(left);
		left = isLong ? undefined : spans;
		if (isLong) lines.push(spans);
	}
	return left ? [...lines, left] : lines;
}

export function labelValueSpans(label: string, value: readonly Span[]): readonly Span[] {
	return [[` ${label.padEnd(labelWidth)}`, 'faint'], ...value];
}
