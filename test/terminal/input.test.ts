import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { keyNameFrom } from '../../source/accounts/key-spelling.ts';
import { actions, playerActions } from '../../source/monitor/actions/table.ts';
import type { TerminalReport } from '../../source/terminal/input/reports.ts';
import { anyCharacter } from '../arbitraries/characters.ts';
import { openInput } from './open-input.ts';

const reported: [string, TerminalReport][] = [
	['\u001B[I', { kind: 'focus', isFocused: true }],
	['\u001B[O', { kind: 'focus', isFocused: false }],
	['\u001B[?64;1;2c', { kind: 'attributes' }],
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
	['\u0003', 'ctrl-c'],
	['é', 'é'],
	['\u001Bx', 'alt-x'],
	['\u001B[200~D y \u001B[I atlas\n\u001B[201~', 'paste D y \u001B[I atlas\n'],
];

test('reports of the terminal are told from keys and pastes, however they are split into pieces', () => {
	const part = fc.oneof(
		fc.constantFrom(...reported).map(([text, report]) => ({ text, report, key: undefined })),
		fc.constantFrom(...typed).map(([text, key]) => ({ text, report: undefined, key })),
	);
	const cuts = fc.array(fc.integer({ min: 0, max: 120 }), { maxLength: 8 });
	fc.assert(
		fc.property(fc.array(part, { maxLength: 12 }), cuts, (parts, cuts) => {
			const { come, reports, passed } = openInput();
			const text = parts.map(part => part.text).join('');
			const ends = [...cuts.sort((a, b) => a - b), text.length];
			come(...ends.map((end, at) => text.slice(ends[at - 1] ?? 0, end)), 1000);
			expect(reports).toEqual(parts.flatMap(({ report }) => report ?? []));
			expect(passed).toEqual(parts.flatMap(({ key }) => key ?? []));
		}),
		{ numRuns: 1000 },
	);
});

/** What arrives, with pauses in milliseconds, and the keys and pastes that are passed on. */
const arriving: readonly (readonly [what: string, text: string, passed: readonly string[]])[] = [
	[
		'keys that come together',
		'jé\x1b[Bx\x1b[[5~\x1b[3$\x1b[106u',
		['j', 'é', 'down', 'x', 'pageup', 'shift-delete', 'j'],
	],
	['a torn start of a paste', '\x1b[2{1500}00~x{400}y\x1b[201~', ['paste xy']],
	['a torn end of a paste', '\x1b[200~x\x1b[2{1900}01~j', ['paste x', 'j']],
	['a start of a paste taken for Alt', '\x1b[{200}200~xy\x1b[201~', ['alt-[', 'paste xy']],
	['a start of a paste taken for Esc', '\x1b{200}[200~xy\x1b[201~', ['escape', 'paste xy']],
	['a paste that pauses', '\x1b[200~a {2200}x ls{400}y\x1b[201~j', ['paste a x lsy', 'j']],
	['a letter after a paste without an end', '\x1b[200~a{5000}y{500}j', ['j']],
	['an arrow after a paste without an end', '\x1b[200~a{2000}\x1b[A{500}j', ['j']],
	['Esc after a paste without an end', '\x1b[200~a{2000}\x1b{500}j', ['j']],
	['no single keys after that', '\x1b[200~a{1999}y{500}x{2000}yy{600}x{2000}y{499}x', []],
	['a late half of a colour', '\x1b]11;rgb:1e1e/20{10000}20/xy3030\x07j', ['j']],
	['a late half of an unknown string', '\x1b_Gi=1;{3000}x{400}yes\x1b\\j', ['j']],
	['a mouse report taken for Esc', '\x1b{40}[M@x*{400}j', ['escape', 'j']],
	['a string taken for Esc', '\x1b{40}_Gx{400}y\x1b\\', ['escape']],
	['a string taken for Alt', '\x1b_{40}Gx{400}y\x1b\\', ['alt-_']],
	['keys that a person types after Esc', '\x1b{40}[{40}x', ['escape', '[', 'x']],
	['keys long after Esc', '\x1b{2040}[x', ['escape', '[', 'x']],
	['Esc twice', '\x1b{40}\x1b{40}', ['escape', 'escape']],
	['Esc before an arrow', '\x1b\x1b\x1b[B{40}', ['escape', 'down']],
	['Esc before a report', '\x1b\x1b[I', ['escape']],
	['moves, releases and further buttons', '\x1b[<0;3;4m\x1b[<35;3;4M\x1b[<66;3;4M', []],
];

test.each(arriving)('%s', (_, text, passed) => {
	const parts = text.split(/\{(\d+)\}/).map((part, at) => (at % 2 === 1 ? Number(part) : part));
	expect(openInput().come(...parts)).toEqual(passed);
});

test('the key Esc is passed on when nothing follows for 30 ms', () => {
	const { clock, passed, receive } = openInput();
	receive('\u001B');
	clock.move(29);
	expect([receive.isEscapePending(), ...passed]).toEqual([true]);
	clock.move(1);
	expect([receive.isEscapePending(), ...passed]).toEqual([false, 'escape']);
});

test('without paste marks, many different characters at once are read as a paste', () => {
	const { come, passed } = openInput({ hasPasteMarks: false });
	expect(come('rm -rf / && yes q')).toEqual(['paste rm -rf / && yes q']);
	expect(come('j'.repeat(40))).toEqual([passed[0], ...Array.from('j'.repeat(40))]);
});

