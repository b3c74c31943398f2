import { expect, test } from 'vitest';
import { runwayOf } from '../../source/fleet/computers/runway.ts';
import { accountAfter, fact, listRead, statusRead } from '../arbitraries/sample-facts.ts';
import { minute } from '../durations.ts';

const atlas = { id: 'sb_1', name: 'atlas', status: 'active' };
const credits = (at: number, balance: number | null) =>
	fact(at, { type: 'answered', read: 'credits', answer: { balance } });
const release = (at: number, version: string) =>
	fact(at, { type: 'answered', read: 'release', answer: { version, changes: [] } });

test('each read of the credits adds a sample, and a rise is logged as a top-up', () => {
	const falling = Array.from({ length: 31 }, (_, place) =>
		credits(place * minute, 50 - place / 10),
	);
	const state = accountAfter(...falling, credits(31 * minute, null), credits(32 * minute, 100));
	expect(runwayOf(state)?.burnPerHour).toBeCloseTo(6);
	expect(state.credits).toEqual({ balance: 100 });
	expect(state.changes).toEqual([
		{ type: 'toppedUp', at: 32 * minute, notBefore: 30 * minute, from: 47, to: 100 },
	]);
});

test('samples from a clock that was ahead are dropped once the clock is right again', () => {
	const ahead = 1_000 * minute;
	const state = accountAfter(credits(ahead, 50), credits(1, 49), credits(minute, 48));
	expect(state.samples.map(({ balance }) => balance)).toEqual([49, 48]);
});

test('a new release is logged, but not the first release that is read', () => {
	const state = accountAfter(release(1, '1.4.1'), release(2, '1.4.1'), release(3, '1.4.2'));
	expect(state.changes).toEqual([
		{ type: 'released', at: 3, notBefore: 2, from: '1.4.1', to: '1.4.2' },
	]);
});

test('changes from the journal are put before those of this run, without duplicates', () => {
	const facts = [listRead(1_000, [atlas]), statusRead(2_000, { id: 'sb_1', status: 'error' })];
	const { changes } = accountAfter(...facts);
	const past = { ...changes[0], at: 500, notBefore: 400, type: 'statusChanged' } as const;
	const state = accountAfter(
		...facts,
		credits(2_000, 4),
		fact(2_100, {
			type: 'recalled',
			changes: [{ ...past, id: 'sb_1', from: 'error', to: 'active' }, ...changes],
			samples: [{ at: 400, balance: 5 }],
		}),
	);
	expect(state.changes.map(({ at }) => at)).toEqual([500, 2_000]);
	expect(state.changeCount).toBe(1);
	expect(state.samples).toEqual([
		{ at: 400, balance: 5 },
		{ at: 2_000, balance: 4 },
	]);
});
