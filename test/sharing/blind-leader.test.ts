import type { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { greeting, heartbeat, holdSocket, openPanes, type Pane } from './panes.ts';

const second = 1_000;

test('a leader that cannot reach the platform hands over to a pane that can, and follows it', async () => {
	const { open, until, pass } = await openPanes();
	const blind = open(1, { isCutOff: () => true });
	await until(() => blind.state().reads.list?.failing !== undefined, 5 * second);
	const seeing = open(2);
	await until(() => seeing.role() === 'following', 5 * second);
	await until(() => seeing.state().computers.size === 7, 10 * second);
	expect(seeing.state().reads.list?.failing).toBeUndefined();
	await pass(30 * second);
	expect([blind.role(), seeing.role()]).toEqual(['following', 'leading']);
	expect(blind.state().computers.size).toBe(7);
	expect(blind.state().reads.list?.failing).toBeUndefined();
});

test('a pane behind a leader that cannot read says that another pane cannot read', async () => {
	const { open, until, pass } = await openPanes();
	const passUntil = async (isSo: () => boolean) => {
		for (let passed = 0; !isSo() && passed < 60 * second; passed += 100) await pass(100);
	};
	const panes = { areCutOff: false };
	const leader = open(1, { isCutOff: () => panes.areCutOff });
	await until(() => leader.state().computers.size === 7, 5 * second);
	const follower = open(2);
	await until(() => follower.state().computers.size === 7, 5 * second);
	panes.areCutOff = true;
	await passUntil(() => follower.state().reads.list?.failing !== undefined);
	expect(follower.state().reads.list?.failing?.failure.message).toMatch(
		/^another pane cannot read: /,
	);
	await passUntil(() => follower.role() === 'leading');
	expect(follower.role()).toBe('leading');
	expect(follower.state().reads.list?.failing).toBeUndefined();
});

test('while nobody can reach the platform, the leader stays, and the others try ever more rarely', async () => {
	const { open, until, pass, polls, simulator } = await openPanes();
	const panes = [open(1), open(2)];
	await until(() => panes.every(({ state }) => state().computers.size === 7), 5 * second);
	simulator.setFaults([{ target: 'list', kind: 'reset' }]);
	await pass(600 * second, 500);
	expect(panes.map(pane => pane.role())).toEqual(['leading', 'following']);
	const tries = polls.filter(({ pid }) => pid === 2);
	expect(tries.length).toBeGreaterThan(2);
	expect(tries.length).toBeLessThan(20);
	expect(panes[1]?.state().reads.list?.failing?.failure.message).not.toContain('another pane');
});

/** Opens a pane beside a process that holds the socket, and sends nothing that helps. */
async function openBeside(hold: (socket: Socket) => void) {
	const panes = await openPanes();
	const holder = await holdSocket(panes.path, hold);
	return { ...panes, holder, pane: panes.open(1) };
}

test('a pane reads for itself beside a process that closes every connection, which it asks ever more rarely', async () => {
	const { pane, pass, holder } = await openBeside(socket => socket.destroy());
	await pass(20 * second);
	expect(pane.state().computers.size).toBe(7);
	expect(pane.role()).toBe('alone');
	expect(holder.sockets.length).toBeLessThan(15);
});

test('a pane reads for itself behind a process that only sends heartbeats, and replaces it in the end', async () => {
	const { pane, open, clock, pass, holder } = await openBeside(socket => {
		socket.write(greeting);
		(function beat() {
			socket.write(heartbeat);
			clock.after(second, beat);
		})();
	});
	await pass(10 * second);
	expect(pane.state().computers.size).toBe(7);
	await pass(150 * second);
	const other = open(2);
	await pass(second);
	expect([pane.role(), other.role()]).toEqual(['leading', 'following']);
	holder.close();
});

test('a leader that was stopped is replaced after ten seconds, and follows when it continues', async () => {
	const { open, until, pass, path, polls } = await openPanes();
	await holdSocket(path, socket => void socket.write(greeting + heartbeat));
	const [one, two] = [open(1), open(2)];
	await until(() => one.role() === 'following' && two.role() === 'following', 2 * second);
	await pass(8 * second);
	// Until then, one of the two reads and the other waits.
	expect(new Set(polls.map(({ pid }) => pid)).size).toBe(1);
	await pass(6 * second);
	expect([one.role(), two.role()].sort()).toEqual(['following', 'leading']);
	expect([one, two].map(({ state }) => state().computers.size)).toEqual([7, 7]);
});

const ownLists = ({ facts }: Pane) =>
	facts.filter(({ type, pane }) => type === 'listRead' && pane === undefined);

test('a follower keeps the answer to its own request when its leader speaks again, and requests nothing more', async () => {
	const { pane, holder, polls, until, clock, simulator } = await openBeside(
		socket => void socket.write(greeting),
	);
	await until(() => pane.role() === 'following', 1_000);
	const speak = () => holder.sockets.forEach(socket => void socket.write(heartbeat));
	simulator.setFaults([{ target: 'list', kind: 'delay', delayMs: 500, count: 1 }]);
	await until(() => polls.length === 1, 5_000);
	await until(() => simulator.requests.some(({ path }) => path.endsWith('/sandbox')));
	speak();
	// The heartbeat arrives long before the answer, which waits for the held clock.
	for (let turns = 0; turns < 200; turns += 1) await new Promise(setImmediate);
	clock.move(500);
	await until(() => ownLists(pane).length === 1);
	expect(pane.state().computers.size).toBe(7);
	expect(pane.recorder.getState()).toBe(false);
	for (let seconds = 0; seconds < 2; seconds += 1) {
		speak();
		for (let turns = 0; turns < 100; turns += 1) await new Promise(setImmediate);
		clock.move(1_000);
	}
	expect(polls).toHaveLength(1);
});
