import { expect, test } from 'vitest';
import { createInput, type Report } from '../../source/terminal/input/input.ts';
import { createHeldClock } from '../held-clock.ts';

const escapeKey = 'escape';
const pasteOf = (text: string) => `paste ${text}`;

function reader() {
	const clock = createHeldClock();
	const passed: string[] = [];
	const reports: Report[] = [];
	const receive = createInput({
		clock,
		hasPasteMarks: true,
		onReport: report => reports.push(report),
		onKey: key => passed.push(key),
		onPaste: text => passed.push(pasteOf(text)),
	});
	/** Pieces of text, and the milliseconds between them. */
	function come(...parts: readonly (string | number)[]) {
		for (const part of parts) {
			if (typeof part === 'number') clock.move(part);
			else receive(part);
		}
		return passed;
	}
	return { clock, passed, reports, receive, come };
}

test('the input recognises the start mark of a paste, however late the second half of the mark arrives', () => {
	expect(reader().come('\x1b[2', 1500, '00~x', 400, 'y\x1b[201~')).toEqual([pasteOf('xy')]);
	const alt = 'alt-[';
	expect(reader().come('\x1b[', 200, '200~xy\x1b[201~')).toEqual([alt, pasteOf('xy')]);
	expect(reader().come('\x1b', 200, '[200~xy\x1b[201~')).toEqual([escapeKey, pasteOf('xy')]);
});

test('the input recognises the end mark of a paste, however late the second half of the mark arrives', () => {
	for (let at = 1; at < 6; at += 1) {
		const end = '\x1b[201~';
		const passed = reader().come('\x1b[200~x', end.slice(0, at), 1900, end.slice(at), 'j');
		expect(passed).toEqual([pasteOf('x'), 'j']);
	}
});

test('after two seconds without input a single key ends a paste whose end mark was lost, and has no other effect', () => {
	const { come } = reader();
	expect(come('\x1b[200~atlas', 5000, 'y', 500)).toEqual([]);
	expect(come('j')).toEqual(['j']);
});

test.each([
	['an arrow', '\x1b[A'],
	['Esc', '\x1b'],
	['a letter', 'é'],
])('%s also ends a paste whose end mark was lost', (_, key) => {
	const { come } = reader();
	expect(come('\x1b[200~atlas', 2000, key, 500, 'j')).toEqual(['j']);
});

test('a key that arrives too soon or together with other keys does not end a paste whose end mark was lost', () => {
	const { come } = reader();
	const passed = come('\x1b[200~a', 1999, 'y', 500, 'x', 2000, 'yy', 600, 'x', 2000, 'y', 499, 'x');
	expect(passed).toEqual([]);
	expect(come('\x1b[201~')).toEqual([pasteOf('ayxyyxyx')]);
});

test('the late second half of a terminal’s reply is never read as keys', () => {
	const { come, reports } = reader();
	expect(come('\x1b]11;rgb:1e1e/20', 10_000, '20/xy3030\x07')).toEqual([]);
	expect(come('\x1b_Gi=1;', 3000, 'x', 400, 'yes\x1b\\')).toEqual([]);
	expect(come('j')).toEqual(['j']);
	expect(reports).toHaveLength(0);
});

test('the rest of a sequence is not read as a key when its start was taken for Esc', () => {
	expect(reader().come('\x1b', 40, '[M@x*', 400, 'j')).toEqual([escapeKey, 'j']);
	expect(reader().come('\x1b', 40, '_Gx', 400, 'y\x1b\\')).toEqual([escapeKey]);
	expect(reader().come('\x1b_', 40, 'Gx', 400, 'y\x1b\\')).toEqual(['alt-_']);
});

test('a key that a person types after Esc is passed on', () => {
	expect(reader().come('\x1b', 40, '[', 40, 'x')).toEqual([escapeKey, '[', 'x']);
	expect(reader().come('\x1b', 40, 'xj')).toEqual([escapeKey, 'x', 'j']);
	expect(reader().come('\x1b', 2040, '[x')).toEqual([escapeKey, '[', 'x']);
	expect(reader().come('\x1b', 40, '\x1b', 40)).toEqual([escapeKey, escapeKey]);
	expect(reader().come('\x1b\x1b\x1b[B', 40)).toEqual([escapeKey, 'down']);
});

test('the key Esc is passed on when a report of the terminal follows directly', () => {
	const { come, reports } = reader();
	expect(come('\x1b\x1b[I')).toEqual([escapeKey]);
	expect(reports).toEqual([{ kind: 'focus', isFocused: true }]);
});

test('the input keeps only a bounded part of a sequence that never ends', () => {
	const mega = 'xyq'.repeat(400_000);
	const { come, passed } = reader();
	expect(come(`\x1b_${mega}`, `${mega}\x1b`, '\\j')).toEqual(['j']);
	expect(come(`\x1b[${'1;'.repeat(100_000)}`, 'xj')).toEqual(['j', 'j']);
	come(`\x1b[200~${mega}`, `${mega}\x1b[201~`);
	expect(passed.at(-1)).toHaveLength(100_006);
	expect(come('j').at(-1)).toBe('j');
});

test('a paste that pauses for a long time is still one paste', () => {
	const { come } = reader();
	const passed = come('\x1b[200~some text ', 2200, 'x ls', 400, 'y rest\x1b[201~');
	expect(passed).toEqual([pasteOf('some text x lsy rest')]);
	expect(come('j')).toEqual([pasteOf('some text x lsy rest'), 'j']);
});
