import { formatKeyName, isShiftReportedWith } from './key-names.ts';
import type { InputToken } from './sequence-parser.ts';

// Nothing can be bound to the release of a key, or to a key with Super or Hyper, so they have no name.

/** Modifiers are sent as a number. `:1`, `:2` or `:3` after the number means pressed, repeated or released. */
const modifier = '(\\d{1,3})(?::([123]))?';

/** Keys that xterm sends as a letter, alone or with modifiers. */
const xtermPattern = new RegExp(`^(?:(?:1;)?(\\d{1,3})|1;${modifier})?([ABCDFHPQRS])$`);

/** Editing and function keys, sent as a number with the ending of xterm, or with those of rxvt for Shift and Ctrl. */
const numberedPattern = new RegExp(`^(\\d{1,2})(?:(?:;${modifier})?~|([$^]))$`);

/** Keys in Kitty's protocol: a code point, optional alternatives of the same key, and modifiers. */
const kittyPattern = new RegExp(`^(\\d{1,7})(?::\\d*){0,2}(?:;${modifier})?u$`);

const namesByLetter: Readonly<Record<string, string>> = {
	A: 'up',
	B: 'down',
	C: 'right',
	D: 'left',
	F: 'end',
	H: 'home',
	P: 'f1',
	Q: 'f2',
	R: 'f3',
	S: 'f4',
};

const namesByNumber: Readonly<Record<string, string>> = {
	1: 'home',
	2: 'insert',
	3: 'delete',
	4: 'end',
	5: 'pageup',
	6: 'pagedown',
	7: 'home',
	8: 'end',
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

/** The function keys of the Linux console, and Page Up and Page Down in PuTTY. */
const namesOfOtherTerminals: Readonly<Record<string, string>> = {
	'[A': 'f1',
	'[B': 'f2',
	'[C': 'f3',
	'[D': 'f4',
	'[E': 'f5',
	'[5~': 'pageup',
	'[6~': 'pagedown',
};

/** The arrows of rxvt: with Shift in a control sequence, with Ctrl in a single shift. */
const rxvtArrows: Readonly<Record<string, string>> = { a: 'up', b: 'down', c: 'right', d: 'left' };

const kittyNames: Readonly<Record<number, string>> = {
	9: 'tab',
	13: 'enter',
	27: 'escape',
	127: 'backspace',
	57414: 'enter',
	57417: 'left',
	57418: 'right',
	57419: 'up',
	57420: 'down',
	57421: 'pageup',
	57422: 'pagedown',
	57423: 'home',
	57424: 'end',
	57426: 'delete',
};

const bits = { shift: 1, alt: 2, ctrl: 4, super: 8, hyper: 16, meta: 32 };

export function keyNameOf(token: InputToken): string | undefined {
	switch (token.kind) {
		case 'character':
			return nameOfCharacter(token.text);
		case 'escape':
			return 'escape';
		case 'alt':
			return nameWithAlt(token.text);
		case 'control':
		case 'shift':
			// A sequence in 8-bit form is never a key. A second escape before a sequence stands for Alt.
			if (token.prefix === 'C1') return undefined;
			return nameOfSequence(token, token.prefix === 'two escapes' ? bits.alt : 0);
		default:
			return undefined;
	}
}

/** Terminals send special keys, and letters with Ctrl, as control characters. */
function nameOfCharacter(character: string): string {
	if (character === ' ') return 'space';
	if (character === '\r' || character === '\n') return 'enter';
	if (character === '\t') return 'tab';
	if (character === '\u007F' || character === '\b') return 'backspace';
	if (character === '\0') return 'ctrl-space';
	if (character > '\u001F') return character;
	const code = character.charCodeAt(0);
	return `ctrl-${String.fromCharCode(code + (code > 26 ? 64 : 96))}`;
}

function nameWithAlt(character: string): string {
	const [, ctrl, name = ''] = /^(ctrl-)?(.*)$/su.exec(nameOfCharacter(character)) ?? [];
	return formatKeyName(name.toLowerCase(), { ctrl: ctrl !== undefined, alt: true, shift: false });
}

function nameOfSequence(
	{ kind, body }: Extract<InputToken, { kind: 'control' | 'shift' }>,
	alt: number,
): string | undefined {
	const [, held, heldToo, event, letter = ''] = xtermPattern.exec(body) ?? [];
	if (letter !== '') return nameWith(namesByLetter[letter], alt, held ?? heldToo, event);
	if (kind === 'shift') {
		// Of the keypad only Enter is read, because nothing is bound to its other keys.
		if (body === 'M') return nameWith('enter', alt);
		return nameWith(rxvtArrows[body], alt | bits.ctrl);
	}
	if (body === 'Z') return nameWith('tab', alt | bits.shift);
	if (rxvtArrows[body]) return nameWith(rxvtArrows[body], alt | bits.shift);
	if (namesOfOtherTerminals[body]) return nameWith(namesOfOtherTerminals[body], alt);
	const numbered = numberedPattern.exec(body);
	if (numbered) {
		const [, number = '', held, event, ending] = numbered;
		const rxvtBits = ending === '$' ? bits.shift : ending === '^' ? bits.ctrl : 0;
		return nameWith(namesByNumber[number], alt | rxvtBits, held, event);
	}
	// Kitty's protocol sends Alt as a number, so nothing stands before its sequences.
	const kitty = alt === 0 ? kittyPattern.exec(body) : undefined;
	return kitty ? nameWith(nameOfCode(Number(kitty[1])), 0, kitty[2], kitty[3]) : undefined;
}

function nameOfCode(code: number): string | undefined {
	const isControl = code < 32 || (code >= 127 && code <= 159);
	const isOtherKey = code >= 57344 && code <= 63743;
	const isSurrogate = code >= 0xd800 && code <= 0xdfff;
	if (kittyNames[code]) return kittyNames[code];
	if (isControl || isOtherKey || isSurrogate || code > 0x10ffff) return undefined;
	return nameOfCharacter(String.fromCodePoint(code));
}

function nameWith(
	name: string | undefined,
	more: number,
	sent = '1',
	event?: string,
): string | undefined {
	const held = Math.max(0, Number(sent) - 1) | more;
	const isReleased = event === '3';
	if (name === undefined || isReleased || held & (bits.super | bits.hyper)) return undefined;
	if (name === 'escape') return name;
	const ctrl = (held & bits.ctrl) > 0;
	const alt = (held & (bits.alt | bits.meta)) > 0;
	const shift = (held & bits.shift) > 0 && isShiftReportedWith(name);
	return formatKeyName(ctrl || alt ? name.toLowerCase() : name, { ctrl, alt, shift });
}
