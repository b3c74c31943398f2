import {
	formatKeyName,
	isDistinguishable,
	isNamedKey,
	type Modifiers,
} from '../terminal/key-names.ts';
import type { Reader } from './setting-reader.ts';

type Key = { key: string; held: Modifiers };

const modifiers: Readonly<Record<string, keyof Modifiers>> = {
	ctrl: 'ctrl',
	control: 'ctrl',
	c: 'ctrl',
	alt: 'alt',
	meta: 'alt',
	option: 'alt',
	m: 'alt',
	shift: 'shift',
	s: 'shift',
};

const keySynonyms: Readonly<Record<string, string>> = {
	return: 'enter',
	esc: 'escape',
	' ': 'space',
	spacebar: 'space',
	pgup: 'pageup',
	pgdn: 'pagedown',
	pgdown: 'pagedown',
	del: 'delete',
	ins: 'insert',
};

/**
 * Returns the standard name of a key: `Ctrl+L`, `C-l` and `^L` become `ctrl-l`. A single letter keeps its case,
 * such as `g` or `G`. Returns undefined if the text is not a key, or a key that terminals do not distinguish.
 */
export function keyNameFrom(text: string): string | undefined {
	const read = keyFrom(text);
	return read && isDistinguishable(read.key, read.held)
		? formatKeyName(read.key, read.held)
		: undefined;
}

/** Reads the keys of an action: a single key, a list, or an empty list. */
export const keyNames: Reader<readonly string[]> = (value, path) => {
	const names = new Set<string>();
	for (const each of Array.isArray(value) ? value : [value]) {
		const name = typeof each === 'string' ? keyNameFrom(each) : undefined;
		if (name === undefined) return path.wrong(`${rule}${whyNot(each)}`);
		names.add(name);
	}
	return [...names];
};

const rule =
	'must be a key such as "x", "ctrl-x", "alt-x", "shift-tab", "f5" or "pagedown", or a list of them';

function whyNot(value: unknown): string {
	if (typeof value !== 'string') return '';
	const text = JSON.stringify(value);
	return keyFrom(value)
		? `; terminals do not distinguish ${text} from other keys`
		: `; ${text} is not a key`;
}

/** Reads the key that the text names, even if terminals do not distinguish it. */
function keyFrom(text: string): Key | undefined {
	if (isOneCharacter(text)) return { key: text === ' ' ? 'space' : text, held: heldOf([]) };
	const spelled = text.replace(/^\^(?=.$)/u, 'ctrl-').replace(/page[-_ ](?=up|down)/i, 'page');
	const [, before = '', last = ''] = /^((?:[a-z]+[-+])*)(.+)$/i.exec(spelled) ?? [];
	const held = before
		.split(/[-+]/)
		.slice(0, -1)
		.map(word => lookUp(modifiers, word));
	const key = lookUp(keySynonyms, last) ?? last.toLowerCase();
	if (held.includes(undefined) || new Set(held).size < held.length) return undefined;
	if (isNamedKey(key)) return { key, held: heldOf(held) };
	if (held.length === 0 || !isOneCharacter(key)) return undefined;
	const capital = key.toUpperCase();
	const isCapital = String(held) === 'shift' && capital !== key && isOneCharacter(capital);
	return isCapital ? { key: capital, held: heldOf([]) } : { key, held: heldOf(held) };
}

function lookUp<T>(table: Readonly<Record<string, T>>, word: string): T | undefined {
	const plain = word.toLowerCase();
	return Object.hasOwn(table, plain) ? table[plain] : undefined;
}

const heldOf = (names: readonly (keyof Modifiers | undefined)[]): Modifiers => ({
	ctrl: names.includes('ctrl'),
	alt: names.includes('alt'),
	shift: names.includes('shift'),
});

const isOneCharacter = (text: string) =>
	[...text].length === 1 && /^[^\p{C}\p{M}\p{Z}]$|^ $/u.test(text);
