import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createStore as createRecorder } from 'zustand/vanilla';
import { accountKey } from '../../source/accounts/credentials.ts';
import type { OperationMove } from '../../source/fleet/change.ts';
import type { FactBody } from '../../source/fleet/fact.ts';
import { createActivity } from '../../source/foundation/activity.ts';
import { appendLines, changeIn, logLine, readLines } from '../../source/journal/log-files.ts';
import { followLog } from '../../source/session/follow-log.ts';
import type { Host } from '../../source/session/host.ts';
import {
	type AccountSession,
	createSharedParts,
	openConfigured,
} from '../../source/session/session.ts';
import { loadSettings, requireAccount } from '../../source/session/settings.ts';
import { openElection } from '../../source/session/state-folder.ts';
import { operationIn } from '../../source/store/our-operations.ts';
import { emptyAccount } from '../../source/store/state.ts';
import { createStore } from '../../source/store/store.ts';
import { operationChanged } from '../arbitraries/sample-facts.ts';
import { bootIdentity, createOperateHost, startSimulator } from '../cli/host.ts';
import { createHeldClock } from '../held-clock.ts';
import { temporaryFolder } from '../journal/state-directory.ts';

const account = 'work';
const otherId = 'other';
const wish = { key: 'k1', operation: 'stop', computer: 'sb_1', name: 'atlas' };

/** Opens a pane that reads the steps which another process adds to the journal, after the `earlier` ones. */
async function openPane(...earlier: readonly OperationMove['to'][]) {
	const home = temporaryFolder();
	const directory = join(home, 'log');
	const clock = createHeldClock();
	const store = createStore();
	const closing = new AbortController();
	onTestFinished(() => closing.abort());
	let isOtherRunning = true;
	const append = (to: OperationMove['to'], more: Partial<OperationMove> = {}, machine?: string) => {
		const move = { type: 'operationMoved', at: clock.now(), wish, to, took: 0 } as const;
		const line = logLine(account, { ...move, pane: otherId, ...more }, machine);
		appendLines(directory, [line], clock.now());
	};
	for (const to of earlier) append(to);
	const program = { env: { CROWSNEST_STATE_DIR: home } };
	const host = { program, clock, home, processId: 'this' } as unknown as Host;
	const recorder = createRecorder(() => false);
	const election = { hasEnded: async (id: string) => id === otherId && !isOtherRunning };
	const { signal } = closing;
	followLog(host, { account, store, signal, recorder, election } as unknown as AccountSession);
	const state = () => store.getState().accounts.get(account) ?? emptyAccount;
	/** Waits until everything in the journal has been read. */
	async function read() {
		await new Promise(setImmediate);
		clock.move(1_000);
		await new Promise(setImmediate);
	}
	await read();
	return {
		store,
		state,
		recorder,
		append,
		stage: () => operationIn(state(), wish.key)?.stage,
		loggedSteps: () =>
			state().changes.flatMap(change => (change.type === 'operationMoved' ? change.to : [])),
		async journal(...line: Parameters<typeof append>) {
			append(...line);
			await read();
		},
		/** Receives a fact of the other process over the socket. */
		receive(body: FactBody, at = clock.now()) {
			store.receive([{ account, at, pane: otherId, ...body }]);
		},
		async endOther() {
			isOtherRunning = false;
			await read();
		},
		now: clock.now,
	};
}

test.each([
	['settled', 'done'],
	['failed', 'failed'],
	['unknown', 'unknown'],
	['cancelled', 'cancelled'],
] as const)(
	'the journalled step "%s" of a command is a step in an open pane',
	async (to, stage) => {
		const pane = await openPane();
		await pane.journal('sent');
		expect(pane.stage()).toBe('sent');
		await pane.journal(to, { message: 'the platform says why' });
		expect(pane.stage()).toBe(stage);
		expect(pane.loggedSteps()).toEqual(['sent', to]);
	},
);

