import { stripVTControlCharacters } from 'node:util';
import fc from 'fast-check';
import stringWidth from 'string-width';
import { expect, test } from 'vitest';
import type { ScopeUsage } from '../../../source/fleet/fact.ts';
import { emptyAccount } from '../../../source/store/state.ts';
import { type CountsOptions, countsLine } from '../../../source/wording/frame/counts-line.ts';
import {
	countsLineSlots,
	hasRoomForSource,
} from '../../../source/wording/frame/counts-line-slots.ts';
import { now } from '../../arbitraries/values.ts';
import { readAccount, sampleHeader } from './sample-header.ts';

const lineIn = (width: number, change: Partial<CountsOptions> = {}) =>
	stripVTControlCharacters(countsLine({ ...sampleHeader, width, ...change }).text);

test('the second line shows the counts, trouble first, the connection, and the gauges of the rate limits', () => {
	expect(lineIn(120)).toBe(
		' ✖ 1 error  ◐ 2 changing  ↑ 3 behind  ○ 4 stopped  ● 17 active  ● live 0 s         reads ▮▮▮▯▯ 16/30  status ▮▯▯▯▯  9/60',
	);
});

test('on a narrower screen, first the gauges leave and then the words of the counts', () => {
	expect(lineIn(100)).toContain('● 17 active  ● live 0 s');
	expect(lineIn(100)).toContain('reads ▮▮▮▯▯ 16/30');
	expect(lineIn(80)).toBe(
		' ✖ 1 error  ◐ 2 changing  ↑ 3 behind  ○ 4 stopped  ● 17 active  ● live 0 s      ',
	);
	expect(lineIn(60)).toMatch(/^ ✖1 {2}◐2 {2}↑3 {2}○4 {2}●17 +● live 0 s/);
	expect(lineIn(30)).toMatch(/^ ✖1 {2}◐2 {2}↑3 {2}○4 +● live 0 s/);
});

const following = (leader: number) => ({ ...readAccount, sharedWatch: { leader } });

test('the line of a pane that follows names the pane that polls, and the gauges make room for the name', () => {
	const account = following(4_194_304);
	expect(lineIn(120, { account: following(17_672) })).toBe(
		' ✖ 1 error  ◐ 2 changing  ↑ 3 behind  ○ 4 stopped  ● 17 active  ● live 0 s from pane 17672     reads ▮▮▮▯▯  status ▮▯▯▯▯',
	);
	expect(lineIn(120, { account })).toContain('● live 0 s from pane 4194304  ');
	expect(lineIn(100, { account })).toContain('● live 0 s from pane 4194304');
	expect(lineIn(80, { account })).toMatch(/● live 0 s +$/);
	for (let width = 20; width < 240; width += 1)
		expect(lineIn(width, { account }).includes('from pane 4194304')).toBe(
			hasRoomForSource({ ...sampleHeader, account, width }),
		);
});

test('the gauges of a pane that follows keep their room while they explain why nothing is read', () => {
	const { standings } = withReads({ limit: 30, spent: 30, frozenUntil: now + 12_000 });
	const account = { ...following(17_672), ...(standings && { standings }) };
	expect(lineIn(120, { account })).toContain('reads frozen 12s  status ▮▮▮▮▯ 41/60');
});

test('computers that change in several ways are counted together', () => {
	const counts = { total: 24, phases: { creating: 2, stopping: 1 }, outdated: 0 };
	expect(lineIn(120, { counts })).toContain('◐ 3 changing');
});

test('unknown statuses and unreadable records are counted behind the usual counts', () => {
	const counts = { total: 24, phases: { active: 23, unknown: 1 }, outdated: 0 };
	const account = { ...readAccount, unreadableCount: 2 };
	expect(lineIn(140, { account, counts })).toMatch(/● 23 active \? 1 {2}unknown|\? 1 unknown/);
	expect(lineIn(140, { account, counts })).toContain('? 2 unreadable');
	expect(lineIn(128, { counts })).toMatch(/ 23 active +\?1 +● live/);
});

const alone: ScopeUsage = { limit: 7, spent: 3, isAlone: true };

const withReads = (other: ScopeUsage) => ({
	...readAccount,
	standings: { create: { limit: 1, spent: 0 }, status: { limit: 60, spent: 41 }, other },
});

test('the gauges say "this process only" if requests of other processes are not counted', () => {
	expect(lineIn(160, { account: withReads(alone) })).toContain('reads 3/7 this process only');
	for (const width of [120, 100])
		for (const isLowBandwidth of [false, true])
			expect(lineIn(width, { account: withReads(alone), isLowBandwidth })).toContain(
				'this process only',
			);
	expect(lineIn(160)).not.toContain('this process only');
});

test('the gauge of a frozen rate limit says for how long wherever it is shown, also on a slow line', () => {
	const account = withReads({ ...alone, frozenUntil: now + 5_000 });
	for (const width of [160, 120, 100])
		for (const isLowBandwidth of [false, true])
			expect(lineIn(width, { account, isLowBandwidth })).toMatch(/reads frozen (5s|<1m)/);
	expect(lineIn(160, { account })).not.toContain('this process only');
});

