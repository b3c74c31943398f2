import { stripVTControlCharacters } from 'node:util';
import fc from 'fast-check';
import stringWidth from 'string-width';
import { expect, test } from 'vitest';
import type { ScopeUsage } from '../../../source/fleet/fact.ts';
import { emptyAccount } from '../../../source/store/state.ts';
import { type CountsOptions, countsLine } from '../../../source/wording/frame/counts-line.ts';
import { now } from '../../arbitraries/values.ts';
import { readAccount, sampleHeader } from './sample-header.ts';

const lineIn = (width: number, change: Partial<CountsOptions> = {}) =>
	stripVTControlCharacters(countsLine({ ...sampleHeader, width, ...change }).text);

test('the second line shows the counts, trouble first, the connection, and the gauges of the rate limits', () => {
	expect(lineIn(120)).toBe(
		' ✖ 1 error  ◐ 2 creating  ↑ 3 behind  ○ 4 stopped  ● 17 active ● live 0 s          reads ▮▮▮▯▯ 16/30  status ▮▯▯▯▯  9/60',
	);
});

test('on a narrower screen, first the gauges leave and then the words of the counts', () => {
	expect(lineIn(100)).toContain('● 17 active ● live 0 s');
	expect(lineIn(100)).toContain('reads ▮▮▮▯▯ 16/30');
	expect(lineIn(80)).toBe(
		' ✖ 1 error  ◐ 2 creating  ↑ 3 behind  ○ 4 stopped  ● 17 active ● live 0 s       ',
	);
	expect(lineIn(60)).toMatch(/^ ✖1 {2}◐2 {2}↑3 {2}○4 {2}●17 +● live 0 s/);
	expect(lineIn(30)).toMatch(/^ ✖1 {2}◐2 {2}↑3 {2}○4 +● live 0 s/);
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
});

const alone: ScopeUsage = { limit: 7, spent: 3, isAlone: true };

const withReads = (other: ScopeUsage) => ({
	...readAccount,
	standings: { create: { limit: 1, spent: 0 }, status: { limit: 60, spent: 41 }, other },
});

test('the gauges say "this process only" if requests of other processes are not counted', () => {
	expect(lineIn(160, { account: withReads(alone) })).toContain('reads 3/7 this process only');
	for (const width of [120, 100, 60])
		for (const isLowBandwidth of [false, true])
			expect(lineIn(width, { account: withReads(alone), isLowBandwidth })).toContain(
				'this process only',
			);
	expect(lineIn(160)).not.toContain('this process only');
});

test('the gauge of a frozen rate limit says for how long, at every width and on a slow line', () => {
	const account = withReads({ ...alone, frozenUntil: now + 5_000 });
	for (const width of [160, 120, 100, 60])
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
});

test('no part of the second line moves when a number changes', () => {
	const anyCount = fc.integer({ min: 0, max: 999 });
	const phases = fc.record({ error: anyCount, stopping: anyCount, active: anyCount });
	const usage = fc.record({
		limit: fc.constantFrom(30, 60),
		spent: fc.integer({ max: 60, min: 0 }),
	});
	const anyWidth = fc.integer({ min: 30, max: 200 });
	fc.assert(
		fc.property(anyWidth, phases, anyCount, usage, (width, phases, outdated, other) => {
			const line = lineIn(width, {
				account: withReads(other),
				counts: { total: 999, phases, outdated },
			});
			expect(stringWidth(line)).toBe(width);
			const usual = lineIn(width, {
				counts: { total: 999, phases: { creating: 1, active: 998 }, outdated: 1 },
			});
			for (const sign of ['✖', '◐', '↑', '○', '●', '● live', 'reads', 'status'])
				expect(line.indexOf(sign)).toBe(usual.indexOf(sign));
		}),
	);
});
