import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Reading } from '../../source/fleet/computers/computer.ts';
import type { Fact } from '../../source/fleet/fact.ts';
import type { OperationSpec } from '../../source/fleet/operations/operation.ts';
import { fold } from '../../source/store/fold.ts';
import { emptyState, type State } from '../../source/store/state.ts';
import {
	createPollableFleetSelector,
	pollableFleetFrom,
} from '../../source/watch/pollable-fleet.ts';
import { operationChanged } from '../arbitraries/sample-facts.ts';

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
	expect(fleet?.computers).toMatchObject([
		{ id: 'a', urgentSince: null },
		{ id: 'b', urgentSince: at },
		{ id: 'd', urgentSince: null },
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
	const asked = after(emptyState, list, operationChanged(stop, 'queued'));
	expect(fleetAfter(asked)?.computers[0]).toMatchObject({ id: 'a', urgentSince: null });
	const sent = fold(asked, {
		account,
		at: at + 9,
		...operationChanged(stop, 'sent', { sent: at + 9 }),
	});
	expect(fleetAfter(sent)?.computers[0]).toMatchObject({
		id: 'a',
		urgentSince: at + 9,
	});
});

test('the list is urgent until it contains the computer that is being created', () => {
	const wish: OperationSpec = { key: 'n', operation: 'create' };
	const state = after(emptyState, list, operationChanged(wish, 'sent', { sent: at + 1 }));
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
	const asked = after(calm, operationChanged(stop, 'queued'));
	const sent = fold(asked, {
		account,
		at: at + 9,
		...operationChanged(stop, 'sent', { sent: at + 9 }),
	});
	expect(fleetAfter(sent)?.movingSince).toBe(at + 9);
	const settled = fold(sent, { account, at: at + 10, ...operationChanged(stop, 'done') });
	expect(fleetAfter(settled)?.movingSince).toBeNull();
	const creating = { id: 'b', status: 'provisioning' };
	const created = after(emptyState, { type: 'listRead', computers: [creating] });
	expect(fleetAfter(created)?.movingSince).toBe(at);
});

const listOf = (...computers: Reading[]) => ({ type: 'listRead', computers }) as const;
const statusOf = (computer: Reading) => ({ type: 'statusRead', computer }) as const;
const releaseOf = (version: string) =>
	({ type: 'releaseRead', release: { version, changes: [] } }) as const;
const needAfter = (...facts: FactBody[]) =>
	fleetAfter(after(emptyState, ...facts))?.computers[0]?.statusNeed;

test('a status is needed for a reason and a version that the list does not tell', () => {
	const a = (reading: Partial<Reading>) => needAfter(listOf({ id: 'a', ...reading }));
	expect(a({ status: 'error' })).toBe('reason');
	expect(a({ status: 'error', error: 'no room' })).toBe('otherVersion');
	expect(a({ status: 'error', error: 'no room', version: '1.4.2' })).toBeNull();
	expect(a({ status: 'active' })).toBe('version');
	expect(a({ status: 'active', version: '1.4.2' })).toBeNull();
	expect(a({ status: 'stopped' })).toBe('otherVersion');
	expect(a({ status: 'stopped', version: '1.4.2' })).toBeNull();
	expect(a({ status: 'provisioning' })).toBeNull();
	expect(a({})).toBeNull();
});

test('a status that was read is needed again after a change, an accepted operation, and a newer release', () => {
	const active = { id: 'a', status: 'active' };
	const told = { ...active, version: '1.4.2' };
	const read = [listOf(active), statusOf(told), releaseOf('1.4.2'), listOf(active)] as const;
	expect(needAfter(...read)).toBeNull();
	const stopped = [...read, listOf({ id: 'a', status: 'stopped' })] as const;
	expect(needAfter(...stopped)).toBeNull();
	expect(needAfter(...stopped, listOf(active))).toBe('version');
	expect(needAfter(...stopped, listOf(active), statusOf(told))).toBeNull();
	expect(needAfter(...read, listOf({ id: 'a', status: 'error' }))).toBe('reason');
	const restart: OperationSpec = { key: 'k', operation: 'restart', computer: 'a' };
	const accepted = [
		...read,
		operationChanged(restart, 'accepted', { sent: at + 1, accepted: at + 2 }),
	] as const;
	expect(needAfter(...accepted)).toBe('version');
	expect(needAfter(...accepted, statusOf(told))).toBeNull();
	expect(needAfter(...read, releaseOf('1.5.0'))).toBe('newerVersion');
	expect(needAfter(...read, releaseOf('1.5.0'), statusOf(told))).toBeNull();
});

test('a status without a reason or a version counts as read, and so does one that does not exist', () => {
	const failed = { id: 'a', status: 'error' };
	expect(needAfter(listOf(failed), statusOf(failed))).toBeNull();
	const active = { id: 'a', status: 'active' };
	expect(needAfter(listOf(active), statusOf(active))).toBeNull();
	const missed = { type: 'computerMissed', id: 'a' } as const;
	expect(needAfter(listOf(active), missed, listOf(active))).toBeNull();
});

test('a status answer that an accepted operation has outdated does not count', () => {
	const active = { id: 'a', status: 'active' };
	const restart: OperationSpec = { key: 'k', operation: 'restart', computer: 'a' };
	const state = after(
		emptyState,
		listOf(active),
		operationChanged(restart, 'accepted', { sent: at + 1, accepted: at + 2 }),
	);
	const answer = { account, at: at + 9, askedAt: at, ...statusOf(active) };
	expect(fleetAfter(fold(state, answer))?.computers[0]?.statusNeed).toBe('version');
});

test('details are lacking while they may have a field that nobody has read', () => {
	const lacks = (...facts: FactBody[]) =>
		fleetAfter(after(emptyState, ...facts))?.computers[0]?.lacksDetail;
	const active = { id: 'a', status: 'active' };
	const detail = { type: 'detailRead', computer: { ...active, cpu: 12 } } as const;
	expect(lacks(listOf(active))).toBe(true);
	expect(lacks(listOf(active), detail, listOf(active))).toBe(false);
	const [stopped, failed] = [
		{ id: 'a', status: 'stopped' },
		{ id: 'a', status: 'error' },
	];
	expect(lacks(listOf(active), detail, listOf(stopped))).toBe(false);
	expect(lacks(listOf(active), detail, listOf(stopped), listOf(active))).toBe(true);
	expect(lacks(listOf(failed))).toBe(false);
});

test('the pollable fleet stays the same object until one of its values changes', () => {
	const listed = { id: 'a', status: 'active', cpu: 98 };
	let state = after(emptyState, list, { type: 'statusRead', computer: listed });
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
