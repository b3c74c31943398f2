import { unlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createFollower, silenceMs } from '../../source/sharing/follower.ts';
import { createHeldClock } from '../held-clock.ts';
import { openPanes, type Pane } from './panes.ts';
import { socketPair } from './socket-pair.ts';

const ownLists = ({ facts }: Pane) =>
	facts.filter(({ type, pane }) => type === 'listRead' && pane === undefined);

/** Opens a pane that follows a leader which only speaks when the test tells it to. */
async function openBehindQuietLeader() {
	const panes = await openPanes();
	const sockets: Socket[] = [];
	const server = createServer(socket => {
		socket.on('error', () => {});
		socket.write('{"type":"hello","pid":99}\n');
		sockets.push(socket);
	});
	onTestFinished(() => {
		for (const socket of sockets) socket.destroy();
		server.close();
	});
	await new Promise<void>(resolve => void server.listen(panes.path, resolve));
	const pane = panes.open(1);
	await panes.until(() => pane.role() === 'following', 1_000);
	const speak = () => sockets.forEach(socket => void socket.write('{"type":"heartbeat"}\n'));
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

test('a follower that was busy does not take its leader for silent while words of the leader wait to be read', async () => {
	const clock = createHeldClock();
	const [socket, leader] = await socketPair();
	const silences: boolean[] = [];
	const follower = createFollower({
		socket,
		clock,
		pid: 2,
		onFact() {},
		onUsedLast() {},
		onLeader() {},
		onEnd() {},
		onSilence: isSilent => silences.push(isSilent),
	});
	onTestFinished(follower.close);
	const readAll = async () => {
		for (let turns = 0; turns < 50; turns += 1) await new Promise(setImmediate);
	};
	leader.write('{"type":"heartbeat"}\n');
	// Timers run before anything is read from the socket.
	clock.move(silenceMs / 2);
	clock.move(silenceMs / 2);
	await readAll();
	clock.move(100);
	expect(silences).toEqual([]);
	clock.move(silenceMs / 2);
	await readAll();
	clock.move(silenceMs / 2);
	await readAll();
	clock.move(100);
	expect(silences).toEqual([true]);
});

test('a pane that polled alone because the start lock was held for long takes part in an election within seconds', async () => {
	const { open, until, pass, path } = await openPanes();
	writeFileSync(`${path}.lock`, JSON.stringify({ pid: 1, hostId: 'host' }));
	const pane = open(1);
	await until(() => pane.state().computers.size === 7, 5_000);
	const second = open(2);
	await until(() => second.state().computers.size === 7, 5_000);
	unlinkSync(`${path}.lock`);
	await pass(7_000);
	expect([pane.role(), second.role()].sort()).toEqual(['following', 'leading']);
});
