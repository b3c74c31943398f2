import { keysHiddenByInk } from './key-names.ts';
import type { Token } from './sequence-parser.ts';

// The first half of this file says which sequences are keys; the second half writes a key the way Ink
// understands it.

/** Modifiers are a number; `:1`, `:2` or `:3` after it says pressed, repeated or released. */
const modifiers = '\\d{1,3}(?::[123])?';

/** Xterm's letters, alone or with modifiers. */
const xtermKeys = `[ABCDFHPQRSZ]|(?:1;)?\\d{1,3}[ABCDFHPQRS]|1;${modifiers}[ABCDFHPQS]`;
/** The numbers of editing and function keys, as xterm, rxvt and the VT220 end them. */
const numberedKeys = `(?:[1-8]|1[1-57-9]|2[0134])(?:(?:;${modifiers})?~|[$^])`;
/** Rxvt's arrows with Shift; function keys of the Linux console; PuTTY's pages. */
const otherKeys = '[a-d]|\\[[A-E]|\\[[56]~';
/** Kitty's protocol: a code point, perhaps with others of the same key, and modifiers. */
const kittyKeys = `\\d{1,7}(?::\\d*){0,2}(?:;${modifiers})?u`;

const control = new RegExp(`^(?:${xtermKeys}|${numberedKeys}|${otherKeys}|${kittyKeys})$`);
/** Kitty's protocol has a number for Alt and never puts a second escape before a key. */
const controlWithAlt = new RegExp(`^(?:${xtermKeys}|${numberedKeys}|${otherKeys})$`);
/** Of the keypad only Enter: with its digits in the application's mode nothing is bound. */
const shift = /^(?:(?:(?:1;)?\d{1,3})?[ABCDFHPQRS]|[a-dM])$/;

/**
 * The sequence of a key that the table of bindings can name. Everything else that begins with an escape
 * is not a key, and sequences in 8-bit form never are.
 */
export function keySequence(token: Extract<Token, { kind: 'control' | 'shift' }>) {
	const { kind, prefix, body } = token;
	if (prefix === 'C1') return undefined;
	const isAlt = prefix === 'two escapes';
	const pattern = kind === 'shift' ? shift : isAlt ? controlWithAlt : control;
	if (!pattern.test(body)) return undefined;
	return `${isAlt ? '\u001B\u001B' : '\u001B'}${kind === 'shift' ? 'O' : '['}${body}`;
}

const nameOfNumber: Readonly<Record<string, string>> = {
	...{ 2: 'insert', 11: 'f1', 12: 'f2', 13: 'f3', 14: 'f4', 15: 'f5', 17: 'f6' },
	...{ 18: 'f7', 19: 'f8', 20: 'f9', 21: 'f10', 23: 'f11', 24: 'f12' },
};
const nameOfLetter: Readonly<Record<string, string>> = { P: 'f1', Q: 'f2', R: 'f3', S: 'f4' };
const nameOfConsoleLetter: Readonly<Record<string, string>> = {
	...{ A: 'f1', B: 'f2', C: 'f3', D: 'f4', E: 'f5' },
};

/** `CSI 15;5 ~` or rxvt's `CSI 15 ^`; `SS3 P` or `CSI 1;5 P`; the Linux console's `CSI [ A`. */
const hiddenKey =
	/^(\u001B?)\u001B(?:\[(\d+)(?:;(\d+))?([~$^])|(?:O|\[)(?:1;)?(\d*)([P-S])|\[\[([A-E]))$/;

/** Rxvt shows the modifier in the last character: Shift or Ctrl. */
const rxvtModifiers: Readonly<Record<string, number>> = { $: 1, '^': 4 };

const alt = 2;

/**
 * A key as Ink understands it. Ink ignores some sequences, and takes others for the start of a longer one
 * and waits. It gets those keys in the form of Kitty's protocol.
 */
export function keyForInk(sequence: string): string {
	if (sequence === '\u001B') return '\u001B[27u';
	const [, bracket] = /^\u001B([[O])$/.exec(sequence) ?? [];
	if (bracket !== undefined) return kittySequence(bracket, alt);
	const match = hiddenKey.exec(sequence);
	if (!match) return sequence;
	const [, doubled, number, more, end = '', held, letter = '', consoleLetter = ''] = match;
	const name =
		nameOfNumber[number ?? ''] ?? nameOfLetter[letter] ?? nameOfConsoleLetter[consoleLetter];
	const [, character] = keysHiddenByInk.find(([each]) => each === name) ?? [];
	if (character === undefined) return sequence;
	const bits = (Number(more || held || 1) - 1) | (rxvtModifiers[end] ?? 0) | (doubled ? alt : 0);
	return kittySequence(character, bits);
}

/** Such a character must not be typed, or it would be taken for the key that it stands for. */
export function standsForHiddenKey(character: string): boolean {
	return keysHiddenByInk.some(([, each]) => each === character);
}

function kittySequence(character: string, modifierBits: number): string {
	const code = character.codePointAt(0);
	return `\u001B[${code};${modifierBits + 1};${code}u`;
}
