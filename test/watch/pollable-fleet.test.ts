import fc from 'fast-check';
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

test('computers that are being created are urgent, and archived computers are not polled', () => {
	const fleet = fleetAfter(after(emptyState, list));
	expect(fleet?.computers).toEqual([
		{ id: 'a', urgentSince: null, hasFailed: false },
		{ id: 'b', urgentSince: at, hasFailed: false },
		{ id: 'd', urgentSince: null, hasFailed: false },
	]);
	expect(fleet?.listFields?.has('status')).toBe(true);
});

test('the fields of the list are unknown before the first list', () => {
	const fleet = fleetAfter(after(emptyState, { type: 'creditsRead', credits: { balance: 1 } }));
	expect(fleet).toEqual({
		computers: [],
		listFields: null,
		isListUrgent: false,
		movingSince: null,
	});
});

test('a computer becomes urgent when its operation is sent, but not while the operation waits', () => {
	const asked = after(emptyState, list, { type: 'operationAsked', wish: stop });
	expect(fleetAfter(asked)?.computers[0]).toMatchObject({ id: 'a', urgentSince: null });
	const sent = fold(asked, { account, at: at + 9, type: 'operationSent', key: 'k' });
	expect(fleetAfter(sent)?.computers[0]).toMatchObject({
		id: 'a',
		urgentSince: at + 9,
	});
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

test('every changing computer is urgent where the list does not include the status', () => {
	const computers = [{ id: 'a' }, { id: 'd' }];
	const stopping: FactBody = { type: 'statusRead', computer: { id: 'd', status: 'stopping' } };
	const fleet = fleetAfter(after(emptyState, { type: 'listRead', computers }, stopping));
	expect(fleet?.computers).toMatchObject([{ urgentSince: null }, { urgentSince: at + 1 }]);
});

test('a fleet counts as moving while an operation of this program or a creation is under way, but not because of other operations', () => {
	const stopping = { id: 'd', status: 'stopping' };
	const calm = after(emptyState, {
		type: 'listRead',
		computers: [{ id: 'a', status: 'active' }, stopping],
	});
	expect(fleetAfter(calm)?.movingSince).toBeNull();
	const asked = after(calm, { type: 'operationAsked', wish: stop });
	const sent = fold(asked, { account, at: at + 9, type: 'operationSent', key: 'k' });
	expect(fleetAfter(sent)?.movingSince).toBe(at + 9);
	const settled = fold(sent, { account, at: at + 10, type: 'operationSettled', key: 'k' });
	expect(fleetAfter(settled)?.movingSince).toBeNull();
	const creating = { id: 'b', status: 'provisioning' };
	const created = after(emptyState, { type: 'listRead', computers: [creating] });
	expect(fleetAfter(created)?.movingSince).toBe(at);
});

test('only a failed computer whose list entry lacks the error counts as failed', () => {
	const failed = { id: 'a', status: 'error' };
	const fleetWith = (computer: { id: string; status: string; error?: string }) =>
		fleetAfter(after(emptyState, { type: 'listRead', computers: [computer] }))?.computers[0];
	expect(fleetWith(failed)?.hasFailed).toBe(true);
	expect(fleetWith({ ...failed, error: 'no room' })?.hasFailed).toBe(false);
});

test('the pollable fleet stays the same object until one of its values changes', () => {
	let state = after(emptyState, list);
	const pollableFleet = createPollableFleetSelector(() => state.accounts.get(account));
	const first = pollableFleet();
	state = after(state, { type: 'creditsRead', credits: { balance: 1 } });
	expect(pollableFleet()).toBe(first);
	const busier = { id: 'a', status: 'active', cpu: 99 };
	state = after(state, { type: 'statusRead', computer: busier });
	expect(pollableFleet()).toBe(first);
	state = after(state, { type: 'listRead', computers: [] });
	expect(pollableFleet()).not.toBe(first);
});

test('a pollable fleet that follows each answer is the same as one from the last answer alone', () => {
	const computer = fc.record({
		id: fc.constantFrom('a', 'b', 'c', 'd'),
		status: fc.constantFrom('active', 'provisioning', 'error', 'archived', 'restarting'),
		cpu: fc.integer({ min: 0, max: 2 }),
	});
	const facts = fc.oneof(
		fc.uniqueArray(computer, { selector: ({ id }) => id }).map(computers => {
			return { type: 'listRead', computers } as const;
		}),
		computer.map(computer => ({ type: 'statusRead', computer }) as const),
	);
	fc.assert(
		fc.property(fc.array(facts, { maxLength: 8 }), facts => {
			let state = emptyState;
			const following = createPollableFleetSelector(() => state.accounts.get(account));
			for (const fact of facts) {
				state = after(state, fact);
				expect(following()).toEqual(fleetAfter(state));
			}
		}),
	);
});
