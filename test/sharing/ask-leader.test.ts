import { expect, test } from 'vitest';
import { askLeader } from '../../source/sharing/socket.ts';
import { openPanes } from './panes.ts';

/** Opens a leader, and waits until it has read the list. */
async function openLeader() {
	const panes = await openPanes();
	const leader = panes.open(1);
	await panes.until(() => leader.state().computers.size === 7, 2_000);
	return { ...panes, leader };
}

test('a leader answers with what it knows', async () => {
	const { path, clock, leader } = await openLeader();
	const facts = (await askLeader(path, clock)) ?? [];
	const types = facts.map(({ type }) => type);
	expect(types).toEqual(expect.arrayContaining(['listRead', 'signedIn']));
	expect(facts.every(({ pane }) => pane === '1')).toBe(true);
	const list = facts.find(({ type }) => type === 'listRead');
	expect(list?.at).toBe(leader.state().reads.list?.answer?.at);
});

test('a process that only asks does not count as a follower', async () => {
	const { path, clock, leader, open, until } = await openLeader();
	const asked = leader.facts.length;
	await askLeader(path, clock);
	expect(leader.facts.slice(asked).filter(({ type }) => type === 'watchShared')).toEqual([]);
	const follower = open(2);
	await until(() => follower.role() === 'following');
	expect(leader.state().sharedWatch).toEqual({ followers: 1 });
});

test('a list that is sent to a command changes nothing for the followers', async () => {
	const { path, clock, leader, open, until, pass, simulator } = await openLeader();
	const follower = open(2);
	await until(() => follower.state().computers.size === 7);
	await askLeader(path, clock);
	simulator.world.fail('atlas');
	await pass(6_000);
	expect(follower.state().computers).toEqual(leader.state().computers);
});

test('a question stays unanswered where no process listens, and where the leader is stopped', async () => {
	const { path, clock, leader, until } = await openLeader();
	expect(await askLeader(`${path}.other`, clock)).toBeUndefined();
	await leader.close();
	expect(await askLeader(path, clock)).toBeUndefined();
	const { createServer } = await import('node:net');
	const stopped = createServer().listen(path);
	const silence = askLeader(path, clock);
	let isOver = false;
	void silence.then(() => {
		isOver = true;
	});
	await until(() => isOver, 1_000);
	expect(await silence).toBeUndefined();
	stopped.close();
});
