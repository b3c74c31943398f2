import { stripVTControlCharacters } from 'node:util';
import {
	type Block,
	blockHeight,
	type LabelledValue,
	type Section,
	tableLine,
} from '../drawing/section.ts';
import { paintSpans, type Span } from '../drawing/span.ts';
import { runwayOf } from '../fleet/computers/runway.ts';
import { createTheme, type Theme } from '../lines/theme.ts';
import { initialScreen } from '../screen/screen.ts';
import type { TextView } from '../screen/view-table.ts';
import type { Host } from '../session/host.ts';
import type { ParsedArgs } from '../shell/command.ts';
import { terminalPreferencesFrom } from '../shell/display-options.ts';
import type { AccountState } from '../store/state.ts';
import { environmentFrom } from '../terminal/features/environment.ts';
import { cleanForTerminal } from '../terminal/features/escape-sequences.ts';
import { createViewSelectors, viewTexts } from '../wording/views/view-texts.ts';

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
	return createTheme({ colourBits: 0, background: 'dark', hasUnicode });
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
				return Array.from({ length: blockHeight(block) }, (_, at) =>
					plainLine(tableLine(block, at, theme), theme),
				);
			case 'paper':
				return block.lines;
			case 'link':
				return block.pieces;
			case 'waiting':
				return [block.text];
		}
	}
}

export function plainLine(spans: readonly Span[], theme: Theme): string {
	const text = stripVTControlCharacters(paintSpans(spans, theme));
	return text.replace(/\p{Control}/gu, ' ').trimEnd();
}

/** Writes the values of a view as texts without colours. */
export function plainValues(
	values: readonly LabelledValue[],
): readonly (readonly [string, string])[] {
	return values.map(([label, spans]) => [label, spans.map(([text]) => text).join('')]);
}

/** Formats labels and values as lines, one pair per line. Pairs with an empty value are left out. */
export function labelledLines(labelledValues: readonly (readonly [string, string])[]): string {
	return labelledValues
		.filter(([, value]) => value !== '')
		.map(([label, value]) => `${label.padEnd(10)} ${cleanForTerminal(value)}\n`)
		.join('');
}

// The name of the account is left out, because a view of a single account does not name it.
const profile = { account: '', name: '', shortName: '', isReadOnly: true, isProduction: false };

/** Writes a view of the monitor as lines without colours, in its default order. */
export function viewText(
	host: Host,
	args: ParsedArgs,
	view: Exclude<TextView, 'log'>,
	account: AccountState,
): string {
	const { stdout } = host.program;
	const theme = plainTheme(host, args);
	const { sections, maxPlainWidth = Number.POSITIVE_INFINITY } = viewTexts[view];
	const width = outputWidth(stdout);
	const shownSections = sections({
		...initialScreen(),
		...createViewSelectors(),
		account,
		accounts: [{ profile, state: account }],
		runway: runwayOf(account),
		waitingFor: () => undefined,
		estimateTimeLeft: () => 0,
		canChange: false,
		commandRuns: [],
		width: Number.isFinite(width) ? Math.min(maxPlainWidth, width) : width,
		lines: Number.POSITIVE_INFINITY,
		now: host.clock.now(),
		theme,
	});
	return `${plainSectionLines(shownSections, theme).join('\n')}\n`;
}
