import fc from 'fast-check';
import { expect, test } from 'vitest';
import { keyNameFrom } from '../../source/accounts/key-spelling.ts';
import { playerActions } from '../../source/views/actions/replay.ts';
import { actions } from '../../source/views/actions/table.ts';
import { anyCharacter } from '../arbitraries/characters.ts';
import { openInput } from './open-input.ts';

/** Returns the key of each sequence. Only time distinguishes a lone Esc from the start of a sequence. */
function namesOf(...sequences: readonly string[]): readonly string[] {
	const { come, passed } = openInput();
	for (const sequence of sequences) come(sequence, 30);
	return passed;
}

// Sequences as xterm and most other terminals send them.
const letters: Readonly<Record<string, string>> = {
	up: 'A',
	down: 'B',
	right: 'C',
	left: 'D',
	end: 'F',
	home: 'H',
	f1: 'P',
	f2: 'Q',
	f3: 'R',
	f4: 'S',
};
const numbers: Readonly<Record<string, number>> = {
	insert: 2,
	delete: 3,
	pageup: 5,
	pagedown: 6,
	f5: 15,
	f6: 17,
	f7: 18,
	f8: 19,
	f9: 20,
	f10: 21,
	f11: 23,
	f12: 24,
};
const characters: Readonly<Record<string, string>> = {
	enter: '\r',
	escape: '\x1b',
	space: ' ',
	tab: '\t',
	backspace: '\x7f',
};

/** Returns the sequence that a terminal sends for the key of this name. */
function sentFor(name: string): string {
	if (name === 'shift-tab') return '\x1b[Z';
	const [, ctrl, alt, shift, key = ''] = /^(ctrl-)?(alt-)?(shift-)?(.+)$/su.exec(name) ?? [];
	const held = (shift ? 1 : 0) + (alt ? 2 : 0) + (ctrl ? 4 : 0);
	const letter = letters[key];
	const number = numbers[key];
	if (letter && held > 0) return `\x1b[1;${held + 1}${letter}`;
	if (letter) return key.startsWith('f') ? `\x1bO${letter}` : `\x1b[${letter}`;
	if (number) return held > 0 ? `\x1b[${number};${held + 1}~` : `\x1b[${number}~`;
	const character = characters[key] ?? key;
	const typed = ctrl ? String.fromCharCode(character.charCodeAt(0) & 31) : character;
	return alt ? `\x1b${typed}` : typed;
}

const ascii = Array.from({ length: 94 }, (_, at) => String.fromCharCode(0x21 + at));
const all = ['', 'ctrl-', 'alt-', 'shift-', 'ctrl-alt-', 'ctrl-shift-', 'alt-shift-']
	.concat('ctrl-alt-shift-')
	.flatMap(held =>
		[letters, numbers, characters]
			.flatMap(Object.keys)
			.concat(ascii)
			.map(key => held + key),
	);

test('the keyboard reports every key by the name that the configuration uses', () => {
	const names = [...new Set(all.flatMap(text => keyNameFrom(text) ?? []))];
	expect(names.length).toBeGreaterThan(400);
	expect(namesOf(...names.map(sentFor))).toEqual(names);
});

test('the configuration accepts every spelling of a key and every letter', () => {
	const spelled = fc
		.tuple(
			fc.array(fc.constantFrom('Ctrl-', 'C-', 'Alt+', 'meta-', 'M-', 'Shift-', 's-')),
			fc.oneof(
				fc.constantFrom('Esc', 'Return', 'PgUp', 'Page Down', 'Del', 'INS', 'F7', 'Space', ' '),
				anyCharacter,
			),
		)
		.map(([held, key]) => held.join('') + key);
	fc.assert(
		fc.property(spelled, text => {
			const name = keyNameFrom(text);
			if (name !== undefined) expect(namesOf(sentFor(name))).toEqual([name]);
		}),
		{ numRuns: 400 },
	);
});

test('the configuration accepts the name by which help shows each bound key', () => {
	const names = [...actions, ...playerActions].flatMap(({ keys }) => keys);
	expect(names.map(keyNameFrom)).toEqual(names);
});

test.each([
	// The sequences of the Linux console, of rxvt, and of Kitty's protocol.
	['\x1b[[A', 'f1'],
	['\x1b[[E', 'f5'],
	['\x1b[11~', 'f1'],
	['\x1b[15^', 'ctrl-f5'],
	['\x1b[2$', 'shift-insert'],
	['\x1b[a', 'shift-up'],
	['\x1b\x1b[A', 'alt-up'],
	['\x1b\x1bOP', 'alt-f1'],
	['\x1b[13~', 'f3'],
	['\x1b[1;5R', 'ctrl-f3'],
	['\x1b[27u', 'escape'],
	['\x1b\x1b', 'escape'],
	['\x1b[32;5u', 'ctrl-space'],
	['\0', 'ctrl-space'],
	['\x1b ', 'alt-space'],
	['\x1b[108;5u', 'ctrl-l'],
	['\x1b[9;2u', 'shift-tab'],
	['\x1b[91;3u', 'alt-['],
	['\x1b[', 'alt-['],
	['\x1b]', 'alt-]'],
	['\x1bO', 'alt-o'],
	['\x1b[127;2u', 'backspace'],
	['\x1b[13;2u', 'enter'],
	['\x1b\x18', 'ctrl-alt-x'],
	['\x1c', 'ctrl-\\'],
	['\n', 'enter'],
	['G', 'G'],
	// A key with Super and the release of a key are ignored; the key after them is read.
	['\x1b[120;9uj', 'j'],
	['\x1b[120;1:3uj', 'j'],
	['\x1b[1;9Aj', 'j'],
	['\x1b[1;1:3Aj', 'j'],
	// A key without a name, and a code that is no character, are swallowed.
	['\x1b[57358uj', 'j'],
	['\x1b[55296uj', 'j'],
	['\x1b[1114112uj', 'j'],
	['\x1b[57417u', 'left'],
	['\x1bOM', 'enter'],
])('the bytes %j are read as the key “%s”', (sequence, name) => {
	expect(namesOf(sequence)).toEqual([name]);
});
