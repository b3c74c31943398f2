import { mkdirSync, rmdirSync, unlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { defaultNotices } from '../../source/accounts/settings.ts';
import { startAnnouncing } from '../../source/monitor/announcements.ts';
import { createSessionTable } from '../../source/session/session-table.ts';
import { ask, idOf, openFollowed, openPanes, type Pane } from './panes.ts';

const minute = 60_000;

const phaseOf = (pane: Pane, name: string) => pane.state().computers.get(idOf(pane, name))?.phase;
const rolesOf = (...panes: readonly Pane[]) => panes.map(({ role }) => role());
const recordingOf = (...panes: readonly Pane[]) =>
	panes.filter(({ recorder }) => recorder.getState()).map(({ pid }) => pid);
const attend = ({ watch }: Pane, attendedUntil: number) =>
	watch.setAttention({ visibleIds: new Set(), views: new Set(), attendedUntil });

test('several panes know the same, and send no more requests than one', async () => {
	const requestsOf = async (count: 1 | 3) => {
		const { opened, pass, simulator } = await openFollowed(count);
		simulator.world.fail('atlas');
		await pass(6_000);
		for (const pane of opened) {
			expect(phaseOf(pane, 'atlas')).toBe('error');
			expect(pane.state().computers).toEqual(opened[0]?.state().computers);
		}
		await pass(120_000, 500);
		return simulator.requests.length;
	};
	const alone = await requestsOf(1);
	expect(alone).toBeGreaterThan(20);
	expect(Math.abs((await requestsOf(3)) - alone)).toBeLessThanOrEqual(alone / 20);
});

test('the leader records, and when it ends, another pane reads and records at once', async () => {
	const { first, second, third, until, pass, simulator } = await openFollowed(3);
	expect(rolesOf(first, second, third)).toEqual(['leading', 'following', 'following']);
	expect(recordingOf(first, second, third)).toEqual([1]);
	await first.close();
	await until(() => rolesOf(second, third).sort().join() === 'following,leading', 200);
	const leading = [second, third].filter(({ role }) => role() === 'leading');
	expect(recordingOf(second, third)).toEqual(leading.map(({ pid }) => pid));
	simulator.world.fail('atlas');
	await pass(6_000);
	expect([second, third].map(pane => phaseOf(pane, 'atlas'))).toEqual(['error', 'error']);
});

test('a process that follows a new leader notices each change once, also if the leader remembers old answers', async () => {
	const { open, until, pass, simulator } = await openPanes();
	const first = open(1);
	await until(
		() => first.facts.some(fact => fact.type === 'computerRead' && fact.read === 'detail'),
		5_000,
	);
	const [second, third] = [open(2), open(3)];
	await until(() => third.role() === 'following' && second.role() === 'following');
	const { id } = simulator.world.computers()[0] ?? { id: '' };
	await pass(150_000, 1_000);
	simulator.world.fail(id);
	await pass(6_000);
	await first.close();
	await until(() => rolesOf(second, third).sort().join() === 'following,leading', 200);
	await pass(6_000);
	const changesOf = (pane: Pane) =>
		pane.state().changes.filter(change => change.type === 'statusChanged' && change.id === id);
	expect([second, third].map(changesOf)).toMatchObject([[{ to: 'error' }], [{ to: 'error' }]]);
});

test('the share that a person chose last in any pane applies to all panes, also to panes that open later', async () => {
	const { first, second, open, until, clock } = await openFollowed(2);
	const choose = ({ store }: Pane, share: 'half' | 'quarter', chosenAt: number) =>
		store.receive([{ account: 'test', at: clock.now(), type: 'shareChosen', share, chosenAt }]);
	const shareIn = (pane: Pane) => pane.state().chosenShare?.share;
	choose(second, 'quarter', 20);
	await until(() => shareIn(first) === 'quarter', 2_000);
	const third = open(3);
	choose(third, 'half', 10);
	await until(() => shareIn(third) === 'quarter', 2_000);
	expect([first, second].map(shareIn)).toEqual(['quarter', 'quarter']);
	choose(first, 'half', 30);
	await until(() => shareIn(second) === 'half' && shareIn(third) === 'half', 2_000);
});

test('each process shows and follows the operations of the others, which only their own process sends', async () => {
	const { first, second, until, pass, simulator } = await openFollowed(2);
	ask(second, 'stop', idOf(second, 'atlas'));
	await until(() => first.state().operations.size === 1, 2_000);
	expect([...first.state().operations.values()][0]).toMatchObject({ pane: '2' });
	await pass(10_000);
	expect([first, second].map(pane => phaseOf(pane, 'atlas'))).toEqual(['stopped', 'stopped']);
	expect(first.state().operations.size + second.state().operations.size).toBe(0);
	await second.close();
	const lastMoveOf = (pane: Pane) =>
		pane.state().changes.findLast(change => change.type === 'operationMoved');
	expect(lastMoveOf(first)).toMatchObject({ to: 'settled', pane: '2' });
	expect(lastMoveOf(second)).toMatchObject({ to: 'settled', pane: undefined });
	expect(simulator.requests.filter(({ path }) => path.endsWith('/stop'))).toHaveLength(1);
});

test('the leader reads the details that are open in another pane, and at once what a person asks for there', async () => {
	const { second, pass, clock, simulator } = await openFollowed(2);
	const detailId = idOf(second, 'borealis');
	second.watch.setAttention({
		visibleIds: new Set(),
		views: new Set(),
		detailId,
		restingSince: 0,
		attendedUntil: clock.now() + minute,
	});
	await pass(3_000);
	expect(simulator.requests.some(({ path }) => path.endsWith(`/sandbox/${detailId}`))).toBe(true);
	const before = simulator.requests.length;
	second.watch.readNow([{ name: 'models' }]);
	await pass(1_000);
	expect(simulator.requests.slice(before).some(({ path }) => path.endsWith('/models'))).toBe(true);
	expect(second.state().models?.length).toBeGreaterThan(0);
});

test('the leader polls faster while an operation of another pane is under way', async () => {
	const { first, second, until, pass, polls } = await openFollowed(2);
	const pollsIn = async (milliseconds: number) => {
		const before = polls.length;
		await pass(milliseconds, 500);
		return polls.length - before;
	};
	// The creation with which the world begins is over.
	await pass(200_000, 500);
	const inTwentyCalmSeconds = await pollsIn(20_000);
	// The operation begins between two lists.
	await pass(500, 500);
	ask(second, 'stop', idOf(second, 'atlas'));
	await until(() => first.state().operations.size === 1, 2_000);
	expect(await pollsIn(5_000)).toBeGreaterThan(1.5 * (inTwentyCalmSeconds / 4));
	expect(new Set(polls.map(({ pid }) => pid))).toEqual(new Set([1]));
});

test('a leader whose socket was deleted makes room for the process that listens now', async () => {
	const { first, open, until, pass, path } = await openFollowed(1);
	unlinkSync(path);
	const second = open(2);
	await until(() => second.state().computers.size === 7, 2_000);
	await pass(2_500);
	expect(rolesOf(first, second)).toEqual(['following', 'leading']);
});

test('a pane that is about to be suspended records no more, lets another one lead, and follows it afterwards', async () => {
	const { first, second, until, pass } = await openFollowed(2);
	first.sharedWatch?.leave('suspended');
	expect(recordingOf(first)).toEqual([]);
	await until(() => second.role() !== 'following', 200);
	await pass(1_000);
	first.sharedWatch?.rejoin('suspended');
	await until(() => rolesOf(first, second).join() === 'following,leading', 200);
	await second.close();
	first.sharedWatch?.leave('suspended');
	first.sharedWatch?.rejoin('suspended');
	await until(() => first.recorder.getState(), 1_000);
});

test('only the process whose terminal was used last may ring, also where terminals report their focus', async () => {
	const { first, second, until, clock } = await openFollowed(2);
	const untilRings = (pid: number) =>
		until(() =>
			[first, second].every(pane => pane.sharedWatch?.isUsedLast() === (pane.pid === pid)),
		);
	attend(first, clock.now() + 300_000);
	attend(second, clock.now() + 310_000);
	await untilRings(2);
	attend(first, clock.now() + 320_000);
	await untilRings(1);
	// Of two that are used until the same time, the one that told it last.
	attend(second, clock.now() + 330_000);
	await untilRings(2);
	attend(first, clock.now() + 330_000);
	await untilRings(1);
	// The focus goes to the other terminal.
	attend(second, Number.POSITIVE_INFINITY);
	await untilRings(2);
	attend(second, Number.NEGATIVE_INFINITY);
	await untilRings(1);
	await second.close();
	expect(first.sharedWatch?.isUsedLast()).toBe(true);
});

test.each([
	['the pane that was used last', 2],
	['another pane', 3],
])(
	'a failure is announced once, in the terminal that was used last, also after %s became the leader',
	async (_, nextLeader) => {
		const { first, second, third, until, pass, clock, simulator } = await openFollowed(3);
		const heard: string[] = [];
		for (const pane of [first, second, third]) {
			const terminal = {
				setTitle() {},
				ringBell: () => heard.push(`${pane.pid}: bell`),
				notify: (text: string) => heard.push(`${pane.pid}: ${text}`),
			};
			const table = createSessionTable([pane]);
			onTestFinished(startAnnouncing(table, terminal, defaultNotices, clock));
		}
		for (const [seconds, pane] of [first, third, second].entries())
			attend(pane, clock.now() + 600_000 + 1_000 * seconds);
		await pass(10_000);
		simulator.world.fail('atlas');
		await pass(10_000);
		expect(heard).toEqual([expect.stringMatching(/^2: .*atlas/)]);

		await first.close();
		// The other one has left the election until the next leader polls.
		const [next, other] = nextLeader === 2 ? [second, third] : [third, second];
		other.sharedWatch?.leave('suspended');
		await until(() => next.role() === 'alone', 1_000);
		other.sharedWatch?.rejoin('suspended');
		await until(() => rolesOf(next, other).join() === 'leading,following', 1_000);
		await pass(10_000);
		simulator.world.fail('borealis');
		await pass(10_000);
		expect(heard.slice(1)).toEqual([expect.stringMatching(/^2: .*borealis/)]);
	},
);

test('with --alone, a pane uses at most a quarter of the limit, also while something moves', async () => {
	/** Returns the most lists that a pane requests in any minute, while computers start. */
	const mostLists = async (isAlone: boolean) => {
		const { open, pass, polls } = await openPanes();
		open(1, { isAlone });
		await pass(3 * minute);
		const counts = polls.map(
			({ at: start }) => polls.filter(({ at }) => at >= start && at < start + minute).length,
		);
		return Math.max(...counts);
	};
	const quarter = 30 / 4;
	expect(await mostLists(false)).toBeGreaterThan(quarter);
	const most = await mostLists(true);
	expect(most).toBeLessThanOrEqual(quarter);
	expect(most).toBeGreaterThan(quarter / 2);
});

test('a pane with --alone records while nobody leads', async () => {
	const { open, until, pass } = await openPanes();
	const alone = open(1, { isAlone: true });
	await until(() => alone.state().computers.size === 7, 2_000);
	expect(recordingOf(alone)).toEqual([1]);
	const leader = open(2);
	await until(() => leader.state().computers.size === 7, 2_000);
	await pass(2_000);
	expect(recordingOf(alone, leader)).toEqual([2]);
	await leader.close();
	await until(() => alone.recorder.getState(), 3_000);
});

test('panes that can make no socket read and record for themselves, and share a watch once they can', async () => {
	const { open, until, pass, path } = await openPanes();
	// Something else has the names of their sockets.
	const obstacles = ['1', '2'].map(id => join(dirname(path), `process-${id}.sock`));
	for (const each of obstacles) mkdirSync(each);
	const panes = [open(1), open(2)];
	await until(() => panes.every(({ state }) => state().computers.size === 7), 5_000);
	expect(rolesOf(...panes)).toEqual(['alone', 'alone']);
	expect(recordingOf(...panes)).toEqual([1, 2]);
	for (const each of obstacles) rmdirSync(each);
	await pass(5_000);
	expect(rolesOf(...panes).sort()).toEqual(['following', 'leading']);
	expect(recordingOf(...panes)).toHaveLength(1);
});
