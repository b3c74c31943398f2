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
	tab: '\t',
	'shift-tab': '\x1b[Z',
	'shift-down': '\x1b[1;2B',
	'shift-up': '\x1b[1;2A',
	space: ' ',
};

export function bytesOfKey(key: string): string {
	const [, letter] = /^ctrl-([a-z])$/.exec(key) ?? [];
	if (letter !== undefined) return String.fromCharCode(letter.charCodeAt(0) - 96);
	return sequences[key] ?? key;
}
