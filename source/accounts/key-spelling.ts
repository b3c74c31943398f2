import * as v from 'valibot';
import {
	formatKeyName,
	isDistinguishableKey,
	isNamedKey,
	type Modifiers,
} from '../terminal/input/key-names.ts';

type Key = { key: string; modifiers: Modifiers };

const modifierByName: Readonly<Record<string, keyof Modifiers>> = {
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
 * such as `g` or `G`. Returns undefined if the text names no key, or a key that terminals send as another key.
 */
export function keyNameFrom(text: string): string | undefined {
	const keyPress = keyFrom(text);
	return keyPress && isDistinguishableKey(keyPress.key, keyPress.modifiers)
		? formatKeyName(keyPress.key, keyPress.modifiers)
		: undefined;
}

export const keyNames = v.pipe(
	v.unknown(),
	v.rawTransform<unknown, readonly string[]>(({ dataset, addIssue, NEVER }) => {
		const typed = [dataset.value].flat();
		const names = typed.map(each => (typeof each === 'string' ? keyNameFrom(each) : undefined));
		const wrong = names.indexOf(undefined);
		if (wrong < 0) return [...new Set(names.filter(name => name !== undefined))];
		addIssue({ message: `${keyRule}${rejectionText(typed[wrong])}` });
		return NEVER;
	}),
);

const keyRule =
	'must be a key such as "x", "ctrl-x", "alt-x", "shift-tab", "f5" or "pagedown", or a list of them';

function rejectionText(value: unknown): string {
	if (typeof value !== 'string') return '';
	const text = JSON.stringify(value);
	return keyFrom(value)
		? `; terminals do not distinguish ${text} from other keys`
		: `; ${text} is not a key`;
}

/** Returns the key that the text names, including a key that terminals send as another key. */
function keyFrom(text: string): Key | undefined {
	if (isOneCharacter(text))
		return { key: text === ' ' ? 'space' : text, modifiers: modifiersFrom([]) };
	const spelled = text.replace(/^\^(?=.$)/u, 'ctrl-').replace(/page[-_ ](?=up|down)/i, 'page');
	const [, prefix = '', keyText = ''] = /^((?:[a-z]+[-+])*)(.+)$/i.exec(spelled) ?? [];
	const modifierNames = prefix
		.split(/[-+]/)
		.slice(0, -1)
		.map(word => lookUp(modifierByName, word));
	const key = lookUp(keySynonyms, keyText) ?? keyText.toLowerCase();
	if (modifierNames.includes(undefined) || new Set(modifierNames).size < modifierNames.length)
		return undefined;
	if (isNamedKey(key)) return { key, modifiers: modifiersFrom(modifierNames) };
	if (modifierNames.length === 0 || !isOneCharacter(key)) return undefined;
	const capital = key.toUpperCase();
	const isCapital = String(modifierNames) === 'shift' && capital !== key && isOneCharacter(capital);
	return isCapital
		? { key: capital, modifiers: modifiersFrom([]) }
		: { key, modifiers: modifiersFrom(modifierNames) };
}

function lookUp<T>(table: Readonly<Record<string, T>>, word: string): T | undefined {
	const lowerCaseWord = word.toLowerCase();
	return Object.hasOwn(table, lowerCaseWord) ? table[lowerCaseWord] : undefined;
}

const modifiersFrom = (names: readonly (keyof Modifiers | undefined)[]): Modifiers => ({
	ctrl: names.includes('ctrl'),
	alt: names.includes('alt'),
	shift: names.includes('shift'),
});

const isOneCharacter = (text: string) =>
	[...text].length === 1 && /^[^\p{C}\p{M}\p{Z}]$|^ $/u.test(text);
