import { expect, test } from 'vitest';
import { runwayOf } from '../../source/fleet/computers/runway.ts';
import type { Fact } from '../../source/fleet/fact.ts';
import { countsOf, happeningsIn, rowsOf } from '../../source/store/selectors.ts';
import { emptyAccount } from '../../source/store/state.ts';
import { createStore } from '../../source/store/store.ts';
import { fleetSummaryOf } from '../../source/store/summarise-fleet.ts';
import {
	account,
	accountAfter,
	fact,
	failure,
	listRead,
	operationChanged,
	statusRead,
} from '../arbitraries/sample-facts.ts';
import { minute } from '../durations.ts';
import { profileOf } from '../opened-account.ts';

const atlas = { id: 'sb_1', status: 'active', version: '1.4.2' };
const borealis = { id: 'sb_2', status: 'stopped', version: '1.3.9' };
const credits = (at: number, balance: number | null) =>
	fact(at, { type: 'answered', read: 'credits', answer: { balance } });
const latest = { version: '1.4.2', changes: [] };
const release = fact(3, { type: 'answered', read: 'release', answer: latest });

const start = { key: 'k', operation: 'start', computer: 'sb_2' };
const stop = { key: 'other', operation: 'stop', computer: 'sb_1' };

test('subscribers are notified once for many facts, and fact listeners get each fact in order', () => {
	const store = createStore();
	const [notices, receivedFacts]: [number[], Fact[]] = [[], []];
	store.subscribe(({ accounts }) => notices.push(accounts.get(account)?.computers.size ?? 0));
	const end = store.onFact((each, before, after) => {
		receivedFacts.push(each);
		expect(after).not.toBe(before);
	});
	const facts = [listRead(1, [atlas, borealis]), statusRead(2, borealis), release];
	store.receive(facts);
	expect(notices).toEqual([2]);
	expect(receivedFacts).toEqual(facts);
	end();
	store.receive([statusRead(4, atlas)]);
	expect(receivedFacts).toEqual(facts);
});

test('archived computers are not counted', () => {
	const state = accountAfter(
		listRead(1, [atlas, borealis, { id: 'sb_3', status: 'archived', version: '1.0' }]),
		release,
		fact(5, operationChanged(start, 'queued')),
		fact(7, operationChanged(stop, 'failed', {}, { failure })),
	);
	const rows = rowsOf('test', state);
	expect(countsOf(rows)).toEqual({
		total: 2,
		phases: { active: 1, stopped: 1 },
		behind: 1,
	});
	const summary = { total: 2, active: 1, stopped: 1, changing: 0, behind: 1, versionsNotRead: 0 };
	expect(fleetSummaryOf(state, 9)).toMatchObject(summary);
});

test('several accounts name their computers with the account', () => {
	const store = createStore();
	const list = (of: string, at: number, status: string): Fact => ({
		...listRead(at, [{ id: 'sb_0', name: 'box 0', status }]),
		account: of,
	});
	store.receive([
		...[list('work', 1, 'active'), list('lab', 1, 'active'), list('lab', 2, 'stopped')],
		{
			account: 'lab',
			at: 3,
			...operationChanged({ ...stop, computer: 'sb_0' }, 'sent', { sent: 3 }),
		},
	]);
	const opened = ['work', 'lab'].map(name => {
		const state = store.getState().accounts.get(name) ?? emptyAccount;
		return { profile: profileOf(name), state };
	});
	const { changes, operations } = happeningsIn(opened);
	expect(operations.get('other')?.spec.name).toBe('lab/sb_0');
	expect(changes.at(-1)).toMatchObject({ wish: { name: 'lab/sb_0' } });
	expect(changes.at(-2)).toMatchObject({ id: 'sb_0', name: 'lab/box 0' });
});

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
