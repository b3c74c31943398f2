/** The bytes that a terminal sends for each named key. */
const sequences: Readonly<Record<string, string>> = {
	enter: '\r',
	escape: '\x1b',
	down: '\x1b[B',
	up: '\x1b[A',
	left: '\x1b[D',
	right: '\x1b[C',
	'ctrl-right': '\x1b[1;5C',
	'ctrl-left': '\x1b[1;5D',
	'alt-left': '\x1b[1;3D',
	'alt-right': '\x1b[1;3C',
	'alt-backspace': '\x1b\x7f',
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
	const known = sequences[key];
	if (known !== undefined) return known;
	const [, held, letter = ''] = /^(ctrl|alt)-(.)$/.exec(key) ?? [];
	if (held === 'alt') return `\x1b${letter}`;
	return held === 'ctrl' ? String.fromCharCode(letter.charCodeAt(0) & 31) : key;
}

/** The bytes of keys that arrive together. Between other keys, Esc has the form of Kitty's protocol, which is complete at once. */
export function bytesOfKeys(keys: readonly string[]): string {
	const isAlone = keys.length === 1;
	return keys.map(key => (key === 'escape' && !isAlone ? '\x1b[27u' : bytesOfKey(key))).join('');
}
