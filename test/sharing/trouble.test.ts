import { symlinkSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openPanes } from './panes.ts';

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
		expect([onFullDisk, other].map(({ recorder }) => recorder.isRecorder())).toEqual([true, true]);
		await pass(60_000, 500);
		await until(() => onFullDisk.role() === 'following' && other.role() === 'leading', 5_000);
		expect([onFullDisk, other].map(({ recorder }) => recorder.isRecorder())).toEqual([false, true]);
	},
);
