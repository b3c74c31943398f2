/** The bytes that a terminal sends for each named key. */
const sequences: Readonly<Record<string, string>> = {
	enter: '\r',
	escape: '\x1b',
	down: '\x1b[B',
	up: '\x1b[A',
	left: '\x1b[D',
	right: '\x1b[C',
	'ctrl-right': '\x1b[1;5C',
	pagedown: '\x1b[6~',
	pageup: '\x1b[5~',
	home: '\x1b[H',
	end: '\x1b[F',
	backspace: '\x7f',
	delete: '\x1b[3~',
	'ctrl-k': '\x0b',
	'ctrl-u': '\x15',
	'ctrl-w': '\x17',
	'ctrl-l': '\x0c',
	'ctrl-c': '\x03',
	'ctrl-z': '\x1a',
	tab: '\t',
	space: ' ',
};

export const sequenceOf = (key: string): string => sequences[key] ?? key;
