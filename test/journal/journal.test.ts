import { readFileSync } from 'node:fs';
import { appendFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { changesOfComputer } from '../../source/store/change-log.ts';
import { emptyAccount } from '../../source/store/state.ts';
import { createStore } from '../../source/store/store.ts';
import {
	account,
	fact,
	listRead,
	operationFacts,
	start,
	statusRead,
} from '../arbitraries/sample-facts.ts';
import { runProgram } from './run.ts';
import { stateDirectory } from './state-directory.ts';

const stop = { key: 'k', operation: 'stop', computer: 'sb_1' };
const second = 1_000;
const minute = 60 * second;
const atlas = { id: 'sb_1', name: 'atlas', status: 'active', version: '1.4.2', cpu: 12 };
const borealis = { id: 'sb_2', name: 'borealis', status: 'stopped', ports: [{ port: 8080 }] };

test('the next run of the program starts with the state that the last run saved', async () => {
	const directory = await stateDirectory();
	const first = await runProgram(directory);
	const start = first.clock.now();
	const at = (seconds: number) => start + seconds * second;
	first.store.receive([
		fact(at(0), { type: 'subscriptionRead', subscription: { plan: 'pro', planName: 'Pro' } }),
		fact(at(0), { type: 'releaseRead', release: { version: '1.4.2', changes: [] } }),
		fact(at(0), { type: 'creditsRead', credits: { balance: 41.5 } }),
		listRead(at(1), [{ ...atlas, status: 'starting' }, borealis]),
		listRead(at(3), [atlas, borealis]),
		...operationFacts(stop, { queued: at(5), sent: at(6), accepted: at(7) }),
		statusRead(at(9), { id: 'sb_1', status: 'stopped' }),
		...operationFacts(stop, { queued: at(5), sent: at(6), accepted: at(7), done: at(9) }).slice(3),
	]);
	await first.journal.close();

	const second_ = await runProgram(directory);
	const [before, after] = [first.state(), second_.state()];
	expect(second_.damaged).toBe(0);
	expect([...after.computers.keys()]).toEqual(['sb_1', 'sb_2']);
	for (const [id, { reading, phase, since, stopReason }] of before.computers) {
		expect(after.computers.get(id)).toMatchObject({ reading, phase, since });
		expect(after.computers.get(id)?.stopReason).toBe(stopReason);
	}
	expect(after.computerReads.get('sb_1')).toEqual({ restoredFrom: at(9) });
	expect(after.changes).toEqual(before.changes);
	expect(after.samples).toEqual(before.samples);
	expect(after.subscription).toEqual(before.subscription);
	expect(after.release).toEqual(before.release);
	expect(after.credits).toEqual(before.credits);
	expect(after.reads.credits?.answer?.at).toBe(at(0));
	expect(first.troubles).toEqual([]);
});

test('reading the journal skips damaged lines and counts them', async () => {
	const directory = await stateDirectory();
	const first = await runProgram(directory);
	const start = first.clock.now();
	first.store.receive([
		listRead(start, [atlas]),
		listRead(start + second, [atlas, borealis]),
		fact(start, { type: 'creditsRead', credits: { balance: 5 } }),
	]);
	await first.journal.close();
	const damage = [
		'{"account":"owner","what":{"type":"statusChanged","at":1,"id":"sb_1"',
		'null',
		'{"account":"owner","what":{"type":"statusChanged","at":"yesterday"}}',
		'{"account":"owner","what":{"type":"constructor"}}',
		'\u0000\u0000\u0000',
	];
	for (const name of ['journal.jsonl', 'credits.jsonl']) {
		await appendFile(join(directory, name), `${damage.join('\n')}\n`);
	}
	for (const name of await readdir(directory)) {
		if (name.startsWith('fleet')) {
			await appendFile(join(directory, name), '{"type":"fleetRecalled","computers":[{}]}\n{"a');
		}
	}
	const again = await runProgram(directory);
	expect(again.damaged).toBe(2 * damage.length + 2);
	expect(again.state().changes).toHaveLength(1);
	expect(again.state().samples).toHaveLength(1);
	expect(again.state().computers.size).toBe(2);
});

test('the reason of an error that was read after the change is in the journal, and is read as part of the change', async () => {
	const directory = await stateDirectory();
	const first = await runProgram(directory);
	const start = first.clock.now();
	first.store.receive([
		listRead(start, [atlas]),
		listRead(start + second, [{ ...atlas, status: 'error' }]),
		statusRead(start + 2 * second, { id: 'sb_1', status: 'error', error: 'disk quota exceeded' }),
		listRead(start + 3 * second, [atlas]),
	]);
	await first.journal.close();
	const lines = readFileSync(join(directory, 'journal.jsonl'), 'utf8').trim().split('\n');
	expect(lines).toHaveLength(3);
	const { changes } = (await runProgram(directory)).state();
	expect(changes).toEqual(first.state().changes);
	expect(changes).toMatchObject([
		{ to: 'error', error: 'disk quota exceeded' },
		{ from: 'error', to: 'active' },
	]);
});

test('a change that two panes have written is read once', async () => {
	const directory = await stateDirectory();
	const panes = [await runProgram(directory, { pid: 1 }), await runProgram(directory, { pid: 2 })];
	for (const [place, { store, clock }] of panes.entries()) {
		const at = (seconds: number) => clock.now() + place * 700 + seconds * second;
		store.receive([
			listRead(at(0), [atlas]),
			statusRead(at(4), { id: 'sb_1', status: 'stopped' }),
			statusRead(at(8), { id: 'sb_1', status: 'active' }),
			statusRead(at(12), { id: 'sb_1', status: 'stopped' }),
		]);
	}
	await Promise.all(panes.map(({ journal }) => journal.close()));
	const { changes } = (await runProgram(directory)).state();
	expect(changes.map(change => 'to' in change && change.to)).toEqual([
		'stopped',
		'active',
		'stopped',
	]);
});

test('after a minute, a process that is not the recorder adds only the changes that the journal lacks', async () => {
	const directory = await stateDirectory();
	const recorder = await runProgram(directory, { pid: 1 });
	const { store, clock } = await runProgram(directory, { pid: 2, isRecorder: false });
	const start = clock.now();
	const facts = [
		listRead(start, [atlas, borealis]),
		statusRead(start + second, { id: 'sb_1', status: 'stopped' }),
		statusRead(start + 2 * second, { id: 'sb_1', status: 'active' }),
	];
	recorder.store.receive(facts.slice(0, 2));
	await recorder.journal.close();
	clock.move(2 * second);
	store.receive(facts);
	const written = async () =>
		(await runProgram(directory)).state().changes.map(change => 'to' in change && change.to);
	expect(await written()).toEqual(['stopped']);
	clock.move(2 * minute);
	await expect.poll(written).toEqual(['stopped', 'active']);
});

test('the journals of two accounts are separate', async () => {
	const directory = await stateDirectory();
	const first = await runProgram(directory);
	const start = first.clock.now();
	first.store.receive([
		listRead(start, [atlas]),
		{ ...listRead(start, [borealis]), account: '../other' },
		{ ...listRead(start + 1, []), account: '../other' },
	]);
	await first.journal.close();
	expect((await readdir(directory)).every(name => /^[a-z0-9.-]+$/.test(name))).toBe(true);
	const again = await runProgram(directory);
	expect([...again.state().computers.keys()]).toEqual(['sb_1']);
	expect(again.state().changes).toEqual([]);
});

test('the journal returns the whole history of one computer', async () => {
	const directory = await stateDirectory();
	const { store, clock, journal } = await runProgram(directory);
	const start = clock.now();
	store.receive([
		listRead(start, [atlas, borealis]),
		statusRead(start + 1, { id: 'sb_2', status: 'active' }),
		...operationFacts(stop, { queued: start + 2, sent: start + 3 }),
		statusRead(start + 4, { id: 'sb_1', status: 'stopped' }),
	]);
	await journal.close();
	const { facts } = await journal.recallHistory(account, 'sb_1');
	const again = createStore();
	again.receive(facts);
	const known = again.getState().accounts.get(account) ?? emptyAccount;
	expect(changesOfComputer(known, 'sb_1').map(({ type }) => type)).toEqual([
		...['operationMoved', 'statusChanged'],
	]);
	expect(changesOfComputer(known, 'sb_2')).toEqual([]);
});

test('the journal saves the credits of every minute, so that all processes measure the same spending', async () => {
	const directory = await stateDirectory();
	const { store, clock, journal, state } = await runProgram(directory);
	const start = clock.now();
	for (let place = 0; place < 60; place += 1) {
		const credits = { balance: 50 - place };
		store.receive([fact(start + place * minute, { type: 'creditsRead', credits })]);
	}
	await journal.close();
	expect(state().samples).toHaveLength(60);
	// The snapshot of the fleet also holds the latest credits.
	clock.move(60 * minute);
	const next = await runProgram(directory, { clock });
	expect(next.state().samples).toHaveLength(60);
});

test('the journal reports once for each file that it cannot be written, and continues', async () => {
	const directory = await stateDirectory();
	await writeFile(directory, 'a file in the way');
	const { store, clock, journal, troubles } = await runProgram(directory);
	const start = clock.now();
	troubles.length = 0;
	for (let place = 0; place < 5; place += 1) {
		store.receive([listRead(start + place * second, place % 2 ? [atlas] : [atlas, borealis])]);
		store.receive([fact(start + place * minute, { type: 'creditsRead', credits: { balance: 1 } })]);
		clock.move(minute);
		await journal.close();
	}
	expect(troubles.map(({ file }) => file).sort()).toEqual(['credits', 'fleet', 'journal']);
});

test('the journal contains no secret, because it reads and writes only known fields', async () => {
	const directory = await stateDirectory();
	await mkdir(directory, { mode: 0o700 });
	const { store, clock, journal } = await runProgram(directory);
	store.receive([
		fact(clock.now(), { type: 'signedIn', email: 'owner@example.com' }),
		listRead(clock.now(), [atlas]),
		...operationFacts(stop, { queued: clock.now(), sent: clock.now() }),
	]);
	await journal.close();
	const text = await readFile(join(directory, 'journal.jsonl'), 'utf8');
	expect(JSON.parse(text)).toEqual({
		version: 1,
		account,
		what: {
			type: 'operationMoved',
			pane: 1,
			at: clock.now(),
			wish: { key: 'k', operation: 'stop', computer: 'sb_1' },
			to: 'sent',
			took: 0,
			who: 'owner@example.com',
		},
	});
});

test('the request of an operation is in the journal before the platform can receive it', async () => {
	const directory = await stateDirectory();
	const { store, clock, journal } = await runProgram(directory);
	store.receive([listRead(clock.now(), [atlas])]);
	store.receive(operationFacts(stop, { queued: clock.now(), sent: clock.now() }));
	expect(readFileSync(join(directory, 'journal.jsonl'), 'utf8')).toContain('"to":"sent"');
	await journal.close();
	expect(readFileSync(join(directory, 'journal.jsonl'), 'utf8').match(/"sent"/g)).toHaveLength(1);
});

test('the line of an operation names its machine, and another machine with the same home folder shows it as such', async () => {
	const directory = await stateDirectory();
	const here = await runProgram(directory, { pid: 7, machine: 'here' });
	here.store.receive([listRead(start, [atlas])]);
	here.store.receive(operationFacts(stop, { queued: start, sent: start }));
	await here.journal.close();
	const moveIn = async (machine: string, pid: number) => {
		const { changes } = (await runProgram(directory, { pid, machine })).state();
		return changes.find(change => change.type === 'operationMoved');
	};
	expect(await moveIn('here', 8)).toMatchObject({ pane: 7 });
	expect(await moveIn('here', 8)).not.toHaveProperty('isElsewhere');
	expect(await moveIn('here', 7)).not.toHaveProperty('pane');
	expect(await moveIn('there', 7)).toMatchObject({ pane: 7, isElsewhere: true });
	const line = await readFile(join(directory, 'journal.jsonl'), 'utf8');
	await writeFile(join(directory, 'journal.jsonl'), line.replace(',"machine":"here"', ''));
	expect(await moveIn('there', 8)).toMatchObject({ pane: 7 });
	expect(await moveIn('there', 8)).not.toHaveProperty('isElsewhere');
});

test('an operation of another process names that process, and an operation of this process names no process', async () => {
	const directory = await stateDirectory();
	const other = await runProgram(directory, { pid: 4121 });
	other.store.receive([listRead(other.clock.now(), [atlas])]);
	other.store.receive(operationFacts(stop, { queued: other.clock.now(), sent: other.clock.now() }));
	await other.journal.close();
	const panesOf = ({ state }: Awaited<ReturnType<typeof runProgram>>) =>
		state().changes.flatMap(change => (change.type === 'operationMoved' ? [change.pane] : []));
	expect(panesOf(await runProgram(directory, { pid: 7 }))).toEqual([4121]);
	expect(panesOf(await runProgram(directory, { pid: 4121 }))).toEqual([undefined]);
	const { journal } = await runProgram(directory, { pid: 7 });
	const { facts } = await journal.recallHistory(account, atlas.id);
	expect(facts).toMatchObject([{ changes: [{ pane: 4121 }] }]);
});
