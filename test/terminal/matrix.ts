/** The capability that a sequence needs: its terminfo name, if it has one, or another name, such as `mode 1049`. */
type Capability = string;

const modes = (...numbers: readonly number[]) => numbers.map(number => `mode ${number}`);

// From `infocmp` of ncurses 6.4, with what the terminals support beyond terminfo. All ignore private modes that they do not
// know: here the keys, the keypad and the mouse of other programs.
const common = [
	...['cup', 'el', 'ed', 'il', 'dl', 'sgr', 'keypad'],
	...modes(1, 9, 1000, 1001, 1002, 1003, 1005, 1006, 1015, 1016, 1049, 25, 7, 2026),
];
const modern = [...common, 'question', 'keyboard', 'osc', ...modes(1004, 2004)];
const inMultiplexer = [...modern, 'dcs'];

type TerminalFacts = {
	env: Readonly<Record<string, string>>;
	knows: readonly Capability[];
	colours: 0 | 16 | 256;
	hasUnicode: boolean;
	hasTitle: boolean;
	/** How sequences for the terminal outside a multiplexer are wrapped; undefined where there is no clipboard. */
	clipboard?: RegExp;
};

const esc = '\\x1b';
const copied = '\\]52;c;[\\w+/=]+\\x07';

const xterm: TerminalFacts = {
	env: { TERM: 'xterm-256color' },
	knows: [...modern, 'title stack'],
	colours: 256,
	hasUnicode: true,
	hasTitle: true,
	clipboard: new RegExp(`(?<!${esc})${esc}${copied}`),
};
const screen: TerminalFacts = {
	...xterm,
	env: { TERM: 'screen-256color', STY: '1.pts-0.host' },
	knows: inMultiplexer,
	hasTitle: false,
	clipboard: new RegExp(`${esc}P${esc}${copied}${esc}\\\\`),
};
// This terminal and the next do not know strings that end with a bell, and would print them.
const linuxConsole: TerminalFacts = {
	env: { TERM: 'linux' },
	knows: common,
	colours: 16,
	hasUnicode: false,
	hasTitle: false,
};

export const terminals: Readonly<Record<string, TerminalFacts>> = {
	'xterm with 256 colours': xterm,
	'xterm with 16 colours': { ...xterm, env: { TERM: 'xterm' }, colours: 16 },
	'xterm without colours': { ...xterm, env: { ...xterm.env, NO_COLOR: '1' }, colours: 0 },
	'xterm in the locale C': { ...xterm, env: { ...xterm.env, LC_ALL: 'C' }, hasUnicode: false },
	tmux: {
		...xterm,
		env: { TERM: 'tmux-256color', TMUX: '/tmp/tmux-0/default,1,0' },
		knows: [...inMultiplexer, 'title stack'],
		clipboard: new RegExp(`${esc}Ptmux;${esc}${esc}${copied}${esc}\\\\`),
	},
	'screen with 256 colours': screen,
	screen: { ...screen, env: { TERM: 'screen', STY: '1.pts-0.host' }, colours: 16 },
	'the Linux console': linuxConsole,
	'a VT220': { ...linuxConsole, env: { TERM: 'vt220' }, colours: 0 },
};

const finals: Readonly<Record<string, Capability>> = {
	...{ H: 'cup', K: 'el', J: 'ed', L: 'il', M: 'dl', m: 'sgr', t: 'title stack', u: 'keyboard' },
	...{ c: 'question', n: 'question', q: 'question' },
};

// Matches CSI, OSC and DCS sequences up to their ends, and anything else that begins with an escape.
const sequences =
	/\x1b\[([?>=<]?)([\d;:]*)[ -/]*([@-~])|\x1b\]([^\x07\x1b]*)(?:\x07|\x1b\\)|\x1bP(?:\x1b\x1b|[^\x1b]|\x1b(?!\\))*\x1b\\|\x1b([\s\S])?/g;

/** The capabilities that the sequences need. A sequence without a name stands for itself. */
export const neededCapabilities = (received: string): readonly Capability[] =>
	[...received.matchAll(sequences)].flatMap(([all, prefix, parameters = '', final, osc]) => {
		if (prefix === '?' && /[hl]/.test(final ?? ''))
			return modes(...parameters.split(';').map(Number));
		if (final !== undefined) return finals[final] ?? JSON.stringify(all);
		if (osc !== undefined) return 'osc';
		if (all === '\x1b>') return 'keypad';
		return all.startsWith('\x1bP') ? 'dcs' : JSON.stringify(all);
	});

/** How many colours a terminal needs to show the output: 0, 16, 256, or Infinity. */
export const neededColours = (received: string): number =>
	[...received.matchAll(/\x1b\[([\d;:]*)m/g)].reduce((most, [, codes = '']) => {
		if (/\b[345]8[;:]2\b/.test(codes)) return Number.POSITIVE_INFINITY;
		if (/\b[345]8[;:]5\b/.test(codes)) return Math.max(most, 256);
		return /(^|;)(3[0-7]|4[0-7]|9[0-7]|10[0-7])(;|$)/.test(codes) ? Math.max(most, 16) : most;
	}, 0);