test('an operation that a command leaves accepted counts as accepted in an open pane, also after the command has ended', async () => {
	const pane = await openPane();
	await pane.journal('sent');
	await pane.journal('sent', { isAccepted: true });
	expect(pane.stage()).toBe('accepted');
	await pane.endOther();
	expect(operationIn(pane.state(), wish.key)).toMatchObject({
		stage: 'accepted',
		pane: otherId,
		abandonedAt: expect.any(Number),
	});
	expect(pane.loggedSteps()).toEqual(['sent']);
});

test.each([
	['from the journal and then over the socket', ['journal', 'receive']],
	['over the socket and then from the journal', ['receive', 'journal']],
] as const)('a step that arrives %s is logged once', async (_, ways) => {
	const pane = await openPane();
	const at = pane.now();
	for (const way of ways)
		if (way === 'journal') await pane.journal('sent', { at });
		else
			pane.receive(operationChanged(wish, 'accepted', { asked: at, sent: at, accepted: at }), at);
	expect(pane.loggedSteps()).toEqual(['sent']);
	expect(pane.stage()).toBe('accepted');
});

test('an operation whose end stands in the log is over, also if a leader told of it as under way', async () => {
	const pane = await openPane('sent', 'settled');
	const at = pane.now();
	pane.receive(operationChanged(wish, 'accepted', { asked: at, sent: at, accepted: at }), at);
	await pane.endOther();
	expect(pane.loggedSteps()).toEqual(['sent', 'settled']);
});

test('whoever becomes the recorder knows what the recorder before has written', async () => {
	const pane = await openPane();
	const all = ['k1', 'k2', 'k3'].map(key => ({ wish: { ...wish, key } }));
	for (const each of all) await pane.journal('sent', each);
	const open: number[] = [];
	pane.store.subscribe(() => open.push(pane.state().operations.size));
	for (const each of all) pane.append('settled', each);
	pane.recorder.setState(true);
	expect(pane.stage()).toBe('done');
	// At no time does it look for the outcome of an operation that has ended.
	expect(open).toEqual([0]);
});

const second = 1_000;
const minute = 60 * second;
const killed = 'killed';
const running = 'running';

type Step = {
	secondsAgo: number;
	operation: string;
	to?: OperationMove['to'];
	pane?: string;
	name?: string;
	/** Another machine with the same home folder. */
	machine?: string;
};

/** Opens the account of a simulator on a host whose journal has these steps of operations of other processes. */
async function openAfter(...steps: readonly Step[]) {
	const simulator = await startSimulator({ computers: 3 });
	const { host, folder } = createOperateHost(simulator);
	const activity = createActivity();
	const { clock } = simulator;
	const directory = join(folder, 'state', 'log');
	Object.assign(host, { activity, bootIdentity });
	const settings = requireAccount(host, loadSettings(host, { list: () => [], flag: () => false }));
	const account = accountKey(settings);
	const other = openElection({ ...host, processId: running }, account);
	await other?.listen();
	onTestFinished(() => other?.close());
	const lines = steps.map((step, place) => {
		const { secondsAgo, operation, to = 'sent', pane = killed, name = 'atlas', machine } = step;
		const computer = simulator.world.get(name).id;
		const wish = { key: `k-${operation}-${computer}`, operation, computer, name };
		const at = clock.now() - secondsAgo * second + place;
		return logLine(account, { type: 'operationMoved', at, wish, to, took: 0, pane }, machine);
	});
	appendLines(directory, lines, clock.now());
	const onProblem = expect.unreachable;
	const session = await openConfigured(host, settings, createSharedParts(host, {}), { onProblem });
	onTestFinished(() => session.close());
	followLog(host, session);
	let lists = 0;
	session.store.onFact(({ type }) => {
		if (type === 'listRead') lists += 1;
	});
	const state = () => session.store.getState().accounts.get(account) ?? emptyAccount;
	const movesIn = (changes: ReturnType<typeof state>['changes']) =>
		changes.flatMap(change => (change.type === 'operationMoved' ? change : []));
	return {
		world: simulator.world,
		state,
		moves: () => movesIn(state().changes),
		/** Starts reading, and lets time pass whenever nothing is under way, until the condition is true. */
		async until(isSo: (told: readonly OperationMove['to'][], lists: number) => boolean) {
			session.watch.start();
			const end = clock.now() + 60 * minute;
			const told = () => movesIn(state().changes).map(({ to }) => to);
			for (let turns = 1; !isSo(told(), lists); turns += 1) {
				if (clock.now() > end || turns > 1_000_000) throw new Error('the condition never held');
				await new Promise(setImmediate);
				if (turns % 5 === 0 && activity.pendingCount === 0) clock.move(500);
			}
		},
		/** Returns the moves in the journal. */
		journalled: () => movesIn(readLines(directory).flatMap(line => changeIn(line, account) ?? [])),
	};
}

