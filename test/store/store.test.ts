import { expect, test } from 'vitest';
import type { Fact } from '../../source/fleet/fact.ts';
import { createCountsSelector, createRowsSelector } from '../../source/store/selectors.ts';
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

const atlas = { id: 'sb_1', status: 'active', version: '1.4.2' };
const borealis = { id: 'sb_2', status: 'stopped', version: '1.3.9' };
const release = fact(3, {
	type: 'answered',
	read: 'release',
	answer: { version: '1.4.2', changes: [] },
});

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
	const countsOf = createCountsSelector();
	const state = accountAfter(
		listRead(1, [atlas, borealis, { id: 'sb_3', status: 'archived', version: '1.0' }]),
		release,
		fact(5, operationChanged(start, 'queued')),
		fact(7, operationChanged(stop, 'failed', {}, { failure })),
	);
	const rows = createRowsSelector('test')(state);
	expect(countsOf(rows)).toEqual({
		total: 2,
		phases: { active: 1, stopped: 1 },
		outdated: 1,
	});
	expect(countsOf(rows)).toBe(countsOf(rows));
	const summary = { total: 2, active: 1, stopped: 1, changing: 0, behind: 1, versionsNotRead: 0 };
	expect(fleetSummaryOf(state, 9)).toMatchObject(summary);
});
