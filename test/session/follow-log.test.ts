import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createStore as createRecorder } from 'zustand/vanilla';
import type { OperationMove } from '../../source/fleet/change.ts';
import type { FactBody } from '../../source/fleet/fact.ts';
import { appendLines } from '../../source/journal/log-files.ts';
import { followLog } from '../../source/session/follow-log.ts';
import type { Host } from '../../source/session/host.ts';
import type { AccountSession } from '../../source/session/session.ts';
import { operationIn } from '../../source/store/our-operations.ts';
import { emptyAccount } from '../../source/store/state.ts';
import { createStore } from '../../source/store/store.ts';
import { operationChanged } from '../arbitraries/sample-facts.ts';
import { createHeldClock } from '../held-clock.ts';

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
