import fc from 'fast-check';
import { expect, test } from 'vitest';
import { keyNameFrom } from '../../source/accounts/key-spelling.ts';
import type { Report } from '../../source/terminal/input/input.ts';
import { actions, playerActions } from '../../source/views/actions/table.ts';
import { anyCharacter } from '../arbitraries/characters.ts';
import { openInput } from './open-input.ts';

const said: [string, Report][] = [
	['\u001B[I', { kind: 'focus', isFocused: true }],
	['\u001B[O', { kind: 'focus', isFocused: false }],
	['\u001B[?64;1;2c', { kind: 'attributes' }],
	['\u001B[?1u', { kind: 'keyboard' }],
	['\u001BP>|kitty(0.39.1)\u001B\\', { kind: 'name', name: 'kitty(0.39.1)' }],
	['\u001B]11;rgb:1e1e/2020/3030\u0007', { kind: 'background', background: 'dark' }],
	['\u001B]11;rgb:ff/ff/f0\u001B\\', { kind: 'background', background: 'light' }],
	['\u001B[2;7R', { kind: 'cursor', x: 6 }],
	['\u001B[<0;3;4M', { kind: 'mouse', mouse: { kind: 'press', x: 2, y: 3 } }],
	['\u001B[<68;3;4M', { kind: 'mouse', mouse: { kind: 'wheelUp', x: 2, y: 3 } }],
];
const typed: [string, string][] = [
	['j', 'j'],
	['\u001B[A', 'up'],
	['\u001B[1;5C', 'ctrl-right'],
	['\u001BOP', 'f1'],
	['\u001B[1;2R', 'shift-f3'],
	['\u001B[2;5~', 'ctrl-insert'],
	['\u001B[5~', 'pageup'],
	['\u0003', 'ctrl-c'],
	['é', 'é'],
	['🙂', '🙂'],
	['\u001Bx', 'alt-x'],
	[' ', 'space'],
];
const pastedText = 'D y \u001B[I atlas\n';
const pasted = `\u001B[200~${pastedText}\u001B[201~`;

test('the input separates reports of the terminal from keys, however they are split into pieces', () => {
	const part = fc.oneof(
		fc.constantFrom(...said).map(([text, report]) => ({ text, report, keys: [] as string[] })),
		fc.constantFrom(...typed).map(([text, key]) => ({ text, report: undefined, keys: [key] })),
		fc.constant({ text: pasted, report: undefined, keys: [`paste ${pastedText}`] }),
	);
	fc.assert(
		fc.property(
			fc.array(part, { maxLength: 12 }),
			fc.array(fc.integer({ min: 0, max: 120 }), { maxLength: 8 }),
			(parts, cuts) => {
				const { clock, reports, passed, receive } = openInput();
				const text = parts.map(part => part.text).join('');
				let start = 0;
				for (const cut of cuts.sort((a, b) => a - b)) {
					receive(text.slice(start, cut));
					start = Math.max(start, cut);
				}
				receive(text.slice(start));
				clock.move(1000);
				expect(reports).toEqual(parts.flatMap(({ report }) => report ?? []));
				expect(passed.join('')).toBe(parts.flatMap(({ keys }) => keys).join(''));
			},
		),
		{ numRuns: 2000 },
	);
});

test('the input passes on keys one at a time, even if they arrive together', () => {
	const { passed, receive } = openInput();
	receive('jj\u001B[B\u001B[Bé🙂x\u001B[[5~\u001B[3$\u001B[106u');
	expect(passed).toEqual([
		...['j', 'j', 'down', 'down', 'é', '🙂', 'x', 'pageup', 'shift-delete', 'j'],
	]);
});

test('the input passes on the key Esc when nothing follows for 30 ms', () => {
	const { clock, passed, receive } = openInput();
	receive('\u001B');
	expect(receive.isEscapePending()).toBe(true);
	clock.move(29);
	expect(passed).toEqual([]);
	clock.move(1);
	expect(passed).toEqual(['escape']);
	expect(receive.isEscapePending()).toBe(false);
});

test('without paste marks, many characters that arrive at once are read as a paste', () => {
	const { passed, receive } = openInput({ hasPasteMarks: false });
	receive('rm -rf / && yes q');
	expect(passed).toEqual(['paste rm -rf / && yes q']);
	passed.length = 0;
	receive('j'.repeat(40));
	expect(passed).toEqual(Array.from('j'.repeat(40)));
});

test('the input ignores mouse moves, released buttons and additional buttons', () => {
	const { reports, passed, receive } = openInput();
	receive('\u001B[<0;3;4m\u001B[<35;3;4M\u001B[<66;3;4M');
	expect(reports).toEqual([]);
	expect(passed).toEqual([]);
});

