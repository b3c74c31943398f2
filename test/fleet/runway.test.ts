import { expect, test } from 'vitest';
import type { Change } from '../../source/fleet/change.ts';
import {
	type CreditSample,
	type CreditsLevel,
	creditsLevel,
	mergeSamples,
	runwayOf,
} from '../../source/fleet/computers/runway.ts';
import { hour, minute } from '../durations.ts';

const start = Date.UTC(2026, 10, 21);

function samplesFrom(balances: readonly number[], step = minute): readonly CreditSample[] {
	return balances.map((balance, place) => ({ at: start + place * step, balance }));
}

/** Measures the spending of an account whose computers are not known. */
const runwayAt = (samples: readonly CreditSample[]) =>
	runwayOf({ samples, computers: new Map(), changes: [] });

const falling = (length: number, perMinute: number) =>
	Array.from({ length }, (_, place) => 50 - place * perMinute);

const even = falling(31, 0.1);
const calm = falling(61, 0.9 / 60);
const charged = calm.map((balance, place) => (place >= 30 ? balance - 40 : balance));
const lower = (by: number) => even.map(balance => balance - by);

test.each<[string, readonly CreditSample[], perHour: number, timeLeftMs?: number]>([
	['even spending', samplesFrom(falling(61, 0.1)), 6, (44 / 6) * hour],
	['less than nothing left', samplesFrom(lower(50)), 6, 0],
	['a top-up', samplesFrom([...even, ...lower(-100)]), 6],
	[
		'a gap',
		[...samplesFrom(even), ...samplesFrom([...Array(120).fill(0), ...lower(20)]).slice(120)],
		6,
	],
	['one sudden fall', samplesFrom(charged), 0.9],
	['one sudden fall at the end', samplesFrom(charged.slice(0, 31)), 0.9],
	['several sudden falls', samplesFrom([50, 49.2, 48.4]), 48],
])('the burn rate of the last hours, with %s', (_, samples, perHour, timeLeftMs) => {
	const runway = runwayAt(samples);
	expect(runway?.burnPerHour).toBeCloseTo(perHour);
	if (timeLeftMs !== undefined) expect(runway?.timeLeftMs).toBeCloseTo(timeLeftMs, -2);
});

test('the burn rate is null when there are too few samples of the credits', () => {
	expect(runwayAt([])).toBeNull();
	expect(runwayAt(samplesFrom(falling(4, 0.01)))).toBeNull();
	expect(runwayAt(samplesFrom([50, 10]))).toBeNull();
	expect(runwayAt(samplesFrom(falling(11, 0.1)))).not.toBeNull();
});

test('the burn rate stays the same while the platform rounds the balance to hundredths', () => {
	const exact = falling(200, 0.9158 / 60);
	const rounded = samplesFrom(exact.map(balance => Math.round(balance * 100) / 100));
	const rates = Array.from({ length: 100 }, (_, dropped) => {
		return runwayAt(rounded.slice(0, rounded.length - dropped))?.burnPerHour ?? 0;
	});
	expect(Math.max(...rates) - Math.min(...rates)).toBeLessThan(0.002);
});

test('an estimate waits until rounding explains little of the spending, and is then about right', () => {
	const perHour = 0.96;
	const balances = falling(11, perHour / 60).map(balance => Math.round(balance * 100) / 100);
	const estimates = balances.map((_, last) => runwayAt(samplesFrom(balances.slice(0, last + 1))));
	expect(estimates.slice(0, 3)).toEqual([null, null, null]);
	const known = estimates.filter(each => each !== null);
	expect(known.length).toBeGreaterThan(5);
	for (const { burnPerHour, isEstimate } of known) {
		expect(isEstimate).toBe(true);
		expect(Math.abs(burnPerHour / perHour - 1)).toBeLessThan(0.25);
	}
});

const active = (count: number) =>
	new Map(Array.from({ length: count }, (_, at) => [`sb_${at}`, { phase: 'active' as const }]));

function change(number: number, at: number, from: string | null, to: string | null): Change {
	return { type: 'statusChanged', id: `sb_${number}`, notBefore: at, at, from, to };
}

