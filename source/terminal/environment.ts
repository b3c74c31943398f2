import type { Conditions } from './conditions.ts';

type Variables = NodeJS.ProcessEnv;

/** What the environment tells about the terminal, before it has been asked anything. */
export type Environment = {
	colours: Conditions['colours'];
	background: Conditions['background'];
	hasUnicode: boolean;
	/** What stands between the program and the terminal, and has to be told to let things through. */
	multiplexer: 'tmux' | 'screen' | undefined;
	/** The Linux console knows few of the modes, and old ones print what they do not know. */
	isConsole: boolean;
	/** A name to go by until the terminal tells its own. */
	program: string;
};

export function environmentFrom(env: Variables): Environment {
	const term = env['TERM'] ?? '';
	const isConsole = term === 'linux';
	return {
		colours: coloursFrom(env, term),
		background: backgroundFrom(env['COLORFGBG']),
		hasUnicode: !isConsole && isUnicodeLocale(env),
		multiplexer: multiplexerFrom(env, term),
		isConsole,
		program: env['TERM_PROGRAM'] ?? (env['KITTY_WINDOW_ID'] ? 'kitty' : term),
	};
}

function coloursFrom(env: Variables, term: string): Conditions['colours'] {
	if (env['NO_COLOR']) return 0;
	if (/^(truecolor|24bit)$/.test(env['COLORTERM'] ?? '') || term.endsWith('-direct')) return 24;
	if (/256|kitty|ghostty|wezterm|foot|alacritty/.test(term)) return 8;
	return /^vt\d|^dumb$|-mono$|^$/.test(term) ? 0 : 4;
}

/** `15;0`, or with something between: the numbers of the text's and the background's colour. */
function backgroundFrom(variable: string | undefined): Conditions['background'] {
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
export function refusalFrom(
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
