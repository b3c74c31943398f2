import { expect, test } from 'vitest';
import type { Entry } from '../../source/pace/book.ts';
import { entryFromLine, textFromEntry } from '../../source/pace/entry-text.ts';

const span = { number: 3, at: 1_000, hold: 61_000 };

const entries: Entry[] = [
	{ kind: 'take', scope: 'status', id: '12-abc.1', ...span },
	{
		kind: 'done',
		scope: 'other',
		id: '12-abc.2',
		...span,
		heard: { ...span, limit: 30, remaining: 0, foreign: 4 },
		freeze: { ...span, times: 2 },
	},
	{
		kind: 'carried',
		scope: 'create',
		taken: 9,
		fullSince: 5,
		freeze: { ...span, times: 1 },
		spends: [{ id: 'x', ...span }],
	},
	{ kind: 'sealed' },
];

const lineOf = (entry: Entry) => textFromEntry(entry).trim();

test.each(entries)('$kind is read as it was written', entry => {
	expect(textFromEntry(entry)).toMatch(/^\n.*\n$/);
	expect(entryFromLine(lineOf(entry))).toEqual(entry);
});

test.each(entries)(
	'$kind: whatever is left of a half written one is torn, never another entry',
	entry => {
		const line = lineOf(entry);
		for (let length = 0; length < line.length; length++) {
			expect(entryFromLine(line.slice(0, length))).toBe('torn');
		}
	},
);

test.each([
	'\0\0\0\0',
	'garbage',
	'2 {}x',
	'2 {}',
	'4 null',
	'16 {"kind":"sealed"',
	'32 {"kind":"carried","scope":"all"}',
	'3 日本語',
	lineOf({ kind: 'take', scope: 'status', id: 'x', ...span }).replace('1000', '-100'),
	lineOf({ kind: 'take', scope: 'status', id: 'x', ...span }).replace('1000', 'null'),
	lineOf({ kind: 'take', scope: 'status', id: 'x', ...span }).replace('"number"', '"numbed"'),
	lineOf({ kind: 'take', scope: 'status', id: 'x', ...span }).replace('take', 'fake'),
])('%j is broken', line => {
	expect(entryFromLine(line)).toBe('broken');
});
