import { expect, test } from 'vitest';
import type { Change } from '../../source/fleet/change.ts';
import type { Phase } from '../../source/fleet/computers/computer.ts';
import { globalIdOf } from '../../source/fleet/computers/global-id.ts';
import type { Fact, FactBody } from '../../source/fleet/fact.ts';
import type { Operation } from '../../source/fleet/operations/operation.ts';
import { createFailure } from '../../source/platform/decoding/platform-error.ts';
import {
	createJointRunwaySelector,
	type FleetRow,
	isInTrouble,
	shownOperationByComputer,
	troubleOrderOf,
} from '../../source/store/selectors.ts';
import {
	type AccountState,
	type ComputerState,
	emptyAccount,
	emptyState,
} from '../../source/store/state.ts';
import { createStore, fold } from '../../source/store/store.ts';
import { operationChanged } from '../arbitraries/sample-facts.ts';
import { now } from '../arbitraries/values.ts';
import { profileOf } from '../opened-account.ts';

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
	isBehind: false,
	listFields: new Set(),
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
		rowIn('active', { isBehind: true }),
		rowIn('stopped'),
		rowIn('archived', { isBehind: true }),
	];
	expect(rows.toSorted((a, b) => troubleOrderOf(a) - troubleOrderOf(b))).toEqual(rows);
	expect(rows.map(isInTrouble)).toEqual([true, true, false, false, false, false]);
});

test('a computer is changing once an operation on it was sent, and keeps its place while the operation waits', () => {
	const changing = troubleOrderOf(rowIn('stopping'));
	expect(troubleOrderOf(rowIn('active', { operation }))).toBe(changing);
	const counting = { ...operation, stage: 'counting' as const };
	expect(troubleOrderOf(rowIn('active', { operation: counting }))).toBe(
		troubleOrderOf(rowIn('active')),
	);
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

const shownAfter = (...bodies: readonly FactBody[]) => {
	const facts = bodies.map((body, at): Fact => ({ account: 'a', at, ...body }));
	const { operations } = facts.reduce(fold, emptyState).accounts.get('a') ?? emptyAccount;
	return shownOperationByComputer(operations).get('sb_1')?.spec.operation;
};

const asked = (key: string, operation: string, until?: number): FactBody =>
	operationChanged(
		{ key, operation, computer: 'sb_1' },
		until === undefined ? 'queued' : 'counting',
		{ until },
	);

test('a row shows the countdown of a stop although an own command was asked for later', () => {
	const command = { key: 'k2', operation: 'command ping', computer: 'sb_1' };
	const sent = operationChanged(command, 'sent', { sent: 2 });
	const failure = createFailure('invalid', 'ended with code 1');
	const failed = operationChanged(command, 'failed', { sent: 2, ended: 3 }, { failure });
	const stop = asked('k1', 'stop', 5_000);
	const stopOf = { key: 'k1', operation: 'stop', computer: 'sb_1' };
	const stopSent = operationChanged(stopOf, 'sent', { sent: 4 });
	const ping = asked('k2', 'command ping');
	expect(shownAfter(stop, ping, sent)).toBe('stop');
	expect(shownAfter(stop, ping, sent, failed)).toBe('stop');
	expect(shownAfter(stop, ping, sent, failed, stopSent)).toBe('stop');
	expect(shownAfter(ping, sent, failed)).toBe('command ping');
	expect(shownAfter(ping, sent, asked('k3', 'restart'))).toBe('restart');
});

test('credits are low when the log says so, as the setting of their account says', () => {
	const accountWith = (balance: number, changes: readonly Change[] = []) => {
		const samples = Array.from({ length: 61 }, (_, minute) => ({
			at: now + minute * 60_000,
			balance: balance + (60 - minute) / 60,
		}));
		return { ...emptyAccount, credits: { balance }, samples, changes };
	};
	const low: Change = { type: 'accountNoted', at: now, notBefore: now, event: 'creditsLow' };
	const runwayOf = createJointRunwaySelector();
	const isLow = (state: AccountState, days = 1) => {
		const profile = profileOf('work', { lowCreditsMs: days * 86_400_000 });
		return runwayOf([{ profile, state }])?.level === 'low';
	};
	expect([26, 23].map(balance => isLow(accountWith(balance)))).toEqual([false, true]);
	// What was low stays so until it lasts clearly longer.
	expect([26, 30].map(balance => isLow(accountWith(balance, [low])))).toEqual([true, false]);
	expect(isLow(accountWith(40), 2)).toBe(true);
	const [work, lab] = [profileOf('work'), profileOf('lab', { lowCreditsMs: 0 })];
	const [much, little] = [accountWith(40), accountWith(23)];
	const bothWith = (ofWork: AccountState, ofLab: AccountState) => [
		{ profile: work, state: ofWork },
		{ profile: lab, state: ofLab },
	];
	expect(runwayOf(bothWith(much, little))?.level).toBe('enough');
	expect(runwayOf(bothWith(little, much))?.level).toBe('low');
});
