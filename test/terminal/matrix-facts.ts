/** The capability that a sequence needs: its terminfo name, if it has one, or another name, such as `mode 1049`. */
export type Capability = string;

const common = ['cup', 'cuu', 'cud', 'cuf', 'cub', 'el', 'ed', 'il', 'dl', 'sgr'];

/** Modes of other programs that are switched off: application cursor keys, application keypad, and the mouse. */
const foreign = [
	'keypad',
	...[1, 9, 1000, 1001, 1002, 1003, 1005, 1006, 1015, 1016].map(mode => `mode ${mode}`),
];

// Terminals ignore unknown private modes and these queries.
const asked = [
	...foreign,
	...[
		'question',
		'keyboard',
		'mode 1004',
		'mode 2004',
		'mode 2026',
		'mode 1049',
		'mode 25',
		'mode 7',
	],
];

export type TerminalFacts = {
	env: Readonly<Record<string, string>>;
	/** From `infocmp` of ncurses 6.4, with what the terminal supports beyond terminfo. */
	knows: readonly Capability[];
	/** The number of colours. */
	colours: 0 | 16 | 256;
	hasUnicode: boolean;
	hasTitle: boolean;
	/**
	 * How sequences for the terminal outside a multiplexer are wrapped; false where there is no clipboard.
	 */
	clipboard: RegExp | false;
};

const esc = '\\x1b';
const raw = new RegExp(`(?<!${esc})${esc}\\]52;c;[\\w+/=]+\\x07`);
const throughTmux = new RegExp(`${esc}Ptmux;${esc}${esc}\\]52;c;[\\w+/=]+\\x07${esc}\\\\`);
const throughScreen = new RegExp(`${esc}P${esc}\\]52;c;[\\w+/=]+\\x07${esc}\\\\`);

const xterm = [...common, ...asked, 'hpa', 'ech', 'rep', 'osc', 'title stack'];
// tmux and GNU screen support ech, although their terminfo does not say so.
const tmux = [...common, ...asked, 'hpa', 'ech', 'osc', 'dcs', 'title stack'];
const screen = [...common, ...asked, 'hpa', 'ech', 'osc', 'dcs'];

const modern = { hasUnicode: true, hasTitle: true, knows: xterm, clipboard: raw } as const;
const inScreen = {
	hasUnicode: true,
	hasTitle: false,
	knows: screen,
	clipboard: throughScreen,
} as const;

export const terminals: Readonly<Record<string, TerminalFacts>> = {
	'xterm with 256 colours': { ...modern, env: { TERM: 'xterm-256color' }, colours: 256 },
	'xterm with 16 colours': { ...modern, env: { TERM: 'xterm' }, colours: 16 },
	'xterm without colours': {
		...modern,
		env: { TERM: 'xterm-256color', NO_COLOR: '1' },
		colours: 0,
	},
	'xterm in the locale C': {
		...modern,
		env: { TERM: 'xterm-256color', LC_ALL: 'C' },
		colours: 256,
		hasUnicode: false,
	},
	tmux: {
		env: { TERM: 'tmux-256color', TMUX: '/tmp/tmux-0/default,1,0' },
		knows: tmux,
		colours: 256,
		hasUnicode: true,
		hasTitle: true,
		clipboard: throughTmux,
	},
	'screen with 256 colours': {
		...inScreen,
		env: { TERM: 'screen-256color', STY: '1.pts-0.host' },
		colours: 256,
	},
	screen: { ...inScreen, env: { TERM: 'screen', STY: '1.pts-0.host' }, colours: 16 },
	// These two terminals do not know strings that end with a bell, and would print them.
	'the Linux console': {
		env: { TERM: 'linux' },
		knows: [...common, ...foreign, 'hpa', 'ech', 'mode 1049', 'mode 25', 'mode 7', 'mode 2026'],
		colours: 16,
		hasUnicode: false,
		hasTitle: false,
		clipboard: false,
	},
	'a VT220': {
		env: { TERM: 'vt220' },
		knows: [...common, ...foreign, 'ech', 'mode 1049', 'mode 25', 'mode 7', 'mode 2026'],
		colours: 0,
		hasUnicode: false,
		hasTitle: false,
		clipboard: false,
	},
};
