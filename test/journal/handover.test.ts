import { expect, test } from 'vitest';
import type { Change, StatusChange } from '../../source/fleet/change.ts';
import { createHandover } from '../../source/journal/handover.ts';
import { missingChanges } from '../../source/journal/missing-changes.ts';
import { createHeldClock } from '../held-clock.ts';

const moved = (from: string, to: string, notBefore: number, at: number): StatusChange => ({
	...{ type: 'statusChanged', id: 'sb_1', from, to, notBefore, at },
});

/** Several processes that write one journal. */
function createProcesses() {
	const clock = createHeldClock(0);
	const journal: Change[] = [];
	const open = () =>
		createHandover({
			clock,
			append: changes => void journal.push(...changes),
			readSince: async time => journal.filter(({ at }) => at >= time),
		});
	return { clock, journal, open };
}

test('a change that the recorder was killed before writing is written by the next one', async () => {
	const { journal, open, clock } = createProcesses();
	const [first, second] = [open(), open()];
	const failed = moved('active', 'error', 1, 2);
	first.write([failed]);
	second.keep([failed]);
	await first.flush();
	const healed = moved('error', 'active', 2, 3);
	second.keep([healed]);
	clock.move(3_000);
	second.takeOver();
	await second.flush();
	expect(journal).toEqual([failed, healed]);
});

test('a change that the recorder before has written is not written again when the next one notices it', async () => {
	const { journal, open, clock } = createProcesses();
	const [first, second] = [open(), open()];
	first.write([moved('active', 'error', 1_000, 2_000)]);
	await first.flush();
	clock.move(70_000);
	second.takeOver();
	second.write([moved('active', 'error', 500, 3_000)]);
	second.write([moved('error', 'active', 3_000, 4_000)]);
	second.writeOwn([moved('active', 'stopped', 4_000, 5_000)]);
	await second.flush();
	expect(journal.map(({ at }) => at)).toEqual([2_000, 4_000, 5_000]);
});

test('the journal lacks a second failure, and not one that two processes noticed at different times', () => {
	const journal = [moved('active', 'error', 10, 11), moved('error', 'active', 20, 21)];
	const failure = moved('active', 'error', 9, 12);
	const missed = moved('active', 'error', 5, 40);
	const later = moved('active', 'error', 35, 40);
	expect(missingChanges(journal, [failure, missed, later])).toEqual([missed, later]);
	expect(missingChanges([...journal, later], [missed])).toEqual([]);
	const other = { ...failure, id: 'sb_2' };
	const account: Change = { type: 'toppedUp', notBefore: 9, at: 10, from: 1, to: 2 };
	expect(missingChanges(journal, [other, account])).toEqual([other, account]);
});

test('changes are kept for a minute', async () => {
	const { journal, open, clock } = createProcesses();
	const process = open();
	process.keep([moved('active', 'error', 0, 0)]);
	clock.move(61_000);
	process.keep([moved('error', 'active', 61_000, 61_000)]);
	process.takeOver();
	await process.flush();
	expect(journal.map(({ at }) => at)).toEqual([61_000]);
});
