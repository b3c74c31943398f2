/** What a terminal sends for the keys that have names. */
const sequences: Readonly<Record<string, string>> = {
	enter: '\r',
	// Complete at once, as from a terminal that speaks Kitty's protocol: other keys may follow.
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
	space: ' ',
};

/** Keys that come in one piece. */
export function bytesOf(keys: readonly string[]): string {
	// By itself it is what most terminals send, and the program has to wait for what may follow.
	if (keys.length === 1 && keys[0] === 'escape') return '\x1b';
	return keys.map(sequenceOf).join('');
}

function sequenceOf(key: string): string {
	const known = sequences[key];
	if (known !== undefined) return known;
	if (key.startsWith('ctrl-')) return String.fromCharCode(key.charCodeAt(5) - 96);
	return key;
}