const message = 'crowsnest ended while it ran';

test('the stop of a process that was killed is unknown, and done once the list shows the computer stopped', async () => {
	const { world, until, moves, journalled } = await openAfter({
		secondsAgo: 10,
		operation: 'stop',
	});
	world.sleep('atlas');
	await until(told => told.includes('settled'));
	const expected = [{ to: 'sent' }, { to: 'unknown', message }, { to: 'settled' }];
	for (const told of [moves(), journalled()])
		expect(told).toMatchObject(expected.map(each => ({ ...each, pane: killed })));
});

test('the stop of a process that was killed was probably not done if the computer still runs half a minute later', async () => {
	const { until, moves } = await openAfter({ secondsAgo: 10, operation: 'stop' });
	await until(told => told.includes('failed'));
	expect(moves().at(-1)?.message).toMatch(
		/^crowsnest ended while it ran, and \d+ s later the computer is active: probably not done$/,
	);
});

test('a restart, an update or an own command of a killed process is never called done without a reading from before the request', async () => {
	const { until, state, journalled } = await openAfter(
		{ secondsAgo: 10, operation: 'restart' },
		{ secondsAgo: 10, operation: 'update', name: 'borealis' },
		{ secondsAgo: 10, operation: 'command backup', name: 'cygnus' },
	);
	await until(
		() =>
			state().operations.size === 3 &&
			[...state().operations.values()].every(({ stage }) => stage === 'failed'),
	);
	const told = journalled();
	expect(told.some(({ to }) => to === 'settled')).toBe(false);
	const ofCommand = told.filter(({ wish }) => wish.operation === 'command backup');
	expect(ofCommand).toMatchObject([{ to: 'sent' }, { to: 'unknown', pane: killed, message }]);
});

test('the outcome of an operation of long ago stays unknown, whatever the list shows now', async () => {
	const { world, until, moves } = await openAfter({ secondsAgo: 61 * 60, operation: 'stop' });
	world.sleep('atlas');
	await until((_, lists) => lists >= 3);
	expect(moves()).toMatchObject([{ to: 'sent' }, { to: 'unknown' }]);
});

test('an operation that has ended or is of another machine is left alone, and one whose process still runs is under way', async () => {
	const machine = 'another machine';
	const { until, state, moves } = await openAfter(
		{ secondsAgo: 70 * 60, operation: 'restart', machine },
		{ secondsAgo: 50, operation: 'stop' },
		{ secondsAgo: 40, operation: 'stop', to: 'settled' },
		{ secondsAgo: 30, operation: 'restart', pane: running, name: 'borealis' },
		{ secondsAgo: 10, operation: 'stop', name: 'cygnus', machine },
	);
	await until((_, lists) => lists >= 3);
	const known = [...state().operations.values()];
	expect(known.map(({ spec, stage }) => [spec.name, stage])).toEqual([['borealis', 'sent']]);
	expect(moves()).toHaveLength(5);
});
