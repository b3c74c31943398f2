import type { Token } from './sequence-parser.ts';

/** What is held may be any number, and after a colon stands whether it was pressed, repeated or released. */
const held = '\\d{1,3}(?::[123])?';

/** Xterm's letters, alone or with what is held. */
const letters = `[ABCDFHPQRSZ]|(?:1;)?\\d{1,3}[ABCDFHPQRS]|1;${held}[ABCDFHPQS]`;
/** The numbers of editing and function keys, as xterm, rxvt and the VT220 end them. */
const numbers = `(?:[1-8]|1[1-57-9]|2[0134])(?:(?:;${held})?~|[$^])`;
/** Rxvt's arrows with Shift; function keys of the Linux console; PuTTY's pages. */
const others = '[a-d]|\\[[A-E]|\\[[56]~';
/** Kitty's protocol: a code point, perhaps with others of the same key, and what is held. */
const kitty = `\\d{1,7}(?::\\d*){0,2}(?:;${held})?u`;

const control = new RegExp(`^(?:${letters}|${numbers}|${others}|${kitty})$`);
/** Kitty's protocol has a number for Alt and never puts a second escape before a key. */
const controlWithAlt = new RegExp(`^(?:${letters}|${numbers}|${others})$`);
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
	const known = kind === 'shift' ? shift : isAlt ? controlWithAlt : control;
	if (!known.test(body)) return undefined;
	return `${isAlt ? '\u001B\u001B' : '\u001B'}${kind === 'shift' ? 'O' : '['}${body}`;
}
