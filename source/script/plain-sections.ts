import { stripVTControlCharacters } from 'node:util';
import type { Block, Section, TableBlock } from '../drawing/section.ts';
import { fitted, painted, type Span } from '../drawing/span.ts';
import { createTheme, type Theme } from '../drawing/theme.ts';
import type { Host } from '../session/host.ts';
import type { ParsedArgs } from '../shell/command.ts';
import { terminalPreferencesFrom } from '../shell/display-options.ts';
import { environmentFrom } from '../terminal/environment.ts';
import { cleanForTerminal } from '../terminal/escape-sequences.ts';

/** The width of tables and texts, in cells, when the output is not a terminal. */
export const defaultWidth = 120;

/**
 * Returns the width of the terminal in cells. For a pipe or a file, where nothing needs to be cut, the
 * width is infinite.
 */
export function outputWidth({ isTTY, columns }: Host['program']['stdout']): number {
	return isTTY ? columns : Number.POSITIVE_INFINITY;
}

export function plainTheme({ program }: Pick<Host, 'program'>, args: ParsedArgs): Theme {
	const { hasUnicode } = environmentFrom(program.env, terminalPreferencesFrom(args));
	return createTheme({ colours: 0, background: 'dark', hasUnicode });
}

/** Formats the sections of a view of the monitor as lines without colours. */
export function plainSectionLines(sections: readonly Section[], theme: Theme): readonly string[] {
	return sections
		.filter(section => section.length > 0)
		.flatMap((section, at) => [...(at > 0 ? [''] : []), ...section.flatMap(linesOf)]);

	function linesOf(block: Block): readonly string[] {
		switch (block.type) {
			case 'lines':
			case 'values':
			case 'chart':
				return block.lines.map(line => plainLine(line, theme).replace(/^ /, ''));
			case 'list':
				return Array.from({ length: block.count }, (_, at) =>
					plainLine(block.lineAt(at), theme).replace(/^ /, ''),
				);
			case 'table':
				return tableLines(block, theme);
			case 'paper':
				return block.lines;
			case 'link':
				return block.pieces;
			case 'waiting':
				return [block.text];
		}
	}
}

function tableLines({ columns, rows }: TableBlock, theme: Theme): readonly string[] {
	const titles = columns.map(({ title, width, align }) => fitted([[title]], width, theme, align));
	return [
		plainLine(titles.flatMap(withColumnGap), theme),
		...rows.map(row => {
			const cells = columns.map(({ width, align, draw }, at): readonly Span[] => {
				const text = row[at] ?? '';
				return draw ? [[draw(text, width, theme)]] : fitted([[text]], width, theme, align);
			});
			return plainLine(cells.flatMap(withColumnGap), theme);
		}),
	];
}

const withColumnGap = (spans: readonly Span[], at: number): readonly Span[] =>
	at === 0 ? spans : [['  '], ...spans];

export function plainLine(spans: readonly Span[], theme: Theme): string {
	const text = stripVTControlCharacters(painted(spans, theme));
	return text.replace(/\p{Control}/gu, ' ').trimEnd();
}

/** Formats labels and values as lines, one pair per line. Pairs with an empty value are left out. */
export function labelledLines(facts: readonly (readonly [string, string])[]): string {
	return facts
		.filter(([, value]) => value !== '')
		.map(([label, value]) => `${label.padEnd(10)} ${cleanForTerminal(value)}\n`)
		.join('');
}
