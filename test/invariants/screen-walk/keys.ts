/** The bytes that a terminal sends for each named key. */
const sequences: Readonly<Record<string, string>> = {
	enter: '\r',
	// The form of Kitty's protocol, which is complete at once, so that other keys may follow.
	escape: '\x1b[27u',
	down: '\x1b[B',
	up: '\x1b[A',
	left: '\x1b[D',
	right: '\x1b[C',
	'ctrl-right': '\x1b[1;5C',
	'ctrl-left': '\x1b[1;5D',
	pagedown: '\x1b[6~',
	pageup: '\x1b[5~',
	home: '\x1b[H',
	end: '\x1b[F',
	delete: '\x1b[3~',
	backspace: '\x7f',
	tab: '\t',
	'shift-tab': '\x1b[Z',
	'shift-down': '\x1b[1;2B',
	'shift-up': '\x1b[1;2A',
	space: ' ',
	'alt-left': '\x1b[1;3D',
	'alt-right': '\x1b[1;3C',
	'alt-backspace': '\x1b\x7f',
};

/** The bytes of several keys that arrive in one piece. */
export function bytesOf(keys: readonly string[]): string {
	// A lone Esc is sent as by most terminals, so that the program must wait for more bytes.
	if (keys.length === 1 && keys[0] === 'escape') return '\x1b';
	return keys.map(sequenceOf).join('');
}

function sequenceOf(key: string): string {
	const known = sequences[key];
	if (known !== undefined) return known;
	if (key.startsWith('alt-')) return `\x1b${key.slice(4)}`;
	if (key.startsWith('ctrl-')) return String.fromCharCode(key.charCodeAt(5) - 96);
	return key;
}
