import * as v from 'valibot';
import {
	formatKeyName,
	isDistinguishableKey,
	isNamedKey,
	type Modifiers,
} from '../terminal/input/key-names.ts';

type Key = { key: string; modifiers: Modifiers };

const modifierWords: readonly (readonly [keyof Modifiers, readonly string[]])[] = [
	['ctrl', ['ctrl', 'control', 'c']],
	['alt', ['alt', 'meta', 'option', 'm']],
	['shift', ['shift', 's']],
];

const keySynonyms = new Map([
	['return', 'enter'],
	['esc', 'escape'],
	[' ', 'space'],
	['spacebar', 'space'],
	['pgup', 'pageup'],
	['pgdn', 'pagedown'],
	['pgdown', 'pagedown'],
	['del', 'delete'],
	['ins', 'insert'],
]);

/** `Ctrl+L`, `C-l` and `^L` become `ctrl-l`. Terminals send some keys as others. */
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

function keyFrom(text: string): Key | undefined {
	const plain = { ctrl: false, alt: false, shift: false };
	if (isOneCharacter(text)) return { key: text === ' ' ? 'space' : text, modifiers: plain };
	const spelled = text.replace(/^\^(?=.$)/u, 'ctrl-').replace(/page[-_ ](?=up|down)/i, 'page');
	const [, prefix = '', keyText = ''] = /^((?:[a-z]+[-+])*)(.+)$/i.exec(spelled) ?? [];
	const words = prefix.toLowerCase().split(/[-+]/).slice(0, -1);
	const names = words.map(word => modifierWords.find(([, spelled]) => spelled.includes(word))?.[0]);
	if (names.includes(undefined) || new Set(names).size < names.length) return undefined;
	const modifiers = {
		ctrl: names.includes('ctrl'),
		alt: names.includes('alt'),
		shift: names.includes('shift'),
	};
	const key = keySynonyms.get(keyText.toLowerCase()) ?? keyText.toLowerCase();
	if (isNamedKey(key)) return { key, modifiers };
	if (names.length === 0 || !isOneCharacter(key)) return undefined;
	const capital = key.toUpperCase();
	const isCapital = String(names) === 'shift' && capital !== key && isOneCharacter(capital);
	return isCapital ? { key: capital, modifiers: plain } : { key, modifiers };
}

const isOneCharacter = (text: string) =>
	[...text].length === 1 && /^[^\p{C}\p{M}\p{Z}]$|^ $/u.test(text);