test('right after starts and stops, the burn rate is that of the computers that are active now', () => {
	// Two computers cost 0.1 an hour each for an hour. Then a third starts, and four minutes later two stop.
	const samples = samplesFrom(falling(61, 0.2 / 60));
	const until = start + hour;
	const started = change(2, until + minute, 'stopped', 'active');
	const later = until + 5 * minute;
	const stopped = [change(1, later, 'active', 'stopped'), change(2, later, 'active', null)];
	const burn = (count: number, changes: readonly Change[]) =>
		runwayOf({ samples, computers: active(count), changes })?.burnPerHour;
	expect(burn(2, [])).toBeCloseTo(0.2);
	expect(burn(3, [started])).toBeCloseTo(0.3);
	// Two processes may have noticed the same change.
	expect(burn(3, [started, started])).toBeCloseTo(0.3);
	expect(burn(1, [started, ...stopped])).toBeCloseTo(0.1);
	const all = [0, 1].map(id => change(id, until + minute, 'active', 'stopped'));
	expect(burn(0, all)).toBe(0);
});

test('a price that was measured while the number of active computers changed is the same for each', () => {
	// One computer for half an hour, then three.
	const balances = Array.from({ length: 121 }, (_, place) => {
		const hours = place / 60;
		return 50 - 0.1 * (hours <= 0.5 ? hours : 0.5 + 3 * (hours - 0.5));
	});
	const at = start + hour / 2;
	const changes = [0, 1].map(id => change(id, at, 'stopped', 'active'));
	const runway = runwayOf({ samples: samplesFrom(balances), computers: active(3), changes });
	expect(runway?.eachPerHour).toBeCloseTo(0.1);
	expect(runway?.burnPerHour).toBeCloseTo(0.3);
});

test('old samples are thinned out to the same result, whether they are added one by one or all at once', () => {
	const every = (step: number, from: number, to: number) =>
		Array.from({ length: (to - from) / step }, (_, place) => ({
			at: start + from + place * step + (place % 7) * 100,
			balance: place,
		}));
	const dense = 62 * 24 * hour;
	const months = [...every(30 * minute, 0, dense), ...every(minute / 2, dense, dense + 5 * hour)];
	const allAtOnce = mergeSamples([], months);
	const inTurn = months.reduce<readonly CreditSample[]>((kept, sample) => {
		return mergeSamples(kept, [sample]);
	}, []);
	// The two results may differ in the oldest slot, because the period of two months begins inside that slot.
	expect(inTurn.slice(1)).toEqual(allAtOnce.slice(-inTurn.length + 1));
	expect(allAtOnce.length).toBeLessThan(1_500);
	expect(allAtOnce.at(-1)).toBe(months.at(-1));
	expect((allAtOnce.at(-1)?.at ?? 0) - (allAtOnce[0]?.at ?? 0)).toBeGreaterThan(59 * 24 * hour);
});

test('of two samples that two panes took in the same minute, one is kept', () => {
	const one = samplesFrom(falling(30, 0.1));
	const other = one.map(({ at, balance }) => ({ at: at + 20_000, balance: balance - 0.03 }));
	expect(mergeSamples(one, other.slice(0, -1))).toEqual(one);
});

type Level = CreditsLevel | undefined;

const [day, none] = [24 * hour, undefined];

test.each<[string, hours: number | null | undefined, before: Level, Level]>([
	['not measured yet', none, 'low', none],
	['not being spent', null, 'low', 'enough'],
	['enough for longer than the setting', 25, none, 'enough'],
	['enough for as long as the setting', 24, 'enough', 'low'],
	['low, and a little more than the setting', 28, 'low', 'low'],
	['low, and clearly more than the setting', 29, 'low', 'enough'],
	['enough, and a little more than the setting', 28, 'enough', 'enough'],
])('credits that are %s', (_, hours, before, level) => {
	const timeLeftMs = typeof hours === 'number' ? hours * hour : null;
	const runway = hours === none ? null : { burnPerHour: 1, timeLeftMs };
	expect(creditsLevel({ credits: { balance: 10 }, runway }, day, before)).toBe(level);
	expect(creditsLevel({ credits: none, runway }, day, before)).toBeUndefined();
	const tooFew = { balance: 1, canRun: false };
	expect(creditsLevel({ credits: tooFew, runway: null }, day, before)).toBe('low');
});