test('only a bounded part of a sequence that never ends is kept', () => {
	const mega = 'xyq'.repeat(400_000);
	const { come, passed } = openInput();
	expect(come(`\x1b_${mega}`, `${mega}\x1b`, '\\j')).toEqual(['j']);
	expect(come(`\x1b[${'1;'.repeat(100_000)}`, 'xj')).toEqual(['j', 'j']);
	come(`\x1b[200~${mega}`, `${mega}\x1b[201~`);
	expect(passed.at(-1)).toHaveLength(100_006);
	expect(come('j').at(-1)).toBe('j');
});

describe('names of keys', () => {
	/** Only time tells a lone Esc from the start of a sequence. */
	const namesOf = (...sequences: readonly string[]) =>
		openInput().come(...sequences.flatMap(sequence => [sequence, 30]));

	// Sequences as xterm and most other terminals send them.
	const letters = { up: 'A', down: 'B', right: 'C', left: 'D', end: 'F', home: 'H' };
	const functions = { f1: 'P', f2: 'Q', f3: 'R', f4: 'S' };
	const numbers = {
		...{ insert: 2, delete: 3, pageup: 5, pagedown: 6, f5: 15, f6: 17, f7: 18, f8: 19 },
		...{ f9: 20, f10: 21, f11: 23, f12: 24 },
	};
	const characters = { enter: '\r', escape: '\x1b', space: ' ', tab: '\t', backspace: '\x7f' };
	const charactersOf: Readonly<Record<string, string>> = characters;
	const withNumberedModifiers: Readonly<Record<string, string | number>> = {
		...letters,
		...functions,
		...numbers,
	};

	/** The sequence that a terminal sends for the key of this name. */
	function sentFor(name: string): string {
		if (name === 'shift-tab') return '\x1b[Z';
		const [, ctrl, alt, shift, key = ''] = /^(ctrl-)?(alt-)?(shift-)?(.+)$/su.exec(name) ?? [];
		const held = (shift ? 1 : 0) + (alt ? 2 : 0) + (ctrl ? 4 : 0) + 1;
		const sign = withNumberedModifiers[key];
		if (typeof sign === 'number') return held > 1 ? `\x1b[${sign};${held}~` : `\x1b[${sign}~`;
		if (sign !== undefined)
			return held > 1 ? `\x1b[1;${held}${sign}` : `\x1b${key in functions ? 'O' : '['}${sign}`;
		const character = charactersOf[key] ?? key;
		const code = ctrl ? String.fromCharCode(character.charCodeAt(0) & 31) : character;
		return alt ? `\x1b${code}` : code;
	}

	test('each key is reported by the name that the configuration uses', () => {
		const ascii = Array.from({ length: 94 }, (_, at) => String.fromCharCode(0x21 + at));
		const keys = [...Object.keys({ ...withNumberedModifiers, ...characters }), ...ascii];
		const held = ['', 'ctrl-', 'alt-', 'shift-', 'ctrl-alt-', 'ctrl-shift-', 'alt-shift-'];
		const all = [...held, 'ctrl-alt-shift-'].flatMap(prefix => keys.map(key => prefix + key));
		const names = [...new Set(all.flatMap(text => keyNameFrom(text) ?? []))];
		expect(names.length).toBeGreaterThan(400);
		expect(namesOf(...names.map(sentFor))).toEqual(names);
	});

	test('the configuration accepts each spelling of a key, each letter, and the name of each bound key', () => {
		const held = fc.constantFrom('Ctrl-', 'C-', 'Alt+', 'meta-', 'M-', 'Shift-', 's-');
		const named = ['Esc', 'Return', 'PgUp', 'Page Down', 'Del', 'INS', 'F7', 'Space', ' '];
		const key = fc.oneof(fc.constantFrom(...named), anyCharacter);
		fc.assert(
			fc.property(fc.array(held), key, (held, key) => {
				const name = keyNameFrom(held.join('') + key);
				if (name !== undefined) expect(namesOf(sentFor(name))).toEqual([name]);
			}),
			{ numRuns: 400 },
		);
		const bound = [...actions, ...playerActions].flatMap(({ keys }) => keys);
		expect(bound.map(keyNameFrom)).toEqual(bound);
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
		['\x1b[1;5R', 'ctrl-f3'],
		['\x1b[27u', 'escape'],
		['\x1b[32;5u', 'ctrl-space'],
		['\0', 'ctrl-space'],
		['\x1b[108;5u', 'ctrl-l'],
		['\x1b[9;2u', 'shift-tab'],
		['\x1b[91;3u', 'alt-['],
		['\x1b]', 'alt-]'],
		['\x1bO', 'alt-o'],
		['\x1b[127;2u', 'backspace'],
		['\x1b\x18', 'ctrl-alt-x'],
		['\x1c', 'ctrl-\\'],
		['\n', 'enter'],
		['\x1b[57417u', 'left'],
		['\x1bOM', 'enter'],
		// A key with Super and the release of a key are ignored; the key after them is read.
		['\x1b[120;9uj', 'j'],
		['\x1b[120;1:3uj', 'j'],
		['\x1b[1;9Aj', 'j'],
		// A key without a name, and a code that is no character, are swallowed.
		['\x1b[57358uj', 'j'],
		['\x1b[55296uj', 'j'],
		['\x1b[1114112uj', 'j'],
	])('the bytes %j are read as the key “%s”', (sequence, name) => {
		expect(namesOf(sequence)).toEqual([name]);
	});
});
