import { expect, test } from 'vitest';
import type { Fact } from '../../source/fleet/fact.ts';
import type { OperationSpec } from '../../source/fleet/operations/operation.ts';
import { fold } from '../../source/store/fold.ts';
import { emptyState, type State } from '../../source/store/state.ts';
import {
	createPollableFleetSelector,
	pollableFleetFrom,
} from '../../source/watch/pollable-fleet.ts';

const at = Date.UTC(2026, 10, 21, 8);
const account = 'one';

type FactBody = Fact extends infer F ? (F extends Fact ? Omit<F, 'account' | 'at'> : never) : never;

const after = (state: State, ...bodies: readonly FactBody[]): State =>
	bodies.reduce((before, each, place) => fold(before, { account, at: at + place, ...each }), state);

const list: FactBody = {
	type: 'listRead',
	computers: [
		{ id: 'a', status: 'active' },
		{ id: 'b', status: 'provisioning' },
		{ id: 'c', status: 'archived' },
		{ id: 'd', status: 'stopping' },
	],
};

const stop: OperationSpec = { key: 'k', operation: 'stop', computer: 'a' };

const fleetAfter = (state: State) => {
	const one = state.accounts.get(account);
	return one && pollableFleetFrom(one);
};

test('changing computers are urgent, and archived computers are not polled', () => {
	const fleet = fleetAfter(after(emptyState, list));
	expect(fleet?.computers).toEqual([
		{ id: 'a', urgentSince: null },
		{ id: 'b', urgentSince: at },
		{ id: 'd', urgentSince: at },
	]);
	expect(fleet?.listFields?.has('status')).toBe(true);
});

test('the fields of the list are unknown before the first list', () => {
	const fleet = fleetAfter(after(emptyState, { type: 'creditsRead', credits: { balance: 1 } }));
	expect(fleet).toEqual({ computers: [], listFields: null, isListUrgent: false });
});

test('a computer becomes urgent when its operation is sent, and not while the operation waits', () => {
	const asked = after(emptyState, list, { type: 'operationAsked', wish: stop });
	expect(fleetAfter(asked)?.computers[0]).toEqual({ id: 'a', urgentSince: null });
	const sent = fold(asked, { account, at: at + 9, type: 'operationSent', key: 'k' });
	expect(fleetAfter(sent)?.computers[0]).toEqual({ id: 'a', urgentSince: at + 9 });
});

test('the list is urgent until it contains the computer that is being created', () => {
	const wish: OperationSpec = { key: 'n', operation: 'create' };
	const state = after(
		emptyState,
		list,
		{ type: 'operationAsked', wish },
		{ type: 'operationSent', key: 'n' },
	);
	expect(fleetAfter(state)?.isListUrgent).toBe(true);
});

test('the pollable fleet stays the same object until one of its values changes', () => {
	let state = after(emptyState, list);
	const pollableFleet = createPollableFleetSelector(() => state.accounts.get(account));
	const first = pollableFleet();
	state = after(state, { type: 'creditsRead', credits: { balance: 1 } });
	expect(pollableFleet()).toBe(first);
	state = after(state, { type: 'listRead', computers: [] });
	expect(pollableFleet()).not.toBe(first);
});
