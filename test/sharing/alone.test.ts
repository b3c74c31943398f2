import { mkdirSync, rmdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { openPanes } from './panes.ts';

const minute = 60_000;

/** Returns the most lists that a pane requests in any minute, while computers start. */
async function mostLists(isAlone: boolean) {
	const { open, pass, polls } = await openPanes();
	open(1, { isAlone });
	await pass(3 * minute);
	const counts = polls.map(
		({ at: start }) => polls.filter(({ at }) => at >= start && at < start + minute).length,
	);
	return Math.max(...counts);
}

test('with --alone, a pane uses at most a quarter of the limit, also while something moves', async () => {
	const quarter = 30 / 4;
	expect(await mostLists(false)).toBeGreaterThan(quarter);
	const most = await mostLists(true);
	expect(most).toBeLessThanOrEqual(quarter);
	expect(most).toBeGreaterThan(quarter / 2);
});

test('panes that can make no socket read and record for themselves, and share a watch once they can', async () => {
	const { open, until, pass, path } = await openPanes();
	// Something else has the names of their sockets.
	const obstacles = ['1', '2'].map(id => join(dirname(path), `process-${id}.sock`));
	for (const each of obstacles) mkdirSync(each);
	const panes = [open(1), open(2)];
	await until(() => panes.every(({ state }) => state().computers.size === 7), 5_000);
	const roles = () => panes.map(({ role }) => role());
	const recording = () => panes.map(({ recorder }) => recorder.getState());
	expect([roles(), recording()]).toEqual([
		['alone', 'alone'],
		[true, true],
	]);
	for (const each of obstacles) rmdirSync(each);
	await pass(5_000);
	expect(roles().sort()).toEqual(['following', 'leading']);
	expect(recording().sort()).toEqual([false, true]);
});
