import { expect, test } from 'vitest';
import { askFacts } from '../../source/sharing/ask-facts.ts';
import { askSummary } from '../../source/sharing/ask-summary.ts';
import { openPanes } from './panes.ts';

/** Opens a leader, and waits until it has read the list. */
async function openLeader() {
	const panes = await openPanes();
	const leader = panes.open(1);
	await panes.until(() => leader.state().computers.size === 7, 2_000);
	return { ...panes, leader };
}

test('a leader answers with a summary of its fleet, and with the facts of the requested types', async () => {
	const { path, clock, leader } = await openLeader();
	expect(await askSummary(path, clock)).toMatchObject({
		pid: 1,
		summary: { total: 7, readAt: leader.state().reads.list?.answer?.at },
	});
	const answer = await askFacts(path, clock, ['listRead', 'signedIn']);
	expect(answer?.pid).toBe(1);
	expect(answer?.facts.map(({ type }) => type).sort()).toEqual(['listRead', 'signedIn']);
});

test('a process that only asks does not count as a follower', async () => {
	const { path, clock, leader, open, until } = await openLeader();
	const asked = leader.facts.length;
	await askSummary(path, clock);
	await askFacts(path, clock, ['listRead']);
	expect(leader.facts.slice(asked).filter(({ type }) => type === 'watchShared')).toEqual([]);
	const follower = open(2);
	await until(() => follower.role() === 'following');
	expect(leader.state().sharedWatch).toEqual({ followers: 1 });
});

test('a list that is sent to a command changes nothing for the followers', async () => {
	const { path, clock, leader, open, until, pass, simulator } = await openLeader();
	const follower = open(2);
	await until(() => follower.state().computers.size === 7);
	await askFacts(path, clock, ['listRead']);
	simulator.world.fail('atlas');
	await pass(6_000);
	expect(follower.state().computers).toEqual(leader.state().computers);
});

test('a question stays unanswered where no process listens, and where the leader is stopped', async () => {
	const { path, clock, leader, until } = await openLeader();
	expect(await askSummary(`${path}.other`, clock)).toBeUndefined();
	await leader.close();
	expect(await askSummary(path, clock)).toBeUndefined();
	const { createServer } = await import('node:net');
	const stopped = createServer().listen(path);
	const silence = askSummary(path, clock);
	let isOver = false;
	void silence.then(() => {
		isOver = true;
	});
	await until(() => isOver, 1_000);
	expect(await silence).toBeUndefined();
	stopped.close();
});
