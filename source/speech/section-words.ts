import type { Block, Section, TableBlock } from '../drawing/section.ts';
import { spelledOut, spokenText } from './words.ts';

/** Converts the sections of a view to spoken lines. Drawings such as QR codes are left out. */
export function sectionWords(sections: readonly Section[]): readonly string[] {
	return sections
		.flat()
		.flatMap(blockWords)
		.filter(line => line !== '');
}

function blockWords(block: Block): readonly string[] {
	switch (block.type) {
		case 'lines':
			return block.lines.map(spokenText);
		case 'link':
			return [block.url];
		case 'table':
			return tableWords(block);
		case 'paper':
			return [];
		case 'waiting':
			return [block.text];
	}
}

/**
 * Converts each row of a table to a line such as "Pro: auto-sleep after 30 minutes idle, your plan", in
 * which each cell follows the title of its column.
 */
export function tableWords({ columns, rows }: TableBlock): readonly string[] {
	return rows.map(row => {
		const [first = '', ...cells] = row.map(spelledOut);
		const named = cells.flatMap((cell, at) => {
			const { title = '', draw } = columns[at + 1] ?? {};
			// A drawn bar is left out, because it repeats the number beside it.
			if (cell === '' || (title === '' && draw)) return [];
			return [`${title.trim().toLowerCase()} ${cell}`.trim()];
		});
		if (first === '') return `also ${named.join(', ')}`;
		return named.length > 0 ? `${first}: ${named.join(', ')}` : first;
	});
}
