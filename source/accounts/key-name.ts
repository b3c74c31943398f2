import type { Read } from './setting.ts';

const others: Readonly<Record<string, string>> = {
	return: 'enter',
	escape: 'esc',
	pgup: 'pageup',
	pgdn: 'pagedown',
	del: 'delete',
	control: 'ctrl',
	meta: 'alt',
	option: 'alt',
};

const named =
	/^(enter|esc|space|tab|backspace|delete|insert|up|down|left|right|home|end|pageup|pagedown|f([1-9]|1[0-2]))$/;

const modifiers = ['ctrl', 'alt', 'shift'];

/** `Ctrl+L` and `control-l` are `ctrl-l`; a letter by itself is as it was typed, `g` or `G`. */
export function keyNameFrom(text: string): string | undefined {
	if (isOneCharacter(text)) return text === ' ' ? 'space' : text;
	const parts = /^((?:[a-z]+[-+])*)(.+)$/i.exec(text);
	const held = (parts?.[1] ?? '')
		.split(/[-+]/)
		.filter(word => word !== '')
		.map(known);
	const key = known(parts?.[2] ?? '');
	const isKey = named.test(key) || (held.length > 0 && isOneCharacter(key));
	const isRight = isKey && held.every((each, at) => isModifier(each) && held.indexOf(each) === at);
	if (!isRight) return undefined;
	return [...modifiers.filter(each => held.includes(each)), key].join('-');
}

const isModifier = (word: string) => modifiers.includes(word);

const known = (word: string) => {
	const plain = word.toLowerCase();
	return Object.hasOwn(others, plain) ? (others[plain] ?? plain) : plain;
};

const isOneCharacter = (text: string) =>
	[...text].length === 1 && /^[^\p{C}\p{M}\p{Z}]$|^ $/u.test(text);

/** The keys of one action: one, several, or none at all. */
export const keyNames: Read<readonly string[]> = (value, place) => {
	const list: readonly unknown[] = Array.isArray(value) ? value : [value];
	const keys = list.map(each => (typeof each === 'string' ? keyNameFrom(each) : undefined));
	if (keys.every(key => key !== undefined)) return keys;
	return place.wrong('must be a key such as "x", "ctrl-x", "f5" or "pagedown", or a list of them');
};
