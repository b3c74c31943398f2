import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createRecorder, recordWhileNobodyLeads } from '../../source/sharing/recorder.ts';
import { createHeldClock } from '../held-clock.ts';
import { temporaryFolder } from '../journal/hooked-fleet.ts';
import { openPanes } from './panes.ts';

const recording = (panes: readonly { pid: number; recorder: { isRecorder(): boolean } }[]) =>
	panes.filter(({ recorder }) => recorder.isRecorder()).map(({ pid }) => pid);

test('of the panes that share a watch, the leader records, and so does the next one after its end', async () => {
	const { open, until, kill } = await openPanes();
	const first = open(1);
	await until(() => first.state().computers.size === 7, 2_000);
	const others = [open(2), open(3)];
	await until(() => others.every(pane => pane.role() === 'following'), 2_000);
	expect(recording([first, ...others])).toEqual([1]);
	await kill(first);
	await until(() => others.some(pane => pane.role() === 'leading'), 3_000);
	await until(() => others.some(pane => pane.role() === 'following'), 3_000);
	const leading = others.filter(pane => pane.role() === 'leading');
	expect(recording(others)).toEqual(leading.map(({ pid }) => pid));
});

test('a pane that is about to be suspended records no more, and again when it leads once more', async () => {
	const { open, until } = await openPanes();
	const pane = open(1);
	await until(() => pane.state().computers.size === 7, 2_000);
	pane.sharedWatch?.leave('suspended');
	expect(pane.recorder.isRecorder()).toBe(false);
	pane.sharedWatch?.rejoin('suspended');
	await until(() => pane.recorder.isRecorder(), 1_000);
});

test('a pane with --alone records while nobody leads', async () => {
	const { open, until, pass } = await openPanes();
	const alone = open(1, { isAlone: true });
	await until(() => alone.state().computers.size === 7, 2_000);
	expect(recording([alone])).toEqual([1]);
	const leader = open(2);
	await until(() => leader.state().computers.size === 7, 2_000);
	await pass(2_000);
	expect(recording([alone, leader])).toEqual([2]);
	await leader.close();
	await until(() => alone.recorder.isRecorder(), 3_000);
});

/** Begins to record beside a socket, and counts how often that began. */
function startBeside(path: string) {
	const closing = new AbortController();
	onTestFinished(() => closing.abort());
	const clock = createHeldClock();
	const recorder = createRecorder(false);
	let begins = 0;
	recorder.onBecoming(() => {
		begins += 1;
	});
	recordWhileNobodyLeads(() => path, recorder, clock, closing.signal);
	return { clock, recorder, begins: () => begins };
}

const listen = (path: string) =>
	new Promise<Server>(resolve => {
		const server = createServer(socket => {
			socket.resume();
			server.once('close', () => socket.destroy());
		});
		server.listen(path, () => resolve(server));
	});

test('a process without a leader records at once, and one beside a leader within two seconds of its end', async () => {
	const folder = temporaryFolder();
	const none = startBeside(join(folder, 'none.sock'));
	expect([none.recorder.isRecorder(), none.begins()]).toEqual([true, 1]);
	const path = join(folder, 'leader.sock');
	const leader = await listen(path);
	const beside = startBeside(path);
	await new Promise(resolve => leader.once('connection', resolve));
	expect(beside.begins()).toBe(0);
	leader.close();
	leader.emit('close');
	await expect
		.poll(() => {
			beside.clock.move(2_000);
			return beside.recorder.isRecorder();
		})
		.toBe(true);
	expect(beside.begins()).toBe(1);
});
