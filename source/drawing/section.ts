import type { Span } from './span.ts';
import type { TableBlock } from './table-block.ts';

/** A part of a view that is drawn from top to bottom. */
export type Block =
	| { type: 'lines'; lines: readonly (readonly Span[])[] }
	/** One address in as many pieces as it takes lines. */
	| { type: 'link'; url: string; pieces: readonly string[] }
	| TableBlock
	/** Dark on light, whatever the theme. */
	| { type: 'paper'; lines: readonly string[] }
	/** The one thing that is waited for before there is anything to show. */
	| { type: 'waiting'; text: string };

/** Blocks that belong together. Between two sections is a blank line, if there is room for all. */
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

export function blocksIn(sections: readonly Section[], room: number): readonly Block[] {
	const filled = sections.filter(section => section.length > 0);
	const isRoomy = sectionsHeight(filled) + filled.length - 1 <= room;
	return filled.flatMap((section, at) => (at > 0 && isRoomy ? [blank, ...section] : section));
}
