type Look = {
	readonly colourBits: 0 | 4 | 8 | 24;
	readonly background: 'dark' | 'light' | undefined;
	readonly hasUnicode: boolean;
};

export type TerminalState = Look & {
	/** False only after the terminal reported that another window has the focus. */
	readonly isFocused: boolean;
	readonly reportsFocus: boolean;
	/** An option says that the line is slow, or the terminal reads slowly. */
	readonly isLowBandwidth: boolean;
	readonly isPasteUnfinished?: boolean;
};

export type Environment = ReturnType<typeof environmentFrom>;

export type TerminalPreferences = {
	background?: 'dark' | 'light';
	hasUnicode?: boolean;
	hasColours?: boolean;
};

export function environmentFrom(env: NodeJS.ProcessEnv, preferences: TerminalPreferences = {}) {
	const term = env['TERM'] ?? '';
	const printsUnknownSequences = /^(linux|vt\d)/.test(term);
	return {
		colourBits: preferences.hasColours === false ? 0 : colourBitsFrom(env, term),
		background: preferences.background ?? backgroundFrom(env['COLORFGBG']),
		hasUnicode: preferences.hasUnicode ?? (!printsUnknownSequences && isUnicodeLocale(env)),
		multiplexer: multiplexerFrom(env, term),
		printsUnknownSequences,
		terminalName: env['TERM_PROGRAM'] ?? (env['KITTY_WINDOW_ID'] ? 'kitty' : term),
	};
}

function colourBitsFrom(env: NodeJS.ProcessEnv, term: string): Look['colourBits'] {
	if (env['NO_COLOR']) return 0;
	if (/^(truecolor|24bit)$/.test(env['COLORTERM'] ?? '') || term.endsWith('-direct')) return 24;
	if (/256|kitty|ghostty|wezterm|foot|alacritty/.test(term)) return 8;
	return /^vt\d|^dumb$|-mono$|^$/.test(term) ? 0 : 4;
}

/** Parses `15;0` or `15;default;0`, whose last number is the colour of the background. */
function backgroundFrom(colorfgbg: string | undefined): Look['background'] {
	const number = colorfgbg?.split(';').at(-1);
	if (!number || !/^\d+$/.test(number)) return undefined;
	return Number(number) === 7 || Number(number) >= 9 ? 'light' : 'dark';
}

/** If no locale is set, as in most containers, the terminal is assumed to know UTF-8. */
function isUnicodeLocale(env: NodeJS.ProcessEnv): boolean {
	const locale = env['LC_ALL'] || env['LC_CTYPE'] || env['LANG'] || 'UTF-8';
	return /utf-?8/i.test(locale);
}

/** A multiplexer forwards unknown sequences only if they are wrapped. */
function multiplexerFrom(env: NodeJS.ProcessEnv, term: string) {
	if (env['TMUX']) return 'tmux';
	if (env['STY']) return 'screen';
	if (term.startsWith('tmux')) return 'tmux';
	return term.startsWith('screen') ? 'screen' : undefined;
}

export function reasonForNoScreen(
	env: NodeJS.ProcessEnv,
	stdin: { isTTY?: boolean },
	stdout: { isTTY?: boolean },
): string | undefined {
	if (!stdout.isTTY) return 'The output is not a terminal.';
	if (!stdin.isTTY) return 'The input is not a terminal.';
	return env['TERM'] === 'dumb' || !env['TERM']
		? 'This terminal can only show lines (TERM is dumb or not set).'
		: undefined;
}
