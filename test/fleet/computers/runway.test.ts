import { expect, test } from 'vitest';
import {
	type CreditSample,
	estimatedRunwayOf,
	mergeSamples,
	runwayOf,
} from '../../../source/fleet/computers/runway.ts';

const minute = 60_000;
const hour = 60 * minute;
const start = Date.UTC(2026, 10, 21);

function samplesFrom(balances: readonly number[], step = minute): readonly CreditSample[] {
	return balances.map((balance, place) => ({ at: start + place * step, balance }));
}

const falling = (length: number, perMinute: number) =>
	Array.from({ length }, (_, place) => 50 - place * perMinute);

test('the burn rate and the time that the credits last are computed from the last hours', () => {
	const runway = runwayOf(samplesFrom(falling(61, 0.1)));
	expect(runway?.burnPerHour).toBeCloseTo(6);
	expect(runway?.timeLeftMs).toBeCloseTo((44 / 6) * hour, -2);
});

test('the burn rate ignores credits that were spent long ago', () => {
	const long = falling(121, 1 / 60).map(balance => balance - 20);
	const runway = runwayOf(samplesFrom([...falling(200, 0.1), ...long, ...Array(181).fill(28)]));
	expect(runway).toEqual({ burnPerHour: 0, timeLeftMs: null });
});

test('the burn rate is null when there are too few samples of the credits', () => {
	expect(runwayOf([])).toBeNull();
	expect(runwayOf(samplesFrom(falling(10, 0.1)))).toBeNull();
	expect(runwayOf(samplesFrom(falling(11, 0.1)))).not.toBeNull();
});

test('the burn rate stays the same while the platform rounds the balance to hundredths', () => {
	const exact = falling(200, 0.9158 / 60);
	const rounded = samplesFrom(exact.map(balance => Math.round(balance * 100) / 100));
	const rates = Array.from({ length: 100 }, (_, dropped) => {
		return runwayOf(rounded.slice(0, rounded.length - dropped))?.burnPerHour ?? 0;
	});
	expect(Math.max(...rates) - Math.min(...rates)).toBeLessThan(0.002);
});

test('an estimate waits until rounding explains little of the spending, and its range then contains the true time', () => {
	const perHour = 0.96;
	const balances = falling(11, perHour / 60).map(balance => Math.round(balance * 100) / 100);
	const estimates = balances.map((_, last) =>
		estimatedRunwayOf(samplesFrom(balances.slice(0, last + 1))),
	);
	expect(estimates.slice(0, 3)).toEqual([null, null, null]);
	const known = estimates.filter(each => each !== null);
	expect(known.length).toBeGreaterThan(5);
	for (const { timeLeftMs, timeLeftRangeMs, spanMs } of known) {
		const [shortest, longest] = timeLeftRangeMs;
		const trueTime = ((50 - perHour * (spanMs / hour)) / perHour) * hour;
		expect(shortest).toBeLessThan(trueTime);
		expect(longest).toBeGreaterThan(trueTime);
		expect(Math.abs((timeLeftMs ?? 0) / trueTime - 1)).toBeLessThan(0.25);
	}
});

test('a top-up does not count as negative burn', () => {
	const balances = [...falling(31, 0.1), ...falling(31, 0.1).map(balance => balance + 100)];
	expect(runwayOf(samplesFrom(balances))?.burnPerHour).toBeCloseTo(6);
});

test('the burn rate ignores a gap between samples', () => {
	const early = samplesFrom(falling(31, 0.1));
	const late = samplesFrom(falling(31, 0.1)).map(({ at, balance }) => ({
		at: at + 2 * hour,
		balance: balance - 20,
	}));
	expect(runwayOf([...early, ...late])?.burnPerHour).toBeCloseTo(6);
});

test('no time is left when the balance is negative', () => {
	expect(runwayOf(samplesFrom(falling(31, 0.1).map(balance => balance - 50)))?.timeLeftMs).toBe(0);
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
