import { createServer, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { openPanes, type Pane } from './panes.ts';

const ownLists = ({ facts }: Pane) =>
	facts.filter(({ type, pane }) => type === 'listRead' && pane === undefined);

/** Opens a pane that follows a leader which only speaks when the test tells it to. */
async function openBehindQuietLeader() {
	const panes = await openPanes();
	const sockets: Socket[] = [];
	const server = createServer(socket => {
		socket.on('error', () => {});
		socket.write('{"type":"hello","id":"99"}\n');
		sockets.push(socket);
	});
	onTestFinished(() => {
		for (const socket of sockets) socket.destroy();
		server.close();
	});
	await new Promise<void>(resolve => void server.listen(panes.path, resolve));
	const pane = panes.open(1);
	await panes.until(() => pane.role() === 'following', 1_000);
	const speak = () =>
		sockets.forEach(socket => void socket.write('{"type":"beat","usedLast":"99"}\n'));
	return { ...panes, pane, speak };
}

test('a follower keeps the answer to its own request when its leader speaks again, and requests nothing more', async () => {
	const { pane, speak, polls, until, clock, simulator } = await openBehindQuietLeader();
	simulator.setFaults([{ target: 'list', kind: 'delay', delayMs: 500, count: 1 }]);
	await until(() => polls.length === 1, 5_000);
	await until(() => simulator.requests.some(({ path }) => path.endsWith('/sandbox')));
	speak();
	// The heartbeat arrives long before the answer, which waits for the held clock.
	for (let turns = 0; turns < 200; turns += 1) await new Promise(setImmediate);
	clock.move(500);
	await until(() => ownLists(pane).length === 1);
	expect(pane.state().computers.size).toBe(7);
	expect(pane.recorder.isRecorder()).toBe(false);
	for (let seconds = 0; seconds < 2; seconds += 1) {
		speak();
		for (let turns = 0; turns < 100; turns += 1) await new Promise(setImmediate);
		clock.move(1_000);
	}
	expect(polls).toHaveLength(1);
});
