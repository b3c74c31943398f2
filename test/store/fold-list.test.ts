import { expect, test } from 'vitest';
import { statusAnswerOf } from '../../source/store/freshness.ts';
import { createStore } from '../../source/store/store.ts';
import {
	account,
	accountAfter,
	fact,
	listRead,
	operationChanged,
	operationFacts,
	statusRead,
} from '../arbitraries/sample-facts.ts';

const atlas = { id: 'sb_1', name: 'atlas', status: 'active', version: '1.4.2', cpu: 12 };
const borealis = { id: 'sb_2', name: 'borealis', status: 'stopped', version: '1.3.9', cpu: 0 };

test('the computers stay in the order of the list', () => {
	const state = accountAfter(listRead(1, [atlas, borealis]), listRead(2, [borealis, atlas]));
	expect([...state.computers.keys()]).toEqual(['sb_2', 'sb_1']);
});

test('small differences in a start time are ignored, so that rows stay the same', () => {
	const store = createStore();
	store.receive([listRead(1, [{ ...atlas, startedAt: 100_000 }])]);
	const first = store.getState().accounts.get(account)?.computers;
	store.receive([listRead(2, [{ ...atlas, startedAt: 101_200 }])]);
	expect(store.getState().accounts.get(account)?.computers).toBe(first);
	store.receive([listRead(3, [{ ...atlas, startedAt: 190_000 }])]);
	expect(store.getState().accounts.get(account)?.computers).not.toBe(first);
});

test('the store remembers which fields the list has of its computers', () => {
	const state = accountAfter(
		listRead(1, [{ id: 'sb_1' }, { id: 'sb_2', name: null, version: '1' }]),
	);
	expect([...state.listFields]).toEqual(['name', 'version']);
	const later = accountAfter(listRead(1, [atlas]), listRead(2, []));
	expect(later.listFields.has('status')).toBe(true);
});

test('a computer that a list no longer contains is removed, and its removal is logged', () => {
	const state = accountAfter(
		listRead(1_000, [atlas, borealis]),
		listRead(3_000, [borealis], 2_500),
	);
	expect([...state.computers.keys()]).toEqual(['sb_2']);
	expect(state.changes).toEqual([
		{
			type: 'statusChanged',
			at: 3_000,
			notBefore: 1_000,
			id: 'sb_1',
			name: 'atlas',
			from: 'active',
			to: null,
		},
	]);
});

test.each([
	['partly unreadable', { unreadable: 1 }],
	['cut', { isCut: true }],
])('computers that a %s list leaves out stay until a complete list leaves them out', (_, notes) => {
	const partial = fact(3_000, { type: 'listRead', computers: [borealis], ...notes }, 2_900);
	const facts = [listRead(1_000, [atlas, borealis]), partial] as const;
	const state = accountAfter(...facts);
	expect([...state.computers.keys()]).toEqual(['sb_2', 'sb_1']);
	expect(state.changes).toEqual([]);
	expect(state.computers.get('sb_1')?.reading.status).toBe('active');
	const unnamed = state.computers.get('sb_1');
	expect(unnamed && statusAnswerOf(state, unnamed)).toMatchObject({ at: 1_000 });

	const missed = accountAfter(
		...facts,
		fact(
			4_000,
			{ type: 'computerRead', read: 'status', computer: { id: 'sb_1' }, isMissing: true },
			3_900,
		),
	);
	expect([...missed.computers.keys()]).toEqual(['sb_2']);
	const whole = accountAfter(...facts, listRead(5_000, [borealis]));
	expect(whole.changes).toMatchObject([{ id: 'sb_1', from: 'active', to: null }]);

	// A partial list may have hidden this computer, so it may be as old as the last complete list.
	const third = { id: 'sb_3', status: 'active' };
	const again = accountAfter(...facts, listRead(5_000, [borealis, third]));
	expect(again.changes.at(0)).toMatchObject({ id: 'sb_3', from: null, notBefore: 1_000 });
});

