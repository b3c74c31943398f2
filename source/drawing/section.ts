import type { Span } from './span.ts';
import type { Theme } from './theme.ts';

/** A part of a view. Blocks are drawn from top to bottom. */
export type Block =
	| { type: 'lines'; lines: readonly (readonly Span[])[] }
	/** An address, in one piece for each line. */
	| { type: 'link'; url: string; pieces: readonly string[] }
	| TableBlock
	/** Dark on light in every theme, for QR codes. */
	| { type: 'paper'; lines: readonly string[] }
	/** A spinner with a text, until there is something to show. */
	| { type: 'waiting'; text: string };

/** Blocks that belong together. Blank lines separate sections if everything fits with them. */
export type Section = readonly Block[];

export function heightOf(block: Block): number {
	switch (block.type) {
		case 'lines':
		case 'paper':
			return block.lines.length;
		case 'link':
			return block.pieces.length;
		case 'table':
			return 1 + block.rows.length;
		case 'waiting':
			return 1;
	}
}

/** The height of sections without the blank lines. */
export function sectionsHeight(sections: readonly Section[]): number {
	return sections.flat().reduce((sum, block) => sum + heightOf(block), 0);
}

const blank: Block = { type: 'lines', lines: [[]] };

export function blocksWithin(sections: readonly Section[], room: number): readonly Block[] {
	const filled = sections.filter(section => section.length > 0);
	const isRoomy = sectionsHeight(filled) + filled.length - 1 <= room;
	return filled.flatMap((section, at) => (at > 0 && isRoomy ? [blank, ...section] : section));
}

/** A column of a small table. The rows decide which columns fit, and how wide they are. */
export type PlannedColumn = {
	/** Unique within the table. */
	title: string;
	minWidth: number;
	/** The width of its widest text by default. */
	maxWidth?: number;
	/** Columns with higher numbers are dropped first when there is no room. */
	dropOrder: number;
	align?: 'right';
	/** Paints the text in exactly `width` cells. */
	draw?: (text: string, width: number, theme: Theme) => string;
};

export type TableColumn = Pick<PlannedColumn, 'title' | 'align' | 'draw'> & { width: number };

export type TableBlock = {
	type: 'table';
	columns: readonly TableColumn[];
	/** One text for each column. */
	rows: readonly (readonly string[])[];
};

// One cell before each column and one after it.
const columnPadding = 2;

/** Fits the table into `width` cells: columns are dropped first, then shrunk. */
export function fitTable(
	columns: readonly PlannedColumn[],
	rows: readonly (readonly string[])[],
	width: number,
	{ ruler }: Theme,
): TableBlock {
	let chosen = columns.map((column, at) => {
		const texts = rows.map(row => row[at] ?? '');
		const widest = texts.reduce((most, text) => Math.max(most, ruler.width(text)), 0);
		const natural = Math.max(column.maxWidth ?? widest, ruler.width(column.title));
		return { column, at, natural, width: Math.min(column.minWidth, natural) };
	});
	const needed = () => chosen.reduce((sum, each) => sum + each.width + columnPadding, 0);
	while (chosen.length > 1 && needed() > width) {
		const most = Math.max(...chosen.map(({ column }) => column.dropOrder));
		const leaving = chosen.findLastIndex(({ column }) => column.dropOrder === most);
		chosen = chosen.filter((_, at) => at !== leaving);
	}
	let room = width - needed();
	for (const each of chosen) {
		const grown = Math.max(
			room < 0 ? 1 - each.width : 0,
			Math.min(room, each.natural - each.width),
		);
		each.width += grown;
		room -= grown;
	}
	return {
		type: 'table',
		columns: chosen.map(each => ({ ...each.column, width: each.width })),
		rows: rows.map(row => chosen.map(({ at }) => row[at] ?? '')),
	};
}
