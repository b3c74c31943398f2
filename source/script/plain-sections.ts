import { stripVTControlCharacters } from 'node:util';
import type { LabelledValue } from '../lines/line.ts';
import { painted } from '../lines/paint.ts';
import { plainTexts } from '../lines/print.ts';
import type { Span } from '../lines/span.ts';
import { createTheme, type Theme } from '../lines/theme.ts';
import type { TextView } from '../screen/view-table.ts';
import type { Host } from '../session/host.ts';
import type { AccountState } from '../store/state.ts';
import { environmentFrom } from '../terminal/features/environment.ts';
import { cleanForTerminal } from '../terminal/features/escape-sequences.ts';
import { printedScene } from '../views/printed-scene.ts';
import { textViews } from '../views/text-views.ts';
import type { ParsedArgs } from './command.ts';
import { terminalPreferencesFrom } from './display-options.ts';

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

export function plainLine(spans: readonly Span[], theme: Theme): string {
	const text = stripVTControlCharacters(painted(spans, theme));
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

/** The account of a command as the views take it. */
export const printedAccounts = (state: AccountState) => [{ profile, state }];

/** The most cells of a line on a terminal, where a bar would otherwise fill the whole width. */
const maxPrintedWidth = 120;

/** Writes a view of the monitor as lines without colours, in its default order. */
export function viewText(
	host: Host,
	args: ParsedArgs,
	view: TextView,
	state: AccountState,
): string {
	const width = outputWidth(host.program.stdout);
	const scene = printedScene({
		accounts: printedAccounts(state),
		width: Number.isFinite(width) ? Math.min(maxPrintedWidth, width) : width,
		now: host.clock.now(),
		theme: plainTheme(host, args),
	});
	return `${plainTexts(textViews[view].lines(scene)).join('\n')}\n`;
}