const escapeKey = 'escape';
const pasteOf = (text: string) => `paste ${text}`;

test('the input recognises the start mark of a paste, however late the second half of the mark arrives', () => {
	expect(openInput().come('\x1b[2', 1500, '00~x', 400, 'y\x1b[201~')).toEqual([pasteOf('xy')]);
	const alt = 'alt-[';
	expect(openInput().come('\x1b[', 200, '200~xy\x1b[201~')).toEqual([alt, pasteOf('xy')]);
	expect(openInput().come('\x1b', 200, '[200~xy\x1b[201~')).toEqual([escapeKey, pasteOf('xy')]);
});

test('the input recognises the end mark of a paste, however late the second half of the mark arrives', () => {
	for (let at = 1; at < 6; at += 1) {
		const end = '\x1b[201~';
		const passed = openInput().come('\x1b[200~x', end.slice(0, at), 1900, end.slice(at), 'j');
		expect(passed).toEqual([pasteOf('x'), 'j']);
	}
});

test('after two seconds without input a single key ends a paste whose end mark was lost, and has no other effect', () => {
	const { come } = openInput();
	expect(come('\x1b[200~atlas', 5000, 'y', 500)).toEqual([]);
	expect(come('j')).toEqual(['j']);
});

test.each([
	['an arrow', '\x1b[A'],
	['Esc', '\x1b'],
	['a letter', 'é'],
])('%s also ends a paste whose end mark was lost', (_, key) => {
	const { come } = openInput();
	expect(come('\x1b[200~atlas', 2000, key, 500, 'j')).toEqual(['j']);
});

test('a key that arrives too soon or together with other keys does not end a paste whose end mark was lost', () => {
	const { come } = openInput();
	const passed = come('\x1b[200~a', 1999, 'y', 500, 'x', 2000, 'yy', 600, 'x', 2000, 'y', 499, 'x');
	expect(passed).toEqual([]);
	expect(come('\x1b[201~')).toEqual([pasteOf('ayxyyxyx')]);
});

test('the late second half of a terminal’s reply is never read as keys', () => {
	const { come, reports } = openInput();
	expect(come('\x1b]11;rgb:1e1e/20', 10_000, '20/xy3030\x07')).toEqual([]);
	expect(come('\x1b_Gi=1;', 3000, 'x', 400, 'yes\x1b\\')).toEqual([]);
	expect(come('j')).toEqual(['j']);
	expect(reports).toHaveLength(0);
});

test('the rest of a sequence is not read as a key when its start was taken for Esc', () => {
	expect(openInput().come('\x1b', 40, '[M@x*', 400, 'j')).toEqual([escapeKey, 'j']);
	expect(openInput().come('\x1b', 40, '_Gx', 400, 'y\x1b\\')).toEqual([escapeKey]);
	expect(openInput().come('\x1b_', 40, 'Gx', 400, 'y\x1b\\')).toEqual(['alt-_']);
});

test('a key that a person types after Esc is passed on', () => {
	expect(openInput().come('\x1b', 40, '[', 40, 'x')).toEqual([escapeKey, '[', 'x']);
	expect(openInput().come('\x1b', 40, 'xj')).toEqual([escapeKey, 'x', 'j']);
	expect(openInput().come('\x1b', 2040, '[x')).toEqual([escapeKey, '[', 'x']);
	expect(openInput().come('\x1b', 40, '\x1b', 40)).toEqual([escapeKey, escapeKey]);
	expect(openInput().come('\x1b\x1b\x1b[B', 40)).toEqual([escapeKey, 'down']);
});

test('the key Esc is passed on when a report of the terminal follows directly', () => {
	const { come, reports } = openInput();
	expect(come('\x1b\x1b[I')).toEqual([escapeKey]);
	expect(reports).toEqual([{ kind: 'focus', isFocused: true }]);
});

test('the input keeps only a bounded part of a sequence that never ends', () => {
	const mega = 'xyq'.repeat(400_000);
	const { come, passed } = openInput();
	expect(come(`\x1b_${mega}`, `${mega}\x1b`, '\\j')).toEqual(['j']);
	expect(come(`\x1b[${'1;'.repeat(100_000)}`, 'xj')).toEqual(['j', 'j']);
	come(`\x1b[200~${mega}`, `${mega}\x1b[201~`);
	expect(passed.at(-1)).toHaveLength(100_006);
	expect(come('j').at(-1)).toBe('j');
});

test('a paste that pauses for a long time is still one paste', () => {
	const { come } = openInput();
	const passed = come('\x1b[200~some text ', 2200, 'x ls', 400, 'y rest\x1b[201~');
	expect(passed).toEqual([pasteOf('some text x lsy rest')]);
	expect(come('j')).toEqual([pasteOf('some text x lsy rest'), 'j']);
});

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
