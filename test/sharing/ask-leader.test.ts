import { expect, test } from 'vitest';
import { askLeader } from '../../source/sharing/socket.ts';
import { holdSocket, openFollowed } from './panes.ts';

test('a leader answers with what it knows', async () => {
	const { path, clock, first: leader } = await openFollowed(1);
	const facts = await askLeader(path, clock);
	const types = facts.map(({ type }) => type);
	expect(types).toEqual(expect.arrayContaining(['listRead', 'signedIn']));
	expect(facts.every(({ pane }) => pane === '1')).toBe(true);
	const list = facts.find(({ type }) => type === 'listRead');
	expect(list?.at).toBe(leader.state().reads.list?.answer?.at);
});

test('a process that only asks does not count as a follower', async () => {
	const { path, clock, first: leader, open, until } = await openFollowed(1);
	const asked = leader.facts.length;
	await askLeader(path, clock);
	expect(leader.facts.slice(asked).filter(({ type }) => type === 'watchShared')).toEqual([]);
	const follower = open(2);
	await until(() => follower.role() === 'following');
	expect(leader.state().sharedWatch).toEqual({ followers: 1 });
});

test('a question stays unanswered where no process listens, and where the leader is stopped', async () => {
	const { path, clock, first: leader, until } = await openFollowed(1);
	expect(await askLeader(`${path}.other`, clock)).toEqual([]);
	await leader.close();
	expect(await askLeader(path, clock)).toEqual([]);
	await holdSocket(path, () => {});
	const silence = askLeader(path, clock);
	let isOver = false;
	void silence.then(() => {
		isOver = true;
	});
	await until(() => isOver, 1_000);
	expect(await silence).toEqual([]);
});
