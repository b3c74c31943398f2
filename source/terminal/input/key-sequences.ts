import { keysHiddenByInk } from './key-names.ts';
import type { InputToken } from './sequence-parser.ts';

// The first half of this file recognises the sequences of keys. The second half translates a key into the form that
// Ink understands.

/** Modifiers are sent as a number. `:1`, `:2` or `:3` after the number means pressed, repeated or released. */
const modifierPattern = '\\d{1,3}(?::[123])?';

/** Keys that xterm sends as a letter, alone or with modifiers. */
const xtermPattern = `[ABCDFHPQRSZ]|(?:1;)?\\d{1,3}[ABCDFHPQRS]|1;${modifierPattern}[ABCDFHPQS]`;
/** Editing and function keys, sent as a number with the ending of xterm, rxvt or the VT220. */
const numberedKeyPattern = `(?:[1-8]|1[1-57-9]|2[0134])(?:(?:;${modifierPattern})?~|[$^])`;
/** Arrows with Shift in rxvt, function keys of the Linux console, and Page Up and Page Down in PuTTY. */
const terminalSpecificKeyPattern = '[a-d]|\\[[A-E]|\\[[56]~';
/** Keys in Kitty's protocol: a code point, optional alternatives of the same key, and modifiers. */
const kittyPattern = `\\d{1,7}(?::\\d*){0,2}(?:;${modifierPattern})?u`;

const controlKeyPattern = new RegExp(
	`^(?:${xtermPattern}|${numberedKeyPattern}|${terminalSpecificKeyPattern}|${kittyPattern})$`,
);
/**
 * Keys that may follow a second escape, which stands for Alt. Kitty's protocol is excluded, because it sends
 * Alt as a number.
 */
const altControlKeyPattern = new RegExp(
	`^(?:${xtermPattern}|${numberedKeyPattern}|${terminalSpecificKeyPattern})$`,
);
/**
 * Keys that terminals send as a single shift (`SS3`). Of the keypad only Enter is included, because no
 * binding uses its other keys.
 */
const ss3KeyPattern = /^(?:(?:(?:1;)?\d{1,3})?[ABCDFHPQRS]|[a-dM])$/;

/**
 * Returns the token's sequence if it is a key that bindings can name, else undefined. A sequence in 8-bit
 * form is never a key.
 */
export function keySequenceFrom(token: Extract<InputToken, { kind: 'control' | 'shift' }>) {
	const { kind, prefix, body } = token;
	if (prefix === 'C1') return undefined;
	const isAlt = prefix === 'two escapes';
	const pattern =
		kind === 'shift' ? ss3KeyPattern : isAlt ? altControlKeyPattern : controlKeyPattern;
	if (!pattern.test(body)) return undefined;
	return `${isAlt ? '\u001B\u001B' : '\u001B'}${kind === 'shift' ? 'O' : '['}${body}`;
}

const keyNamesByNumber: Readonly<Record<string, string>> = {
	2: 'insert',
	11: 'f1',
	12: 'f2',
	13: 'f3',
	14: 'f4',
	15: 'f5',
	17: 'f6',
	18: 'f7',
	19: 'f8',
	20: 'f9',
	21: 'f10',
	23: 'f11',
	24: 'f12',
};
const keyNamesByLetter: Readonly<Record<string, string>> = { P: 'f1', Q: 'f2', R: 'f3', S: 'f4' };
const keyNamesByLinuxConsoleLetter: Readonly<Record<string, string>> = {
	A: 'f1',
	B: 'f2',
	C: 'f3',
	D: 'f4',
	E: 'f5',
};

/** Matches `CSI 15;5 ~`, rxvt's `CSI 15 ^`, `SS3 P`, `CSI 1;5 P`, and the Linux console's `CSI [ A`. */
const hiddenKeyPattern =
	/^(\u001B?)\u001B(?:\[(\d+)(?:;(\d+))?([~$^])|(?:O|\[)(?:1;)?(\d*)([P-S])|\[\[([A-E]))$/;

/** Rxvt sends the modifier as the last character: `$` for Shift, `^` for Ctrl. */
const rxvtModifierBits: Readonly<Record<string, number>> = { $: 1, '^': 4 };

const altBit = 2;

/**
 * Translates a key into the form that Ink understands. Ink ignores some sequences, and waits for the rest of
 * others that are already complete, so these keys are written in the form of Kitty's protocol.
 */
export function sequenceForInk(sequence: string): string {
	if (sequence === '\u001B') return '\u001B[27u';
	const [, bracket] = /^\u001B([[O])$/.exec(sequence) ?? [];
	if (bracket !== undefined) return kittySequence(bracket, altBit);
	const match = hiddenKeyPattern.exec(sequence);
	if (!match) return sequence;
	const [, doubled, number, more, end = '', held, letter = '', consoleLetter = ''] = match;
	const name =
		keyNamesByNumber[number ?? ''] ??
		keyNamesByLetter[letter] ??
		keyNamesByLinuxConsoleLetter[consoleLetter];
	const [, character] = keysHiddenByInk.find(([hiddenName]) => hiddenName === name) ?? [];
	if (character === undefined) return sequence;
	const bits =
		(Number(more || held || 1) - 1) | (rxvtModifierBits[end] ?? 0) | (doubled ? altBit : 0);
	return kittySequence(character, bits);
}

/**
 * Whether Ink would read the typed character as one of the keys that Ink hides. Such characters are dropped.
 */
export function isPlaceholderOfHiddenKey(character: string): boolean {
	return keysHiddenByInk.some(([, hidden]) => hidden === character);
}

function kittySequence(character: string, modifierBits: number): string {
	const code = character.codePointAt(0);
	return `\u001B[${code};${modifierBits + 1};${code}u`;
}
