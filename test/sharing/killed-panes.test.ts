import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { OwnCommand } from '../../source/fleet/operations/operation-row.ts';
import { createHooks } from '../../source/journal/hooks.ts';
import { openJournal } from '../../source/journal/journal.ts';
import { changeIn, readLines } from '../../source/journal/log-files.ts';
import { addOwnCommands } from '../../source/operations/own-commands.ts';
import { batchesOf } from '../../source/store/our-operations.ts';
import { createFakeChildren, hookOn } from '../journal/hooked-fleet.ts';
import { ask, openFollowed, openPanes, type Pane } from './panes.ts';

const backup: OwnCommand = {
	name: 'backup',
	label: 'backup',
	program: { type: 'words', words: ['backup', '{name}'] },
	phases: ['active'],
	on: 'marked',
	changes: true,
	confirm: 'wait',
	output: 'none',
};

/** Opens three panes. The first one leads. In each pane, an own command runs until the pane ends. */
async function openThree() {
	const never = () => new Promise<never>(() => {});
	const runner = { run: never } as unknown as Parameters<typeof addOwnCommands>[1]['runner'];
	onTestFinished(addOwnCommands([backup], { runner }));
	return openFollowed(3);
}

function askInActive(pane: Pane, operation: string, count = 1) {
	const active = [...pane.state().computers.values()].filter(({ phase }) => phase === 'active');
	ask(pane, operation, ...active.slice(0, count).map(({ id }) => id));
}

const operationsOf = ({ state }: Pane) => [...state().operations.values()];
const movesOf = ({ state }: Pane) =>
	state().changes.flatMap(change => (change.type === 'operationMoved' ? change : []));
const isSent = (pane: Pane) => operationsOf(pane).some(({ stage }) => stage === 'sent');
const isOver = (pane: Pane) =>
	operationsOf(pane).length > 0 && operationsOf(pane).every(({ stage }) => stage === 'failed');

describe('when the pane that ran an own command is killed', () => {
	test.each([
		['in all other panes, and in those that open later', 1],
		['also if that pane was the leader and the recorder', 0],
	])('the outcome is unknown %s', async (_, place) => {
		const { opened, open, until, kill } = await openThree();
		const [killed] = opened.splice(place, 1);
		if (!killed) throw new Error('no pane');
		askInActive(killed, 'command backup', 2);
		await until(() => opened.every(isSent), 500);
		await kill(killed);
		await until(() => opened.every(isOver), 6_000);
		const later = open(4);
		await until(() => later.state().operations.size === 2, 1_000);
		for (const pane of [...opened, later]) {
			const failure = { message: 'crowsnest ended while it ran', isOutcomeUnknown: true };
			expect(operationsOf(pane)).toMatchObject([{ failure }, { failure }]);
			const unknown = movesOf(pane).filter(({ to }) => to === 'unknown');
			expect(unknown.map(({ pane: pid }) => pid)).toEqual(Array(2).fill(String(killed.pid)));
			const [batch] = batchesOf(pane.state()).values();
			expect(batch).toMatchObject({ isOver: true, countsByState: { unknown: 2 } });
		}
		// Only the recorder reports how the operations ended, so the journal has each outcome once.
		const outcomesOf = ({ facts }: Pane) =>
			facts.filter(
				fact => fact.type === 'operationChanged' && fact.step === 'failed' && !fact.pane,
			);
		expect(opened.flatMap(outcomesOf)).toHaveLength(2);
	});
});

test('the recorder follows a stop to its end after the pane that sent it was killed', async () => {
	const { first, second, third, pass, until, kill } = await openThree();
	askInActive(second, 'stop');
	await until(() => isSent(third), 2_000);
	await kill(second);
	await pass(20_000);
	for (const pane of [first, third]) {
		expect(operationsOf(pane)).toEqual([]);
		expect(movesOf(pane).at(-1)).toMatchObject({ to: 'settled', pane: '2' });
	}
});

test('the operations of a pane that is suspended stay, and are told once when it goes on', async () => {
	const { first, second, third, pass, until } = await openThree();
	askInActive(second, 'command backup');
	await until(() => isSent(third), 500);
	second.sharedWatch?.resign();
	await pass(1_000);
	expect([first, third].every(isSent)).toBe(true);
	await until(() => second.role() === 'following', 2_000);
	await pass(1_000);
	for (const pane of [first, third]) {
		expect(operationsOf(pane)).toHaveLength(1);
		expect(movesOf(pane)).toMatchObject([{ to: 'sent', pane: '2' }]);
	}
});

const maxRunning = 4;

test('when the recorder is killed in a storm, after it has shared failures and before it has written them, the next one journals them and runs the hooks', async () => {
	const { clock, open, until, pass, kill, folder, simulator } = await openPanes({ computers: 60 });
	// The children of the hook end after a second.
	const children = createFakeChildren(clock, 1_000);
	const directory = join(folder, 'log');
	const parts = { directory, clock, onProblem: expect.unreachable };
	const opened = [1, 2, 3, 4, 5].map(pid => {
		const pane = open(pid);
		const { store, recorder } = pane;
		const state = { isCutOff: false };
		const onFact: typeof store.onFact = listener =>
			store.onFact((...told) => state.isCutOff || listener(...told));
		const journal = openJournal({
			...parts,
			account: 'test',
			store: { ...store, onFact },
			process: String(pid),
			recorder,
		});
		onTestFinished(journal.close);
		const hooks = [hookOn(['computerFailed'], { maxRunning })];
		const effects = { environment: {}, spawn: children.spawn, kill: () => true };
		const detach = createHooks({ ...parts, ...effects, hooks }).attach(pane);
		const cutOff = () => {
			state.isCutOff = true;
			detach();
		};
		return { pane, cutOff };
	});
	const { world } = simulator;
	await until(() => opened.every(({ pane }) => pane.state().computers.size === 60), 10_000);
	await pass(5_000);
	const ids = world.computers().flatMap(({ id, state }) => (state === 'active' ? id : []));
	const reported = () =>
		children.started.map(({ record }) => (record['computer'] as { id: string }).id);
	const half = ids.length / 2;
	for (const id of ids.slice(0, half)) world.fail(id);
	await until(() => reported().length > 2 * maxRunning, 20_000);
	const recording = opened.find(({ pane }) => pane.recorder.getState());
	if (!recording) throw new Error('no pane records');
	const beforeKill = reported().length;
	recording.cutOff();
	for (const id of ids.slice(half)) world.fail(id);
	const hasFailed = ({ pane }: (typeof opened)[number]) =>
		ids.every(id => pane.state().computers.get(id)?.phase === 'error');
	await until(() => opened.every(hasFailed), 20_000);
	await kill(recording.pane);
	await pass((ids.length / maxRunning + 30) * 1_000, 500);
	expect(beforeKill).toBeLessThan(half);
	expect(reported().toSorted()).toEqual(ids.toSorted());
	const journalled = readLines(directory)
		.flatMap(line => changeIn(line, 'test') ?? [])
		.flatMap(each => (each.type === 'statusChanged' && each.to === 'error' ? each.id : []));
	expect(journalled.toSorted()).toEqual(ids.toSorted());
	// The children of the killed recorder may still run while the next one starts its own.
	expect(children.state.mostRunning).toBeLessThanOrEqual(2 * maxRunning);
	const others = opened.filter(each => each !== recording);
	expect(others.filter(({ pane }) => pane.recorder.getState())).toHaveLength(1);
});
