import { expect, test } from 'vitest';
import { entryFromLine, textFromEntry, writeTimesOf } from '../../source/pace/ledger-entry.ts';
import type { LedgerEntry } from '../../source/pace/ledger-state.ts';

const span = { number: 3, at: 1_000, hold: 61_000 };

const entries: LedgerEntry[] = [
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

const writing = { now: 5_000, wallClockAheadMs: 1_700_000_000_000 };

const lineOf = (entry: LedgerEntry) => textFromEntry(entry, writing).trim();

test.each(entries)(
	'an entry of the kind $kind is read from the ledger as it was written',
	entry => {
		expect(textFromEntry(entry, writing)).toMatch(/^\n.*\n$/);
		expect(entryFromLine(lineOf(entry))).toEqual(entry);
	},
);

test.each(entries)(
	'any incomplete part of an entry of the kind $kind is reported as torn',
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
	lineOf({ kind: 'take', scope: 'status', id: 'x', ...span }).replace('1000,', '-100,'),
	lineOf({ kind: 'take', scope: 'status', id: 'x', ...span }).replace('1000,', 'null,'),
	lineOf({ kind: 'take', scope: 'status', id: 'x', ...span }).replace('"number"', '"numbed"'),
])('the ledger reports the line %j as broken', line => {
	expect(entryFromLine(line)).toBe('broken');
});

test.each(entries)(
	'an entry of the kind “$kind” begins with its scope and with its time by both clocks',
	entry => {
		const at = 'at' in entry ? 1_000 : 5_000;
		const scope = 'scope' in entry ? entry.scope : 'all';
		const beginning = `{"scope":"${scope}","at":${at},"date":${1_700_000_000_000 + at},`;
		expect(lineOf(entry)).toMatch(new RegExp(`^\\d+ ${beginning.replaceAll(/[{}]/g, '\\$&')}`));
		expect(writeTimesOf(lineOf(entry))).toEqual({ at, date: 1_700_000_000_000 + at });
	},
);

const lineFrom = (entry: object) => {
	const json = JSON.stringify(entry);
	return `${json.length} ${json}`;
};

test('the ledger counts an entry of an unknown kind as one request', () => {
	const entry = { scope: 'other', at: 4_000, date: 1_700_000_004_000, kind: 'lent', to: [1, 2] };
	expect(entryFromLine(lineFrom(entry))).toEqual({
		kind: 'unknown',
		scope: 'other',
		id: JSON.stringify(entry),
		number: 0,
		at: 4_000,
		hold: 121_000,
	});
	expect(entryFromLine(lineFrom({ ...entry, hold: 7_000 }))).toMatchObject({ hold: 7_000 });
});

test('the ledger ignores an entry of an unknown scope', () => {
	const entry = { scope: 'uploads', at: 4_000, kind: 'lent' };
	expect(entryFromLine(lineFrom(entry))).toBe('torn');
	expect(entryFromLine(lineFrom({ kind: 'lent', scope: 'other' }))).toBe('broken');
});
