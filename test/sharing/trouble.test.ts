import { mkdirSync, rmdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { openPanes } from './panes.ts';

test('panes that can make no socket read and record for themselves, and share a watch once they can', async () => {
	const { open, until, pass, path } = await openPanes();
	// Something else has the names of their sockets.
	const obstacles = ['1', '2'].map(id => join(dirname(path), `process-${id}.sock`));
	for (const each of obstacles) mkdirSync(each);
	const panes = [open(1), open(2)];
	await until(() => panes.every(({ state }) => state().computers.size === 7), 5_000);
	const roles = () => panes.map(({ role }) => role());
	const recording = () => panes.map(({ recorder }) => recorder.isRecorder());
	expect([roles(), recording()]).toEqual([
		['alone', 'alone'],
		[true, true],
	]);
	for (const each of obstacles) rmdirSync(each);
	await pass(5_000);
	expect(roles().sort()).toEqual(['following', 'leading']);
	expect(recording().sort()).toEqual([false, true]);
});
