import type { TerminalState } from './terminal-state.ts';

type Variables = NodeJS.ProcessEnv;

/** What the environment tells about the terminal, before it has been asked anything. */
export type Environment = {
	colours: TerminalState['colours'];
	background: TerminalState['background'];
	hasUnicode: boolean;
	/** What stands between the program and the terminal, and has to be told to let things through. */
	multiplexer: 'tmux' | 'screen' | undefined;
	/** The Linux console and real terminals know few of the modes, and print strings they do not know. */
	isConsole: boolean;
	/** Real terminals up to the VT400 cannot go to a column of the row that they are in. */
	lacksColumnMoves: boolean;
	/** A name to go by until the terminal tells its own. */
	terminalName: string;
};

/** What a person wants, whatever the terminal seems to be. */
export type TerminalPreferences = {
	background?: 'dark' | 'light';
	hasUnicode?: boolean;
	hasColours?: boolean;
};

export function environmentFrom(env: Variables, looks: TerminalPreferences = {}): Environment {
	const term = env['TERM'] ?? '';
	const isConsole = /^(linux|vt\d)/.test(term);
	return {
		colours: looks.hasColours === false ? 0 : coloursFrom(env, term),
		background: looks.background ?? backgroundFrom(env['COLORFGBG']),
		hasUnicode: looks.hasUnicode ?? (!isConsole && isUnicodeLocale(env)),
		multiplexer: multiplexerFrom(env, term),
		isConsole,
		lacksColumnMoves: /^vt[1-4]/.test(term),
		terminalName: env['TERM_PROGRAM'] ?? (env['KITTY_WINDOW_ID'] ? 'kitty' : term),
	};
}

function coloursFrom(env: Variables, term: string): TerminalState['colours'] {
	if (env['NO_COLOR']) return 0;
	if (/^(truecolor|24bit)$/.test(env['COLORTERM'] ?? '') || term.endsWith('-direct')) return 24;
	if (/256|kitty|ghostty|wezterm|foot|alacritty/.test(term)) return 8;
	return /^vt\d|^dumb$|-mono$|^$/.test(term) ? 0 : 4;
}

/** `15;0`, or with something between: the numbers of the text's and the background's colour. */
function backgroundFrom(variable: string | undefined): TerminalState['background'] {
	const number = variable?.split(';').at(-1);
	if (!number || !/^\d+$/.test(number)) return undefined;
	return Number(number) === 7 || Number(number) >= 9 ? 'light' : 'dark';
}

/** Where nothing is said, as in most containers, terminals are taken to know UTF-8. */
function isUnicodeLocale(env: Variables): boolean {
	const locale = env['LC_ALL'] || env['LC_CTYPE'] || env['LANG'] || 'UTF-8';
	return /utf-?8/i.test(locale);
}

function multiplexerFrom(env: Variables, term: string): Environment['multiplexer'] {
	if (env['TMUX']) return 'tmux';
	if (env['STY']) return 'screen';
	if (term.startsWith('tmux')) return 'tmux';
	return term.startsWith('screen') ? 'screen' : undefined;
}

/** Why there can be no screen here, if so; then a plain list is all that can be shown. */
export function whyNoScreen(
	env: Variables,
	stdin: { isTTY?: boolean },
	stdout: { isTTY?: boolean },
): string | undefined {
	if (!stdout.isTTY) return 'The output is not a terminal.';
	if (!stdin.isTTY) return 'The input is not a terminal.';
	return env['TERM'] === 'dumb' || !env['TERM']
		? 'This terminal can only show lines (TERM is dumb or not set).'
		: undefined;
}
