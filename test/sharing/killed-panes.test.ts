import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { OwnCommand } from '../../source/fleet/operations/own-command.ts';
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

const operationsOf = (pane: Pane) =>
	[...pane.state().operations.values()].map(({ spec, stage, failure }) => ({
		operation: spec.operation,
		stage,
		isUnknown: failure?.isOutcomeUnknown,
	}));

const movesOf = (pane: Pane) =>
	pane
		.state()
		.changes.flatMap(change => (change.type === 'operationMoved' ? [change] : []))
		.map(({ wish, to, pane: pid, message }) => [wish.operation, to, pid, message]);

const isSent = (pane: Pane) => operationsOf(pane).some(({ stage }) => stage === 'sent');
const isOver = (pane: Pane) =>
	pane.state().operations.size > 0 && operationsOf(pane).every(({ stage }) => stage === 'failed');

const unknown = { operation: 'command backup', stage: 'failed', isUnknown: true };
const unknownMove = (pane: string) => [
	...['command backup', 'unknown', pane],
	'crowsnest ended while it ran',
];

describe('when the pane that ran an own command is killed', () => {
	test('the outcome is unknown in all other panes, and in those that open later', async () => {
		const { first, second, third, open, until, kill } = await openThree();
		askInActive(second, 'command backup', 2);
		await until(() => isSent(third), 500);
		await kill(second);
		await until(() => isOver(first) && isOver(third), 3_000);
		const fourth = open(4);
		await until(() => fourth.state().operations.size === 2, 1_000);
		for (const pane of [first, third, fourth]) {
			expect(operationsOf(pane)).toEqual([unknown, unknown]);
			expect(movesOf(pane).filter(([, to]) => to === 'unknown')).toEqual([
				unknownMove('2'),
				unknownMove('2'),
			]);
			const [batch] = batchesOf(pane.state()).values();
			expect(batch).toMatchObject({ isOver: true, countsByState: { unknown: 2 } });
		}
		// Only the recorder reports how the operations ended, so the journal has each outcome once.
		const outcomesOf = (pane: Pane) =>
			pane.facts.filter(
				fact =>
					fact.type === 'operationChanged' && fact.step === 'failed' && fact.pane === undefined,
			);
		expect([first, third].map(pane => outcomesOf(pane).length)).toEqual([2, 0]);
	});

	test('the outcome is unknown as well if that pane was the leader and the recorder', async () => {
		const { first, second, third, until, kill } = await openThree();
		askInActive(first, 'command backup');
		await until(() => isSent(second) && isSent(third), 500);
		await kill(first);
		await until(() => isOver(second) && isOver(third), 6_000);
		for (const pane of [second, third]) {
			expect(operationsOf(pane)).toEqual([unknown]);
			expect(movesOf(pane).filter(([, to]) => to === 'unknown')).toEqual([unknownMove('1')]);
		}
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
		expect(movesOf(pane).at(-1)).toEqual(['stop', 'settled', '2', undefined]);
	}
});

test('the operations of a pane that is suspended stay, and are told once when it goes on', async () => {
	const { first, second, third, pass, until } = await openThree();
	askInActive(second, 'command backup');
	await until(() => isSent(third), 500);
	second.sharedWatch?.leave('suspended');
	await pass(3_000);
	expect([isSent(first), isSent(third)]).toEqual([true, true]);
	second.sharedWatch?.rejoin('suspended');
	await until(() => second.role() === 'following', 1_000);
	await pass(1_000);
	for (const pane of [first, third]) {
		expect(operationsOf(pane)).toHaveLength(1);
		expect(movesOf(pane)).toEqual([['command backup', 'sent', '2', undefined]]);
	}
});

const computers = 120;
const maxRunning = 4;

/** Opens five panes that share a watch, a journal and one hook on failures. The children of the hook end after a second. */
async function openHookedPanes() {
	const panes = await openPanes({ computers });
	const { clock, open, until, kill, folder, simulator } = panes;
	const children = createFakeChildren(clock, 1_000);
	const directory = join(folder, 'log');
	const parts = { directory, clock, onProblem: expect.unreachable };

	function openHooked(pid: number) {
		const pane = open(pid);
		const { store, recorder } = pane;
		let isCutOff = false;
		const journal = openJournal({
			...parts,
			account: 'test',
			store: {
				...store,
				onFact: listener => store.onFact((...told) => isCutOff || listener(...told)),
			},
			process: String(pid),
			recorder,
		});
		onTestFinished(journal.close);
		const hooks = createHooks({
			...parts,
			hooks: [hookOn(['computerFailed'], { maxRunning })],
			environment: {},
			spawn: children.spawn,
			kill: () => true,
		});
		const detach = hooks.attach(pane);
		return {
			...pane,
			/** Lets the pane write nothing more and start no more hooks. */
			cutOff() {
				isCutOff = true;
				detach();
			},
			kill: () => kill(pane),
		};
	}

	const opened = [1, 2, 3, 4, 5].map(openHooked);
	await until(() => opened.every(({ state }) => state().computers.size === computers), 10_000);
	await panes.pass(5_000);
	const active = simulator.world.computers().filter(({ state }) => state === 'active');
	return {
		...panes,
		opened,
		children,
		ids: active.map(({ id }) => id),
		reported: () => children.started.map(({ record }) => (record['computer'] as { id: string }).id),
		/** Returns the ids of the computers that went into error, one for each line of the journal. */
		journalled: () =>
			readLines(directory)
				.flatMap(line => changeIn(line, 'test') ?? [])
				.flatMap(change =>
					change.type === 'statusChanged' && change.to === 'error' ? [change.id] : [],
				),
	};
}

test('when the recorder is killed in a storm, after it has shared failures and before it has written them, the next one journals them and runs the hooks', async () => {
	const { opened, children, ids, reported, journalled, simulator, pass, until } =
		await openHookedPanes();
	const [first, second] = [ids.slice(0, ids.length / 2), ids.slice(ids.length / 2)];
	for (const id of first) simulator.world.fail(id);
	await until(() => reported().length > 2 * maxRunning, 20_000);
	const recorder = opened.find(pane => pane.recorder.getState());
	const beforeKill = reported().length;
	recorder?.cutOff();
	for (const id of second) simulator.world.fail(id);
	const isFailed = ({ state }: Pane, id: string) => state().computers.get(id)?.phase === 'error';
	await until(() => opened.every(pane => ids.every(id => isFailed(pane, id))), 20_000);
	await recorder?.kill();
	await pass((ids.length / maxRunning + 30) * 1_000, 500);
	expect(beforeKill).toBeLessThan(first.length);
	expect(reported().toSorted()).toEqual(ids.toSorted());
	expect(journalled().toSorted()).toEqual(ids.toSorted());
	// The children of the killed recorder may still run while the next one starts its own.
	expect(children.state.mostRunning).toBeLessThanOrEqual(2 * maxRunning);
	expect(opened.filter(pane => pane !== recorder && pane.recorder.getState())).toHaveLength(1);
});
