import { readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createJournal } from '../../source/journal/journal.ts';
import { openPanes, type Pane } from './panes.ts';

test.runIf(process.platform === 'linux')(
	'a pane on a full disk polls for itself, shares the limits, and follows once there is space again',
	async () => {
		const { open, until, pass, path } = await openPanes();
		// The draft of the start lock is a link to a device that is always full.
		symlinkSync('/dev/full', `${path}.lock.00000000`);
		const onFullDisk = open(1, { random: () => 0 });
		await until(() => onFullDisk.state().computers.size === 7, 5_000);
		const other = open(2);
		await until(() => other.state().computers.size === 7, 5_000);
		expect([onFullDisk.role(), other.role()]).toEqual(['alone', 'alone']);
		await pass(60_000, 500);
		await until(() => onFullDisk.role() === 'following' && other.role() === 'leading', 5_000);
	},
);

test('panes of two protocols lead side by side with one recorder, one count of requests and one journal', async () => {
	const { open, until, pass, path, folder, clock, simulator } = await openPanes();
	const older = open(1, { socketPath: `${path}-p1` });
	const newer = open(2, { socketPath: `${path}-p2` });
	const followers = [open(3, { socketPath: `${path}-p1` }), open(4, { socketPath: `${path}-p2` })];
	const panes = [older, newer, ...followers];
	const directory = join(folder, 'journal');
	const journals = [older, newer].map(({ pid, store, recorder }) => {
		const journal = createJournal({
			directory,
			clock,
			pid,
			isRecorder: recorder.isRecorder,
			onProblem: ({ message }) => expect.unreachable(message),
		});
		store.onFact(journal.onFact);
		return journal;
	});
	const allRead = () => panes.every(({ state }) => state().computers.size === 7);
	await until(allRead, 10_000);
	expect(panes.map(pane => pane.role()).sort()).toEqual([
		'following',
		'following',
		'leading',
		'leading',
	]);
	expect(panes.filter(({ recorder }) => recorder.isRecorder())).toHaveLength(1);
	await pass(5_000);
	const { id } = simulator.world.computers()[0] ?? { id: '' };
	simulator.world.fail(id);
	const hasFailed = ({ state }: Pane) => state().computers.get(id)?.phase === 'error';
	await until(() => panes.every(hasFailed), 20_000);
	for (const journal of journals) await journal.close();
	expect(readdirSync(directory).length).toBeGreaterThan(0);
	const reader = createJournal({ directory, clock, pid: 5, onProblem: () => {} });
	const { facts } = await reader.recallHistory('test', id);
	await reader.close();
	const changes = facts.flatMap(fact => (fact.type === 'historyRecalled' ? fact.changes : []));
	expect(changes.filter(({ type }) => type === 'statusChanged')).toMatchObject([{ to: 'error' }]);
	expect(simulator.requests.filter(({ status }) => status === 429)).toEqual([]);
});