test('a removed computer returns only with a response whose request was sent after the removal', () => {
	const gone = [listRead(1_000, [atlas, borealis]), listRead(3_000, [borealis], 2_500)] as const;
	const late = accountAfter(...gone, statusRead(3_100, atlas, 2_400));
	expect(late.computers.has('sb_1')).toBe(false);
	const again = accountAfter(...gone, listRead(4_000, [atlas, borealis], 3_500));
	expect(again.computers.has('sb_1')).toBe(true);
	expect(again.changes.at(-1)).toMatchObject({ id: 'sb_1', from: null, to: 'active' });
});

test('a list is ignored if a list that was requested later has already arrived', () => {
	const state = accountAfter(listRead(3_000, [atlas, borealis], 2_500), listRead(3_100, [], 2_000));
	expect(state.computers.size).toBe(2);
	expect(state.reads.list?.answer).toEqual({ askedAt: 2_500, at: 3_000 });
});

test('computers that appear after the first list are logged', () => {
	const state = accountAfter(listRead(1_000, [atlas]), listRead(2_000, [atlas, borealis]));
	expect(state.changes).toMatchObject([
		{ id: 'sb_2', from: null, to: 'stopped', notBefore: 1_000 },
	]);
});

test('a computer whose status no list tells appears and is removed with an unknown status', () => {
	const bare = { id: 'sb_2' };
	const state = accountAfter(
		listRead(1_000, [atlas]),
		listRead(2_000, [atlas, bare]),
		listRead(3_000, [atlas]),
	);
	expect(state.changes).toMatchObject([
		{ id: 'sb_2', from: null, to: 'unknown' },
		{ id: 'sb_2', from: 'unknown', to: null },
	]);
});

test('a new computer stays when a list arrives that was requested before its creation', () => {
	const create = { key: 'k', operation: 'create', computer: 'sb_9' };
	const accepted = { sent: 1_600, accepted: 2_000 };
	const reading = { id: 'sb_9', status: 'provisioning', stage: 'creating' };
	const created = [
		listRead(1_000, [atlas]),
		...operationFacts({ key: 'k', operation: 'create' }, { queued: 1_500, sent: 1_600 }),
		fact(2_000, operationChanged(create, 'accepted', accepted, { reading })),
	] as const;
	const early = accountAfter(...created, listRead(2_100, [atlas], 1_900));
	expect([...early.computers.keys()]).toEqual(['sb_1', 'sb_9']);
	const lagging = accountAfter(...created, listRead(4_000, [atlas], 3_900));
	expect(lagging.computers.get('sb_9')?.phase).toBe('creating');
	const ended = accountAfter(
		...created,
		fact(9_000, operationChanged(create, 'done', { ...accepted, ended: 9_000 })),
		listRead(9_900, [atlas], 9_800),
	);
	expect(ended.computers.has('sb_9')).toBe(false);
	expect(ended.changes.filter(({ type }) => type === 'statusChanged')).toHaveLength(1);
});

test('two records of the same computer in one list are merged', () => {
	const state = accountAfter(listRead(1, [atlas, borealis, { ...atlas, cpu: 50 }]));
	expect([...state.computers.keys()]).toEqual(['sb_1', 'sb_2']);
	expect(state.computers.get('sb_1')?.reading.cpu).toBe(50);
	const failed = { ...atlas, status: 'error' };
	expect(
		accountAfter(listRead(1, [atlas]), listRead(2, [failed, { ...failed }])).changes,
	).toHaveLength(1);
});

test('the log keeps the latest 1,000 changes, and all changes of one list until the next fact', () => {
	const fleet = (status: string) =>
		Array.from({ length: 1_500 }, (_, place) => ({ id: `sb_${place}`, status }));
	const facts = [listRead(1, fleet('active')), listRead(2, fleet('stopped'))];
	expect(accountAfter(...facts).changes).toHaveLength(1_500);
	const next = accountAfter(...facts, statusRead(3, { id: 'sb_7', status: 'active' }));
	expect(next.changes).toHaveLength(1_000);
	expect(next.changes.at(-1)).toMatchObject({ id: 'sb_7', to: 'active' });
	expect(next.changeCount).toBe(1_501);
});