test('a slow line shows no gauges, because their numbers change all the time', () => {
	expect(lineIn(160, { isLowBandwidth: true })).not.toContain('reads');
});

test('a gauge is full only at its limit, and empty only if nothing was sent', () => {
	const gauge = (spent: number) =>
		/reads (\S+)/.exec(lineIn(120, { account: withReads({ limit: 30, spent }) }))?.[1];
	expect([0, 1, 29, 30, 31].map(gauge)).toEqual([...['▯▯▯▯▯', '▮▯▯▯▯', '▮▮▮▮▯', '▮▮▮▮▮', '▮▮▮▮▮']]);
});

test('the counts are dashes until the list has been read', () => {
	const none = { total: 0, phases: {}, outdated: 0 };
	expect(lineIn(120, { counts: none })).toMatch(/^ ✖ 0 error /);
	const account = { ...emptyAccount, reads: {} };
	expect(lineIn(120, { account, counts: none })).toMatch(/^ ✖ – error .* ● – active /);
	expect(lineIn(60, { account, counts: none })).toMatch(/^ ✖– +◐– /);
	const listed = { total: 7, phases: { active: 7 }, outdated: 0 };
	expect(lineIn(120, { counts: listed })).toMatch(/ ↑ – behind .* ● 7 active /);
});

const placeOf = (line: string, part: string) => {
	const at = line.indexOf(part);
	return at < 0 ? undefined : stringWidth(line.slice(0, at));
};

test('the connection and the gauges stay at their places at each width and with each fleet of the same number of digits', () => {
	const anyCount = fc.oneof(fc.integer({ min: 0, max: 99 }), fc.integer({ min: 0, max: 10_000 }));
	const phases = fc.record({
		error: anyCount,
		stopping: anyCount,
		stopped: anyCount,
		active: anyCount,
	});
	const spent = fc.integer({ max: 60, min: 0 });
	const anyWidth = fc.integer({ min: 30, max: 220 });
	fc.assert(
		fc.property(anyWidth, phases, anyCount, spent, (width, phases, outdated, spent) => {
			const account = withReads({ limit: 30, spent });
			const total = Object.values(phases).reduce((sum, count) => sum + count, 0);
			const line = lineIn(width, { account, counts: { total, phases, outdated } });
			const digits = String(total).length;
			const alike = { total: 10 ** (digits - 1), phases: { active: 1 }, outdated: 0 };
			const usual = lineIn(width, { counts: alike });
			expect(stringWidth(line)).toBe(width);
			for (const part of ['● live', 'reads', 'status'])
				expect(placeOf(line, part), part).toBe(placeOf(usual, part));
			expect(line).toMatch(/ {2}● live \d/);
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

test('the counts of a large fleet have words only where all of them fit, and begin at even distances', () => {
	const phases = { error: 28, stopped: 258, active: 714 };
	const counts = { total: 1_000, phases, outdated: 28 };
	const worded = /^ +✖ 28 error +◐ 0 changing +↑ 28 behind +○ 258 stopped +● 714 active +● live/;
	for (const width of [160, 120, 100, 95]) expect(lineIn(width, { counts })).toMatch(worded);
	expect(lineIn(120, { counts })).toMatch(/ reads ▮▮▮▯▯ 16\/30$/);
	expect(lineIn(94, { counts })).toMatch(/^ ✖28 {4}◐0 {5}↑28 {4}○258 {3}●714 +● live/);
	const many = { total: 10_000, phases: { ...phases, active: 9_714 }, outdated: 28 };
	expect(lineIn(120, { counts: many })).toMatch(/28 error .* 9,714 active +● live .* reads ▮/);
	expect(lineIn(80, { counts: many })).toMatch(/^ ✖28 +◐0 +↑28 +○258 +●9,714 +● live/);
	expect(lineIn(60, { counts })).toMatch(/^ ✖28 +◐0 /);
});

test('the word of a count stays the same when the count changes', () => {
	const lineOf = (creating: number) =>
		lineIn(120, { counts: { total: 24, phases: { creating, active: 17 }, outdated: 0 } });
	for (const creating of [0, 1, 2]) expect(lineOf(creating)).toContain(`◐ ${creating} changing`);
});

test('no wider line shows less of the connection or the gauges', () => {
	for (const size of [24, 999, 1_000, 10_000, 100_000])
		for (let width = 31; width < 300; width += 1) {
			const [before, after] = [width - 1, width].map(each => countsLineSlots(each, size)) as [
				ReturnType<typeof countsLineSlots>,
				ReturnType<typeof countsLineSlots>,
			];
			expect(after.connection, `${width}`).toBeGreaterThanOrEqual(before.connection);
			expect(after.gauges).toBeGreaterThanOrEqual(before.gauges);
			expect(after.counts + after.connection + after.gauges).toBe(width);
		}
	expect(
		lineIn(143, { counts: { total: 10_000, phases: { active: 10_000 }, outdated: 9_000 } }),
	).toMatch(/9,000 behind .* 10,000 active {3}● live 0 s .*status ▮▯▯▯▯ {2}9\/60$/);
});
