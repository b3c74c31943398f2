import { stripVTControlCharacters } from 'node:util';
import fc from 'fast-check';
import stringWidth from 'string-width';
import { expect, test } from 'vitest';
import { emptyAccount } from '../../../source/store/state.ts';
import { type CountsOptions, countsLine } from '../../../source/wording/frame/counts-line.ts';
import { readAccount, sampleHeader } from './sample-header.ts';

const lineIn = (width: number, change: Partial<CountsOptions> = {}) =>
	stripVTControlCharacters(countsLine({ ...sampleHeader, width, ...change }).text);

test('the second line shows the counts, trouble first and those behind apart, and the connection at its end', () => {
	expect(lineIn(120)).toBe(
		`${' ✖ 1 error  ◐ 2 changing  ○ 4 stopped  ● 17 active   ↑ 3 behind'.padEnd(106)}live, 0 s ago `,
	);
	expect(lineIn(120)).not.toMatch(/reads|status/);
});

test('on a narrower screen, the words of the counts leave before the age of the data', () => {
	expect(lineIn(80)).toMatch(/● 17 active {3}↑ 3 behind +0 s ago $/);
	expect(lineIn(60)).toMatch(/^ ✖1 {2}◐2 {2}○4 {2}●17 {3}↑3 +live, 0 s ago $/);
	expect(lineIn(34)).toMatch(/^ ✖1 .* 0 s ago $/);
});

test('computers with an old status are counted apart, and the sum of the counts is that of the fleet', () => {
	const counts = { total: 24, phases: { active: 16, stopped: 4, error: 1 }, outdated: 3, old: 3 };
	expect(lineIn(120, { counts })).toMatch(/● 16 active {3}↑ 3 behind {2}\? 3 old +live/);
	expect(lineIn(80, { counts })).toMatch(/● 16 active {3}↑ 3 behind {2}\?3 /);
});

test('where statuses are read one by one, the line says how old those on screen are', () => {
	const statusAges = { newest: 4_000, oldest: 31 * 60_000 };
	expect(lineIn(120, { statusAges })).toMatch(/ statuses 4 s to 31 m old $/);
	expect(lineIn(60, { statusAges })).toMatch(/ (statuses 4 s )?to 31 m old $/);
	expect(lineIn(120, { statusAges: { newest: 4_000, oldest: 4_000 } })).toMatch(
		/ statuses 4 s old $/,
	);
});

test('computers that change in several ways are counted together', () => {
	const counts = { total: 24, phases: { creating: 2, stopping: 1 }, outdated: 0 };
	expect(lineIn(120, { counts })).toContain('◐ 3 changing');
});

test('unknown statuses and unreadable records are counted behind the usual counts', () => {
	const counts = { total: 24, phases: { active: 23, unknown: 1 }, outdated: 0 };
	const account = { ...readAccount, unreadableCount: 2 };
	expect(lineIn(140, { account, counts })).toContain('? 1 unknown');
	expect(lineIn(140, { account, counts })).toContain('? 2 unreadable');
	expect(lineIn(80, { counts })).toMatch(/ 23 active .*\?1 +0 s ago/);
});

test('the counts are dashes until the list has been read', () => {
	const none = { total: 0, phases: {}, outdated: 0 };
	expect(lineIn(120, { counts: none })).toMatch(/^ ✖ 0 error /);
	const account = { ...emptyAccount, reads: {} };
	expect(lineIn(120, { account, counts: none })).toMatch(/^ ✖ – error .* ● – active /);
	expect(lineIn(60, { account, counts: none })).toMatch(/^ ✖– +◐– /);
	const listed = { total: 7, phases: { active: 7 }, outdated: 0 };
	expect(lineIn(120, { counts: listed })).toMatch(/● 7 active .*↑ – behind /);
});

const placeOf = (line: string, part: string) => {
	const at = line.indexOf(part);
	return at < 0 ? undefined : stringWidth(line.slice(0, at));
};

test('the connection stands at the end of the line at each width and with each fleet', () => {
	const anyCount = fc.oneof(fc.integer({ min: 0, max: 99 }), fc.integer({ min: 0, max: 10_000 }));
	const phases = fc.record({
		error: anyCount,
		stopping: anyCount,
		stopped: anyCount,
		active: anyCount,
	});
	const anyWidth = fc.integer({ min: 30, max: 220 });
	fc.assert(
		fc.property(anyWidth, phases, anyCount, (width, phases, outdated) => {
			const total = Object.values(phases).reduce((sum, count) => sum + count, 0);
			const line = lineIn(width, { counts: { total, phases, outdated } });
			expect(stringWidth(line)).toBe(width);
			expect(line).toMatch(/ {2}(live, )?0 s ago $/);
		}),
	);
});

test('a count that changes moves no other count, and from 60 columns no count is missing', () => {
	const anyCount = fc.integer({ min: 0, max: 10_000 });
	fc.assert(
		fc.property(fc.integer({ min: 60, max: 220 }), anyCount, anyCount, (width, one, other) => {
			const lineOf = (error: number, active: number) =>
				lineIn(width, { counts: { total: 10_000, phases: { error, active }, outdated: error } });
			for (const word of [' error', ' changing', ' behind', ' stopped', ' active'])
				expect(placeOf(lineOf(one, other), word), word).toBe(placeOf(lineOf(1, 9_999), word));
			for (const sign of ['✖', '◐', '↑', '○', '●']) {
				const isOther = sign === '◐' || sign === '○';
				if (isOther)
					expect(placeOf(lineOf(one, other), sign)).toBe(placeOf(lineOf(1, 9_999), sign));
				expect(lineOf(one, other)).toContain(sign);
			}
		}),
	);
});

test('the counts of a large fleet have words only where all of them fit', () => {
	const phases = { error: 28, stopped: 258, active: 714 };
	const counts = { total: 1_000, phases, outdated: 28 };
	const worded = /^ +✖ 28 error +◐ 0 changing +○ 258 stopped +● 714 active +↑ 28 behind .* ago $/;
	for (const width of [160, 120, 100]) expect(lineIn(width, { counts })).toMatch(worded);
	expect(lineIn(80, { counts })).toMatch(/^ ✖28 +◐0 +○258 +●714 +↑28 .* ago $/);
	const many = { total: 10_000, phases: { ...phases, active: 9_714 }, outdated: 28 };
	expect(lineIn(120, { counts: many })).toMatch(/28 error .* 9,714 active .* 28 behind .* ago $/);
	expect(lineIn(60, { counts: many })).toMatch(/^ ✖28 +◐0 +○258 +●9,714 +↑28 .* ago $/);
});

test('the word of a count stays the same when the count changes', () => {
	const lineOf = (creating: number) =>
		lineIn(120, { counts: { total: 24, phases: { creating, active: 17 }, outdated: 0 } });
	for (const creating of [0, 1, 2]) expect(lineOf(creating)).toContain(`◐ ${creating} changing`);
});
