import type { Block, Section, TableBlock } from '../drawing/section.ts';
import { spellOut } from '../wording/phrases/words.ts';
import { spokenTextOfSpans, textOfSpans } from './words.ts';

/** Spoken lines. A line is built only when it is spoken. */
export type SpokenLines = { lineCount: number; lineAt: (index: number) => string };

export function spokenLines(lines: readonly string[]): SpokenLines {
	const filled = lines.filter(line => line !== '');
	return { lineCount: filled.length, lineAt: index => filled[index] ?? '' };
}

export function allLines({ lineCount, lineAt }: SpokenLines): readonly string[] {
	return Array.from({ length: lineCount }, (_, index) => lineAt(index));
}

/** Converts the sections of a view to spoken lines. Drawings such as charts and QR codes are left out. */
export function sectionWords(sections: readonly Section[]): SpokenLines {
	return sections
		.flat()
		.map(block =>
			block.type === 'list'
				? { lineCount: block.count, lineAt: (index: number) => textOfSpans(block.lineAt(index)) }
				: spokenLines(blockWords(block)),
		)
		.reduce(joinedLines, spokenLines([]));
}

function joinedLines(first: SpokenLines, second: SpokenLines): SpokenLines {
	return {
		lineCount: first.lineCount + second.lineCount,
		lineAt: index =>
			index < first.lineCount ? first.lineAt(index) : second.lineAt(index - first.lineCount),
	};
}

function blockWords(block: Exclude<Block, { type: 'list' }>): readonly string[] {
	switch (block.type) {
		case 'lines':
			return block.lines.map(spokenTextOfSpans);
		case 'values':
			return block.values.map(([label, value]) => spokenTextOfSpans([[`${label} `], ...value]));
		case 'link':
			return [block.url];
		case 'table':
			return tableWords(block);
		case 'chart':
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
		const [first = '', ...cells] = row.map(spellOut);
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
