import { expect, test } from 'vitest';
import type { Phase } from '../../source/fleet/computers/computer.ts';
import { globalIdOf } from '../../source/fleet/computers/global-id.ts';
import type { Operation } from '../../source/fleet/operations/operation.ts';
import {
	type FleetRow,
	isInTrouble,
	troubleOrderOf,
	troubleRankOf,
} from '../../source/store/selectors.ts';
import type { ComputerState } from '../../source/store/state.ts';
import { emptyAccount } from '../../source/store/state.ts';
import { createStore } from '../../source/store/store.ts';
import { now } from '../arbitraries/values.ts';

function computerIn(phase: Phase): ComputerState {
	const store = createStore();
	const computers = [{ id: 'sb_1', name: 'atlas', status: phase }];
	store.receive([{ account: 'test', at: now, type: 'listRead', computers }]);
	const account = store.getState().accounts.get('test') ?? emptyAccount;
	const computer = account.computers.get('sb_1');
	if (!computer) throw new Error('the list has no computer');
	return computer;
}

const rowIn = (phase: Phase, change: Partial<FleetRow> = {}): FleetRow => ({
	id: globalIdOf('test', 'sb_1'),
	account: 'test',
	computer: computerIn(phase),
	isOutdated: false,
	...change,
});

const operation: Operation = {
	spec: { key: 'k1', operation: 'stop', computer: 'sb_1' },
	stage: 'sent',
	askedAt: now,
	hasPhaseChanged: false,
};
const lost = { ...operation, stage: 'unknown' as const };

test('the order by trouble is error, unknown outcome, changing, behind, the rest, archived', () => {
	const rows = [
		rowIn('error'),
		rowIn('active', { operation: lost }),
		rowIn('creating'),
		rowIn('active', { isOutdated: true }),
		rowIn('active'),
		rowIn('archived', { isOutdated: true }),
	];
	expect(rows.map(troubleRankOf)).toEqual([0, 1, 2, 3, 4, 5]);
	expect(rows.map(isInTrouble)).toEqual([true, true, false, false, false, false]);
});

test('a computer is changing once an operation on it was sent, and keeps its place while the operation waits', () => {
	const changing = troubleRankOf(rowIn('stopping'));
	expect(troubleRankOf(rowIn('active', { operation }))).toBe(changing);
	const counting = { ...operation, stage: 'counting' as const };
	expect(troubleRankOf(rowIn('active', { operation: counting }))).toBe(
		troubleRankOf(rowIn('active')),
	);
});

test('a stopped computer does not count as trouble', () => {
	expect(troubleRankOf(rowIn('stopped'))).toBe(troubleRankOf(rowIn('active')));
});

test('the newest error comes first, then errors that began before the first read, then unknown outcomes', () => {
	const since = (at: number, isLowerBound = false) => ({
		computer: { ...computerIn('error'), since: { at, isLowerBound } },
	});
	const rows = [
		rowIn('active', { operation: { ...operation, stage: 'failed', endedAt: now + 2 } }),
		rowIn('error', since(now + 1)),
		rowIn('error', since(now)),
		rowIn('error', since(now + 3, true)),
		rowIn('active', { operation: { ...lost, sentAt: now } }),
		rowIn('active', { operation: lost }),
		rowIn('creating'),
	];
	const places = rows.map(troubleOrderOf);
	expect(places).toEqual([...new Set(places)].sort((a, b) => a - b));
});
