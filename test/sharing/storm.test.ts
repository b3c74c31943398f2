import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Change } from '../../source/fleet/change.ts';
import { createHooks } from '../../source/journal/hooks.ts';
import { openJournal } from '../../source/journal/journal.ts';
import { readLines } from '../../source/journal/log-files.ts';
import { createFakeChildren, hookOn } from '../journal/hooked-fleet.ts';
import { openPanes, type Pane } from './panes.ts';

const computers = 120;
const maxRunning = 4;

/** Opens five panes that share a watch, a journal and one hook on failures. The children of the hook end after a second. */
async function openHookedPanes() {
	const panes = await openPanes({ computers });
	const { clock, open, until, kill, folder, simulator } = panes;
	const children = createFakeChildren(clock, 1_000);
	const directory = join(folder, 'log');

	function openHooked(pid: number) {
		const pane = open(pid);
		const { store, recorder } = pane;
		let isCutOff = false;
		const journal = openJournal({
			directory,
			account: 'test',
			store: {
				...store,
				onFact: listener => store.onFact((...told) => isCutOff || listener(...told)),
			},
			clock,
			process: String(pid),
			recorder,
			onProblem: message => expect.unreachable(message),
		});
		const hooks = createHooks({
			hooks: [hookOn(['computerFailed'], { maxRunning })],
			directory,
			clock,
			environment: {},
			spawn: children.spawn,
			kill: () => true,
			onProblem: message => expect.unreachable(message),
		});
		const detach = hooks.attach(pane);
		onTestFinished(() => journal.close());
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
	const all = (isSo: (pane: Pane) => boolean) => opened.every(isSo);
	await until(() => all(({ state }) => state().computers.size === computers), 10_000);
	await panes.pass(5_000);
	const ids = simulator.world
		.computers()
		.filter(({ state }) => state === 'active')
		.map(({ id }) => id);
	return {
		...panes,
		opened,
		children,
		ids,
		reported: () => children.started.map(({ record }) => (record['computer'] as { id: string }).id),
		/** Returns the ids of the computers that went into error, one for each line of the journal. */
		journalled: () =>
			readLines(directory)
				.map(line => JSON.parse(line).what as Change)
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
