import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createInput, type Report } from '../../source/terminal/input/input.ts';
import { createHeldClock } from '../held-clock.ts';

function reader({ marksPastes = true } = {}) {
	const clock = createHeldClock();
	const reports: Report[] = [];
	const passed: string[] = [];
	const receive = createInput({
		clock,
		hasPasteMarks: marksPastes,
		onReport: report => reports.push(report),
		onKey: key => passed.push(key),
		onPaste: text => passed.push(`paste ${text}`),
	});
	return { clock, reports, passed, receive };
}

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
				const { clock, reports, passed, receive } = reader();
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
	const { passed, receive } = reader();
	receive('jj\u001B[B\u001B[Bé🙂x\u001B[[5~\u001B[3$\u001B[106u');
	expect(passed).toEqual([
		...['j', 'j', 'down', 'down', 'é', '🙂', 'x', 'pageup', 'shift-delete', 'j'],
	]);
});

test('the input passes on the key Esc when nothing follows for 30 ms', () => {
	const { clock, passed, receive } = reader();
	receive('\u001B');
	expect(receive.isEscapePending()).toBe(true);
	clock.move(29);
	expect(passed).toEqual([]);
	clock.move(1);
	expect(passed).toEqual(['escape']);
	expect(receive.isEscapePending()).toBe(false);
});

test('without paste marks, many characters that arrive at once are read as a paste', () => {
	const { passed, receive } = reader({ marksPastes: false });
	receive('rm -rf / && yes q');
	expect(passed).toEqual(['paste rm -rf / && yes q']);
	passed.length = 0;
	receive('j'.repeat(40));
	expect(passed).toEqual(Array.from('j'.repeat(40)));
});

test('the input ignores mouse moves, released buttons and additional buttons', () => {
	const { reports, passed, receive } = reader();
	receive('\u001B[<0;3;4m\u001B[<35;3;4M\u001B[<66;3;4M');
	expect(reports).toEqual([]);
	expect(passed).toEqual([]);
});
