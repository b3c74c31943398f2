import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createStore as createRecorder } from 'zustand/vanilla';
import { accountKey } from '../../source/accounts/credentials.ts';
import type { OperationMove } from '../../source/fleet/change.ts';
import type { FactBody } from '../../source/fleet/fact.ts';
import { createActivity } from '../../source/foundation/activity.ts';
import { appendLines, readLines } from '../../source/journal/log-files.ts';
import { followLog } from '../../source/session/follow-log.ts';
import type { Host } from '../../source/session/host.ts';
import type { AccountSession } from '../../source/session/session.ts';
import { journalPlace, openElection } from '../../source/session/state-folder.ts';
import { operationIn } from '../../source/store/our-operations.ts';
import { emptyAccount } from '../../source/store/state.ts';
import { createStore } from '../../source/store/store.ts';
import { operationChanged } from '../arbitraries/sample-facts.ts';
import { bootIdentity, createOperateHost, startSimulator } from '../cli/host.ts';
import { createHeldClock } from '../held-clock.ts';
import { openOnlySession } from '../open-session.ts';
import { profileOf } from '../opened-account.ts';

const account = 'work';
const otherId = 'other';
const wish = { key: 'k1', operation: 'stop', computer: 'sb_1', name: 'atlas' };

/** Opens a pane that reads the steps which another process adds to the journal, after the `earlier` ones. */
function openPane(...earlier: readonly OperationMove['to'][]) {
	const home = mkdtempSync(join(tmpdir(), 'crowsnest-follow-'));
	const directory = join(home, 'state', 'log');
	const clock = createHeldClock();
	const store = createStore();
	const closing = new AbortController();
	onTestFinished(() => {
		closing.abort();
		rmSync(home, { recursive: true });
	});
	let isOtherRunning = true;
	const lineOf = (to: OperationMove['to'], more: Partial<OperationMove> = {}, machine?: string) => {
		const what = { type: 'operationMoved', at: clock.now(), wish, to, took: 0, ...more };
		return JSON.stringify({ version: 1, account, what: { ...what, pane: otherId }, machine });
	};
	const append = (line: string) => appendLines(directory, [line], clock.now());
	for (const to of earlier) append(lineOf(to));
	const program = { env: { CROWSNEST_STATE_DIR: join(home, 'state') } };
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
	return {
		store,
		state,
		read,
		stage: () => operationIn(state(), wish.key)?.stage,
		loggedSteps: () =>
			state().changes.flatMap(change => (change.type === 'operationMoved' ? change.to : [])),
		async journal(...line: Parameters<typeof lineOf>) {
			append(lineOf(...line));
			await read();
		},
		/** Takes over from a recorder that has just written this step. */
		takeOverAfter(to: OperationMove['to'], others: readonly Partial<OperationMove>[]) {
			for (const more of [{}, ...others]) append(lineOf(to, more));
			recorder.setState(true);
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
		const pane = openPane();
		await pane.read();
		await pane.journal('sent');
		expect(pane.stage()).toBe('sent');
		await pane.journal(to, { message: 'the platform says why' });
		expect(pane.stage()).toBe(stage);
		expect(pane.loggedSteps()).toEqual(['sent', to]);
	},
);

test('an operation that a command leaves accepted counts as accepted in an open pane, also after the command has ended', async () => {
	const pane = openPane();
	await pane.read();
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

test('an operation of another machine with the same home folder is not followed, because its process is unknown here', async () => {
	const pane = openPane();
	await pane.read();
	await pane.journal('sent', {}, 'another machine');
	await pane.endOther();
	expect(pane.stage()).toBe(undefined);
	expect(pane.loggedSteps()).toEqual([]);
});

test('a step that arrives from the journal and then over the socket is logged once', async () => {
	const pane = openPane();
	await pane.read();
	const at = pane.now();
	await pane.journal('sent', { at });
	pane.receive(operationChanged(wish, 'sent', { asked: at, sent: at }), at);
	expect(pane.loggedSteps()).toEqual(['sent']);
	expect(pane.stage()).toBe('sent');
});

test('a step that arrives over the socket and then from the journal is logged once', async () => {
	const pane = openPane();
	await pane.read();
	const at = pane.now();
	pane.receive(operationChanged(wish, 'sent', { asked: at, sent: at }), at);
	await pane.journal('sent', { at });
	expect(pane.loggedSteps()).toEqual(['sent']);
});

test('an operation whose end stands in the log is over, also if a leader told of it as under way', async () => {
	const pane = openPane('sent', 'settled');
	await pane.read();
	const at = pane.now();
	pane.receive(operationChanged(wish, 'accepted', { asked: at, sent: at, accepted: at }), at);
	await pane.endOther();
	expect(pane.loggedSteps()).toEqual(['sent', 'settled']);
});

test('whoever becomes the recorder knows what the recorder before has written', async () => {
	const pane = openPane();
	const others = ['k2', 'k3'].map(key => ({ wish: { ...wish, key } }));
	await pane.read();
	await pane.journal('sent');
	for (const other of others) await pane.journal('sent', other);
	const open: number[] = [];
	pane.store.subscribe(() => open.push(pane.state().operations.size));
	pane.takeOverAfter('settled', others);
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
	const { baseUrl, authUrl, anonKey, email, password, clock } = simulator;
	const account = accountKey({ baseUrl, user: email });
	const directory = join(folder, 'state', 'log');
	Object.assign(host, { activity, bootIdentity });
	const election = openElection(host, account);
	const other = openElection({ ...host, processId: running }, account);
	await other?.listen();
	const lines = steps.map(
		({ secondsAgo, operation, to = 'sent', pane = killed, name = 'atlas', machine }, place) => {
			const computer = simulator.world.get(name).id;
			const wish = { key: `k-${operation}-${computer}`, operation, computer, name };
			const at = clock.now() - secondsAgo * second + place;
			const what = { type: 'operationMoved', at, wish, to, took: 0, pane };
			return JSON.stringify({ version: 1, account, what, machine });
		},
	);
	appendLines(directory, lines, clock.now());

	const session = openOnlySession(host, {
		profile: profileOf(account),
		baseUrl,
		fetch: host.fetch,
		election,
		keeping: { ...journalPlace(host), onProblem: expect.unreachable },
		credentials: { kind: 'password', authUrl, anonKey, email, password: async () => password },
	});
	followLog(host, session);
	let isClosed = false;
	async function close() {
		if (isClosed) return;
		isClosed = true;
		await session.close();
		other?.close();
	}
	onTestFinished(close);
	/** Lets time pass whenever nothing is under way, until the condition is true. */
	async function until(isSo: () => boolean) {
		const end = clock.now() + 60 * minute;
		for (let turns = 1; !isSo(); turns += 1) {
			if (clock.now() > end || turns > 1_000_000) throw new Error('the condition never held');
			await new Promise(setImmediate);
			if (turns % 5 === 0 && activity.pendingCount === 0) clock.move(500);
		}
	}
	const stateNow = () => session.store.getState().accounts.get(account) ?? emptyAccount;
	const movesIn = (changes: readonly object[]) =>
		(changes as OperationMove[]).flatMap(({ type, wish, to, pane, message }) =>
			type === 'operationMoved' ? [[wish.operation, wish.name, to, pane, message]] : [],
		);
	return {
		simulator,
		stateNow,
		/** Starts reading, and waits until the log has a move to this stage. */
		async reach(...stages: readonly OperationMove['to'][]) {
			session.watch.start();
			await until(() =>
				stages.every(to => movesIn(stateNow().changes).some(move => move[2] === to)),
			);
		},
		async hasRead(lists: number) {
			session.watch.start();
			let count = 0;
			session.store.onFact(({ type }) => {
				if (type === 'listRead') count += 1;
			});
			await until(() => count >= lists);
		},
		/** Waits until no outcome is looked up any more. */
		hasEnded: () =>
			until(() => [...stateNow().operations.values()].every(({ stage }) => stage === 'failed')),
		moves: () => movesIn(stateNow().changes),
		/** Closes the session, and returns the moves in the journal. */
		async journalled() {
			await close();
			return movesIn(readLines(directory).map(line => JSON.parse(line).what));
		},
	};
}

const endedText = 'crowsnest ended while it ran';

test('the stop of a process that was killed is unknown, and done once the list shows the computer stopped', async () => {
	const session = await openAfter({ secondsAgo: 10, operation: 'stop' });
	session.simulator.world.sleep('atlas');
	await session.reach('unknown', 'settled');
	const expected = [
		['stop', 'atlas', 'sent', killed, undefined],
		['stop', 'atlas', 'unknown', killed, endedText],
		['stop', 'atlas', 'settled', killed, undefined],
	];
	expect(session.moves()).toEqual(expected);
	expect(await session.journalled()).toEqual(expected);
});

test('the stop of a process that was killed was probably not done if the computer still runs half a minute later', async () => {
	const session = await openAfter({ secondsAgo: 10, operation: 'stop' });
	await session.reach('failed');
	const [, unknown, failed] = session.moves();
	expect(unknown?.at(-1)).toBe(endedText);
	expect(failed?.at(-1)).toMatch(
		/^crowsnest ended while it ran, and \d+ s later the computer is active: probably not done$/,
	);
});

test('a restart or an update of a killed process is never called done without a reading from before the request', async () => {
	const session = await openAfter(
		{ secondsAgo: 10, operation: 'restart' },
		{ secondsAgo: 10, operation: 'update', name: 'borealis' },
	);
	await session.reach('failed', 'unknown');
	await session.hasEnded();
	expect(session.moves().some(([, , to]) => to === 'settled')).toBe(false);
});

test('the own command of a process that was killed ends as unknown', async () => {
	const session = await openAfter({ secondsAgo: 10, operation: 'command backup' });
	await session.reach('unknown');
	const [operation] = session.stateNow().operations.values();
	expect(operation).toMatchObject({
		stage: 'failed',
		pane: killed,
		failure: { message: endedText, isOutcomeUnknown: true },
	});
	expect(await session.journalled()).toEqual([
		['command backup', 'atlas', 'sent', killed, undefined],
		['command backup', 'atlas', 'unknown', killed, endedText],
	]);
});

test('the outcome of an operation of long ago stays unknown, whatever the list shows now', async () => {
	const session = await openAfter({ secondsAgo: 61 * 60, operation: 'stop' });
	session.simulator.world.sleep('atlas');
	await session.hasRead(3);
	expect(session.moves().map(([, , to]) => to)).toEqual(['sent', 'unknown']);
});

test('an operation of another machine never counts as abandoned, because only that machine knows its processes', async () => {
	const machine = 'another machine';
	const session = await openAfter(
		{ secondsAgo: 10, operation: 'stop', machine },
		{ secondsAgo: 70 * 60, operation: 'restart', name: 'borealis', machine },
	);
	await session.hasRead(3);
	expect(session.stateNow().operations.size).toBe(0);
	expect(session.moves()).toHaveLength(2);
});

test('an operation that has ended is left alone, and one whose process still runs is under way', async () => {
	const session = await openAfter(
		{ secondsAgo: 50, operation: 'stop' },
		{ secondsAgo: 40, operation: 'stop', to: 'settled' },
		{ secondsAgo: 30, operation: 'restart', pane: running, name: 'borealis' },
	);
	await session.hasRead(3);
	const known = [...session.stateNow().operations.values()];
	expect(known.map(({ spec, stage }) => [spec.operation, stage])).toEqual([['restart', 'sent']]);
	expect(session.moves()).toHaveLength(3);
});
