import { randomUUID } from 'node:crypto';
import { readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { readSnapshot } from '../../source/journal/snapshot-file.ts';
import { createSnapshotWriter } from '../../source/journal/snapshot-writer.ts';
import { createStore } from '../../source/store/store.ts';
import {
	account,
	fact,
	listRead,
	operationFacts,
	statusRead,
} from '../arbitraries/sample-facts.ts';
import { createHeldClock } from '../held-clock.ts';
import { runProgram } from './run.ts';
import { stateDirectory } from './state-directory.ts';

const second = 1_000;
const minute = 60 * second;
const atlas = { id: 'sb_1', name: 'atlas', status: 'active', version: '1.4.2', cpu: 12 };
const borealis = { id: 'sb_2', name: 'borealis', status: 'stopped', ports: [{ port: 8080 }] };

test('the snapshot is written while the program runs, not only when the program ends', async () => {
	const directory = await stateDirectory();
	const { store, clock } = await runProgram(directory);
	store.receive([listRead(clock.now(), [atlas])]);
	store.receive([listRead(clock.now() + second, [atlas, borealis])]);
	await expect
		.poll(async () => (await runProgram(directory)).store.getState().accounts.get(account)?.changes)
		.toHaveLength(1);
	expect((await runProgram(directory)).state().computers.size).toBe(0);
	clock.move(30 * second);
	await expect.poll(async () => (await runProgram(directory)).state().computers.size).toBe(2);
});

test('the first snapshot is written within a second, so that a process that starts later notices the changes since', async () => {
	const directory = await stateDirectory();
	const first = await runProgram(directory);
	first.store.receive([listRead(first.clock.now(), [atlas])]);
	first.clock.move(second);
	// The draft of the snapshot is in the folder a moment earlier.
	await expect
		.poll(async () => (await readSnapshot({ directory, account })).facts.length)
		.toBeGreaterThan(0);
	const later = await runProgram(directory);
	later.store.receive([listRead(later.clock.now() + minute, [{ ...atlas, status: 'error' }])]);
	expect(later.state().changes).toHaveLength(1);
});

test('a snapshot is written after the changes that led to it', async () => {
	const directory = await stateDirectory();
	const order: string[] = [];
	const writer = createSnapshotWriter({
		directory,
		clock: createHeldClock(),
		onProblem: () => {},
		beforeWrite: async () => void order.push('changes'),
		file: {
			writeIntervalMs: 0,
			haveSame: () => false,
			*write() {
				order.push('snapshot');
				yield;
				return 0;
			},
		},
	});
	const store = createStore();
	store.onFact(writer.onFact);
	store.receive([listRead(1, [atlas])]);
	await writer.close();
	expect(order).toEqual(['changes', 'snapshot']);
});

test('at the end of the program, the snapshot is written in one turn', async () => {
	const directory = await stateDirectory();
	const order: string[] = [];
	const writer = createSnapshotWriter({
		directory,
		clock: createHeldClock(),
		onProblem: () => {},
		file: {
			writeIntervalMs: 0,
			haveSame: () => false,
			*write() {
				order.push('first computers');
				yield;
				order.push('other computers');
				return 0;
			},
		},
	});
	const store = createStore();
	store.onFact(writer.onFact);
	store.receive([listRead(1, [atlas])]);
	setImmediate(() => order.push('another turn'));
	await writer.close();
	expect(order).toEqual(['first computers', 'other computers']);
});

test('the snapshot of an unchanging fleet is written seldom, and never without a new answer', async () => {
	const directory = await stateDirectory();
	const { store, clock, journal } = await runProgram(directory);
	const snapshots = async () =>
		(await readdir(directory)).filter(name => /^fleet[^.]*\.\w+$/.test(name));
	const path = async () => join(directory, (await snapshots())[0] ?? 'none');
	store.receive([listRead(clock.now(), [atlas])]);
	expect(clock.waiting).toBe(1);
	clock.move(30 * second);
	await expect.poll(snapshots).toHaveLength(1);
	const { ino } = await stat(await path());
	expect(clock.waiting).toBe(0);
	await journal.close();
	expect((await stat(await path())).ino).toBe(ino);
	// A fact after the end does not cause a write.
	store.receive([listRead(clock.now(), [atlas, borealis])]);
	expect(clock.waiting).toBe(0);
	const next = await runProgram(directory);
	next.store.receive([listRead(clock.now(), [atlas])]);
	await next.journal.close();
	expect((await stat(await path())).ino).not.toBe(ino);
	expect((await stat(await path())).mode & 0o777).toBe(0o600);
});

test('the snapshot is not written for a fact that says nothing new about the fleet', async () => {
	const { store, clock } = await runProgram(await stateDirectory());
	store.receive([fact(1, { type: 'signedIn', email: 'owner@example.com' })]);
	const computers = [{ reading: atlas, seenAt: 1 }];
	store.receive([fact(1, { type: 'fleetRecalled', computers })]);
	store.receive(operationFacts({ key: 'k', operation: 'stop', computer: 'sb_1' }, { queued: 2 }));
	expect(clock.waiting).toBe(0);
	store.receive([statusRead(3, atlas)]);
	expect(clock.waiting).toBe(1);
});

test('a status in the snapshot has the time of its request, so that a change during a slow answer is the same change for all processes', async () => {
	const directory = await stateDirectory();
	const { store, clock, journal } = await runProgram(directory);
	const askedAt = clock.now() - minute;
	store.receive([{ ...listRead(clock.now(), [atlas]), askedAt }]);
	await journal.close();
	expect((await runProgram(directory)).state().computerReads.get('sb_1')?.restoredFrom).toBe(
		askedAt,
	);
});

test('the temporary files of a killed process are removed', async () => {
	const directory = await stateDirectory();
	const first = await runProgram(directory);
	first.store.receive([listRead(first.clock.now(), [atlas])]);
	await first.journal.close();
	const [name = ''] = await readdir(directory);
	const drafts = { old: `${name}.${randomUUID()}`, young: `${name}.${randomUUID()}` };
	for (const [file, age] of [
		[drafts.old, 3_600],
		[drafts.young, 0],
	] as const) {
		const draft = join(directory, file);
		await writeFile(draft, 'half');
		const time = new Date((await stat(draft)).mtimeMs - age * second);
		await utimes(draft, time, time);
	}
	const next = await runProgram(directory);
	next.store.receive([listRead(next.clock.now() + second, [])]);
	await next.journal.close();
	const left = (await readdir(directory)).filter(each => each.startsWith(`${name}.`));
	expect(left).toEqual([drafts.young]);
});

test('a snapshot is written beside the temporary file of another process, which stays', async () => {
	const directory = await stateDirectory();
	const { store, clock, journal } = await runProgram(directory);
	store.receive([listRead(clock.now(), [atlas])]);
	await journal.close();
	const [name = ''] = await readdir(directory);
	for (const number of [1, 2]) await writeFile(join(directory, `${name}.${number}`), 'half');
	const next = await runProgram(directory);
	next.store.receive([listRead(next.clock.now() + second, [atlas, borealis])]);
	await next.journal.close();
	expect((await readSnapshot({ directory, account })).facts[0]).toMatchObject({
		computers: [{ reading: { id: 'sb_1' } }, { reading: { id: 'sb_2' } }],
	});
	expect(await readFile(join(directory, `${name}.2`), 'utf8')).toBe('half');
});

test('each account has a snapshot of its own', async () => {
	const directory = await stateDirectory();
	const { store, clock, journal } = await runProgram(directory);
	store.receive([listRead(clock.now(), [atlas])]);
	store.receive([{ ...listRead(clock.now(), [borealis]), account: 'another' }]);
	await journal.close();
	const idsOf = async (owner: string) => {
		const restored = createStore();
		restored.receive((await readSnapshot({ directory, account: owner })).facts);
		return [...(restored.getState().accounts.get(owner)?.computers.keys() ?? [])];
	};
	expect(await idsOf(account)).toEqual(['sb_1']);
	expect(await idsOf('another')).toEqual(['sb_2']);
	expect(await idsOf('third')).toEqual([]);
});

test('a snapshot never contains a share token', async () => {
	const directory = await stateDirectory();
	const { store, clock, journal } = await runProgram(directory);
	const url = 'https://api.example/v1/p/share/s3cret';
	const ports = [
		{ port: 80, url, shareToken: 's3cret' },
		{ port: 81, url: 'https://api.example/v1/p/1/81' },
	];
	store.receive([listRead(clock.now(), [{ ...atlas, ports }])]);
	await journal.close();
	const texts = await Promise.all(
		(await readdir(directory)).map(name => readFile(join(directory, name), 'utf8')),
	);
	expect(texts.join()).not.toContain('s3cret');
	const again = (await runProgram(directory)).state().computers.get('sb_1');
	expect(again?.reading.ports).toEqual([{ port: 80 }, ports[1]]);
});

test('a snapshot of ten thousand computers has twenty lines, and is read as one fact that parses each line once', async () => {
	const directory = await stateDirectory();
	const first = await runProgram(directory);
	const fleet = Array.from({ length: 10_000 }, (_, place) => ({ ...atlas, id: `sb_${place}` }));
	first.store.receive([listRead(first.clock.now(), fleet)]);
	first.clock.move(30 * second);
	const kept = async () => (await first.journal.recallFleet(account)).facts.length;
	await expect.poll(kept).toBe(1);
	const parse = vi.spyOn(JSON, 'parse');
	const { facts } = await first.journal.recallFleet(account);
	expect(facts).toMatchObject([{ type: 'fleetRecalled', computers: { length: 10_000 } }]);
	expect(parse).toHaveBeenCalledTimes(20);
	parse.mockRestore();

	// A file of this size is written less often than every half minute.
	first.store.receive([listRead(first.clock.now(), [])]);
	first.clock.move(2 * minute);
	await new Promise(resolve => setImmediate(resolve));
	expect(first.clock.waiting).toBe(1);
	first.clock.move(5 * minute);
	await expect.poll(kept).toBe(0);
});
