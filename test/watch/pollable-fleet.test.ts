import { expect, test } from 'vitest';
import type { Fact } from '../../source/fleet/fact.ts';
import type { OperationSpec } from '../../source/fleet/operation.ts';
import { fold } from '../../source/store/fold.ts';
import { emptyState, type State } from '../../source/store/state.ts';
import { createPollableFleet, pollableFleetFrom } from '../../source/watch/pollable-fleet.ts';

const at = Date.UTC(2026, 10, 21, 8);
const account = 'one';

type Told = Fact extends infer F ? (F extends Fact ? Omit<F, 'account' | 'at'> : never) : never;

const after = (state: State, ...told: readonly Told[]): State =>
	told.reduce((before, each, place) => fold(before, { account, at: at + place, ...each }), state);

const list: Told = {
	type: 'listRead',
	computers: [
		{ id: 'a', status: 'active' },
		{ id: 'b', status: 'provisioning' },
		{ id: 'c', status: 'archived' },
		{ id: 'd', status: 'stopping' },
	],
};

const stop: OperationSpec = { key: 'k', operation: 'stop', computer: 'a' };

const subjectsOf = (state: State) => {
	const one = state.accounts.get(account);
	return one && pollableFleetFrom(one);
};

test('computers on the move are urgent, and archived ones are left alone', () => {
	const subjects = subjectsOf(after(emptyState, list));
	expect(subjects?.computers).toEqual([
		{ id: 'a', urgentSince: null },
		{ id: 'b', urgentSince: at },
		{ id: 'd', urgentSince: at },
	]);
	expect(subjects?.listFields?.has('status')).toBe(true);
});

test('before a list was read nobody knows what it tells', () => {
	const subjects = subjectsOf(after(emptyState, { type: 'creditsRead', credits: { balance: 1 } }));
	expect(subjects).toEqual({ computers: [], listFields: null, isListUrgent: false });
});

test('a computer with an operation sent is urgent, not one with an operation asked', () => {
	const asked = after(emptyState, list, { type: 'operationAsked', wish: stop });
	expect(subjectsOf(asked)?.computers[0]).toEqual({ id: 'a', urgentSince: null });
	const sent = fold(asked, { account, at: at + 9, type: 'operationSent', key: 'k' });
	expect(subjectsOf(sent)?.computers[0]).toEqual({ id: 'a', urgentSince: at + 9 });
});

test('a create whose computer is unknown makes the list urgent', () => {
	const wish: OperationSpec = { key: 'n', operation: 'create' };
	const state = after(
		emptyState,
		list,
		{ type: 'operationAsked', wish },
		{ type: 'operationSent', key: 'n' },
	);
	expect(subjectsOf(state)?.isListUrgent).toBe(true);
});

test('the same value comes again while nothing in it changed', () => {
	let state = after(emptyState, list);
	const subjects = createPollableFleet(() => state.accounts.get(account));
	const first = subjects();
	state = after(state, { type: 'creditsRead', credits: { balance: 1 } });
	expect(subjects()).toBe(first);
	state = after(state, { type: 'listRead', computers: [] });
	expect(subjects()).not.toBe(first);
});
