import { expect, test } from 'vitest';
import { type Change, mergeChanges, type StatusChange } from '../../source/fleet/change.ts';
import { createHandover } from '../../source/journal/handover.ts';
import { missingChanges } from '../../source/journal/missing-changes.ts';
import { createHeldClock } from '../held-clock.ts';

const moved = (from: string, to: string, notBefore: number, at: number): StatusChange => ({
	type: 'statusChanged',
	id: 'sb_1',
	from,
	to,
	notBefore,
	at,
});

const textOf = (change: Change) =>
	change.type === 'statusChanged' ? `${change.from} ${change.to}` : change.type;

/** Several processes that write one journal. */
function createProcesses() {
	const clock = createHeldClock(0);
	const journal: Change[] = [];
	let recorder: object | undefined;
	let opened = 0;
	const open = () => {
		opened += 1;
		const process = createHandover({
			clock,
			keptMs: 58_000 + opened * 1_000,
			append: changes => void journal.push(...changes),
			readSince: async time => journal.filter(({ at }) => at >= time),
			isRecorder: () => recorder === process,
		});
		return Object.assign(process, {
			record() {
				recorder = process;
				process.takeOver();
			},
		});
	};
	return { clock, journal, open };
}

test('if the recorder is killed before it writes a change, the next recorder writes the change', async () => {
	const { journal, open, clock } = createProcesses();
	const [first, second] = [open(), open()];
	first.record();
	const failed = moved('active', 'error', 1, 2);
	first.write([failed]);
	second.keep([failed]);
	await first.flush();
	const healed = moved('error', 'active', 2, 3);
	second.keep([healed]);
	clock.move(3_000);
	second.record();
	await second.flush();
	expect(journal).toEqual([failed, healed]);
});

/** A first process has written a failure, and a second one has become the recorder. */
async function afterHandover() {
	const { journal, open, clock } = createProcesses();
	const [first, second] = [open(), open()];
	first.record();
	first.write([moved('active', 'error', 1_000, 2_000)]);
	await first.flush();
	clock.move(70_000);
	second.record();
	return { journal, clock, second };
}

test('a change that the previous recorder has written is not written again, however late the next recorder notices the change', async () => {
	const { journal, clock, second } = await afterHandover();
	clock.move(7_200_000);
	second.write([moved('active', 'error', 500, clock.now())]);
	second.write([moved('error', 'active', clock.now(), clock.now() + 1)]);
	second.writeOwn([moved('active', 'stopped', clock.now() + 1, clock.now() + 2)]);
	await second.flush();
	expect(journal.map(textOf)).toEqual(['active error', 'error active', 'active stopped']);
});

test('the reason of an error is added to the change in the journal once, also if another process wrote the change', async () => {
	const { journal, second } = await afterHandover();
	const explained = { ...moved('active', 'error', 500, 2_300), error: 'disk quota exceeded' };
	second.write([explained]);
	second.write([explained]);
	await second.flush();
	expect(journal).toHaveLength(2);
	expect(mergeChanges([], journal)).toEqual([
		{ ...moved('active', 'error', 1_000, 2_000), error: 'disk quota exceeded' },
	]);
});

test('a recorder reads the journal only for changes from a status that it saw before it became the recorder', async () => {
	const reads: number[] = [];
	const handover = createHandover({
		clock: createHeldClock(1_000),
		keptMs: 1,
		append: () => {},
		isRecorder: () => true,
		async readSince(time) {
			reads.push(time);
			return [];
		},
	});
	handover.write([moved('active', 'error', 900, 1_100)]);
	handover.write([moved('error', 'active', 1_100, 1_200)]);
	await handover.flush();
	expect(reads).toEqual([900]);
});

test('a recorder that is replaced while it reads the journal keeps its changes for later', async () => {
	const { journal, open } = createProcesses();
	const [first, second] = [open(), open()];
	first.record();
	first.write([moved('active', 'error', -1, 2)]);
	second.record();
	await first.flush();
	expect(journal).toEqual([]);
	first.record();
	await first.flush();
	expect(journal.map(textOf)).toEqual(['active error']);
});

test('a second failure is missing in the journal, but not a failure that two processes noticed at different times', () => {
	const journal = [moved('active', 'error', 10, 11), moved('error', 'active', 20, 21)];
	const failure = moved('active', 'error', 9, 12);
	const missed = moved('active', 'error', 5, 40);
	const later = moved('active', 'error', 35, 40);
	expect(missingChanges(journal, [failure, missed])).toEqual([moved('active', 'error', 21, 40)]);
	expect(missingChanges(journal, [failure, later])).toEqual([later]);
	expect(missingChanges([...journal, later], [missed])).toEqual([]);
	const other = { ...failure, id: 'sb_2' };
	const account: Change = { type: 'toppedUp', notBefore: 9, at: 10, from: 1, to: 2 };
	expect(missingChanges(journal, [other, account])).toEqual([account, other]);
	expect(missingChanges([...journal, account], [account, { ...account, at: 12 }])).toEqual([]);
});

test('a reader of the journal counts a second failure that follows on the recorded changes', () => {
	const journal = [moved('active', 'error', 10, 20), moved('error', 'active', 15, 30)];
	const missing = missingChanges(journal, [moved('active', 'error', 5, 40)]);
	expect(mergeChanges(journal, missing)).toHaveLength(3);
});

test('a process that saw fewer statuses repeats no change, and continues from the last status in the journal', () => {
	const stopping = moved('active', 'stopping', 1, 2);
	const stopped = moved('stopping', 'stopped', 3, 4);
	const sawOnlyTheEnd = { ...moved('active', 'stopped', 0, 5), lasted: 9 };
	expect(missingChanges([stopping, stopped], [sawOnlyTheEnd])).toEqual([]);
	expect(missingChanges([stopping], [sawOnlyTheEnd])).toEqual([moved('stopping', 'stopped', 2, 5)]);
	expect(missingChanges([sawOnlyTheEnd], [moved('stopping', 'stopped', 3, 4)])).toEqual([]);
});

test('changes between two statuses that only this process saw are written in their order', () => {
	const failed = moved('active', 'error', 10, 11);
	const [healed, failedAgain] = [
		moved('error', 'active', 20, 21),
		moved('active', 'error', 30, 31),
	];
	expect(missingChanges([failed], [failed, healed, failedAgain])).toEqual([healed, failedAgain]);
	expect(missingChanges([failedAgain, failed], [failed, healed, failedAgain])).toEqual([healed]);
});

test('a change that no recorder has written is written after a minute by a process that noticed it', async () => {
	const { journal, open, clock } = createProcesses();
	const [recorder, first, second] = [open(), open(), open()];
	recorder.record();
	clock.move(2);
	const failed = moved('active', 'error', 0, 1);
	const healed = moved('error', 'active', 1, 2);
	recorder.write([failed]);
	for (const process of [first, second]) process.keep([failed, healed]);
	clock.move(59_000);
	await Promise.all([first.flush(), second.flush()]);
	expect(journal).toEqual([failed]);
	clock.move(1_000);
	await first.flush();
	clock.move(1_000);
	await second.flush();
	expect(journal).toEqual([failed, healed]);
	expect(clock.waiting).toBe(0);
});

test('a process that ends writes nothing that it kept', async () => {
	const { journal, open, clock } = createProcesses();
	const process = open();
	process.keep([moved('active', 'error', 1, 2)]);
	process.close();
	expect(clock.waiting).toBe(0);
	await process.flush();
	expect(journal).toEqual([]);
});
