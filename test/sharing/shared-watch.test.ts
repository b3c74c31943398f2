import { chmodSync, unlinkSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { defaultNotices } from '../../source/accounts/settings.ts';
import { startAnnouncing } from '../../source/monitor/announcements.ts';
import { createSessionTable } from '../../source/session/session-table.ts';
import { ask, idOf, openFollowed, openPanes, type Pane } from './panes.ts';

const minute = 60_000;

const phaseOf = (pane: Pane, name: string) => pane.state().computers.get(idOf(pane, name))?.phase;
const endOfTime = 8.64e15;
const knowsAll = ({ state }: Pane) => state().computers.size === 7;
const rolesOf = (...panes: readonly Pane[]) => panes.map(({ role }) => role());
const recordingOf = (...panes: readonly Pane[]) =>
	panes.filter(({ recorder }) => recorder.getState()).map(({ pid }) => pid);
const attend = ({ watch }: Pane, attendedUntil: number) =>
	watch.setAttention({ visibleIds: [], views: [], attendedUntil });

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

test('the leader records, and when it ends, another pane reads and records at once, and each change is noticed once', async () => {
	const { first, second, third, until, pass, simulator } = await openFollowed(3);
	expect(rolesOf(first, second, third)).toEqual(['leading', 'following', 'following']);
	expect(recordingOf(first, second, third)).toEqual([1]);
	// The leader remembers old answers by then.
	await pass(150_000, 1_000);
	simulator.world.fail('atlas');
	await pass(6_000);
	await first.close();
	await until(() => rolesOf(second, third).sort().join() === 'following,leading', 200);
	const leading = [second, third].filter(({ role }) => role() === 'leading');
	expect(recordingOf(second, third)).toEqual(leading.map(({ pid }) => pid));
	await pass(6_000);
	for (const pane of [second, third]) {
		const id = idOf(pane, 'atlas');
		const { changes } = pane.state();
		expect(changes.filter(each => 'id' in each && each.id === id)).toMatchObject([{ to: 'error' }]);
	}
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

test('each pane shows the operations of the others, which only their own pane sends, and for which the leader polls faster', async () => {
	const { first, second, until, pass, simulator, polls } = await openFollowed(2);
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
	expect([...first.state().operations.values()]).toMatchObject([{ pane: '2' }]);
	expect(await pollsIn(5_000)).toBeGreaterThan(1.5 * (inTwentyCalmSeconds / 4));
	await pass(5_000);
	expect([first, second].map(pane => phaseOf(pane, 'atlas'))).toEqual(['stopped', 'stopped']);
	expect(first.state().operations.size + second.state().operations.size).toBe(0);
	const lastMoveOf = (pane: Pane) =>
		pane.state().changes.findLast(change => change.type === 'operationMoved');
	expect(lastMoveOf(first)).toMatchObject({ to: 'settled', pane: '2' });
	expect(lastMoveOf(second)).toMatchObject({ to: 'settled', pane: undefined });
	expect(simulator.requests.filter(({ path }) => path.endsWith('/stop'))).toHaveLength(1);
	expect(new Set(polls.map(({ pid }) => pid))).toEqual(new Set([1]));
});

test('the leader reads the details that are open in another pane, and at once what a person asks for there', async () => {
	const { second, pass, clock, simulator } = await openFollowed(2);
	const detailId = idOf(second, 'borealis');
	const attention = { visibleIds: [], views: [], restingSince: 0 };
	second.watch.setAttention({ ...attention, detailId, attendedUntil: clock.now() + minute });
	await pass(3_000);
	expect(simulator.requests.some(({ path }) => path.endsWith(`/sandbox/${detailId}`))).toBe(true);
	second.watch.readNow([{ name: 'models' }]);
	await pass(1_000);
	expect(second.state().models?.length).toBeGreaterThan(0);
});

test('a leader whose socket was deleted makes room for the process that listens now', async () => {
	const { first, open, until, pass, path } = await openFollowed(1);
	unlinkSync(path);
	const second = open(2);
	await until(() => knowsAll(second), 2_000);
	await pass(2_500);
	expect(rolesOf(first, second)).toEqual(['following', 'leading']);
});

test('a follower whose connection was cut follows again, and learns what it missed', async () => {
	const { simulator, second: cut, until, polls } = await openFollowed(2);
	cut.cut();
	simulator.world.fail('atlas');
	await until(() => phaseOf(cut, 'atlas') === 'error', 20_000);
	expect(cut.role()).toBe('following');
	expect(new Set(polls.map(({ pid }) => pid))).toEqual(new Set([1]));
});

test('a pane that is about to be suspended records no more, lets another one lead, and follows it afterwards', async () => {
	const { first, second, until, polls, simulator } = await openFollowed(2);
	simulator.setFaults([{ target: 'list', kind: 'delay', delayMs: 4_000 }]);
	const ownPolls = () => polls.filter(({ pid }) => pid === 1).length;
	const polled = ownPolls();
	first.watch.readNow();
	await until(() => ownPolls() > polled, 2_000);
	const ownLists = () =>
		first.facts.filter(({ type, pane }) => type === 'listRead' && !pane).length;
	const before = ownLists();
	first.sharedWatch?.resign();
	expect(recordingOf(first)).toEqual([]);
	await until(() => second.role() !== 'following', 200);
	await until(() => rolesOf(first, second).join() === 'following,leading', 2_500);
	// The answer that it still waits for does not make it lead again.
	expect(ownLists()).toBe(before);
	await until(() => ownLists() > before, 10_000);
	expect(rolesOf(first, second)).toEqual(['following', 'leading']);
});

test('a pane whose terminal a command has for long, but which runs, shares the watch and records as before', async () => {
	const { first, second, pass, polls } = await openFollowed(2);
	first.sharedWatch?.resign();
	await pass(3_000);
	expect(rolesOf(first, second)).toEqual(['following', 'leading']);
	const before = polls.length;
	await pass(20_000, 500);
	expect(new Set(polls.slice(before).map(({ pid }) => pid))).toEqual(new Set([2]));
	await second.close();
	first.sharedWatch?.resign();
	expect(recordingOf(first)).toEqual([]);
	await pass(3_000);
	expect(recordingOf(first)).toEqual([1]);
});

test('a pane that leads no more reads as seldom as its own person looks', async () => {
	const { first, second, pass, polls } = await openFollowed(2);
	attend(first, 0);
	attend(second, endOfTime);
	await pass(2_000);
	first.sharedWatch?.resign();
	await pass(3_000);
	await second.close();
	await pass(3_000);
	const before = polls.length;
	await pass(minute, 500);
	expect(rolesOf(first)).toEqual(['alone']);
	expect(polls.slice(before).filter(({ pid }) => pid === 1).length).toBeLessThan(9);
});

test('only the process whose terminal was used last may ring, also where terminals report their focus', async () => {
	const { first, second, until, clock } = await openFollowed(2);
	const now = clock.now();
	for (const [pane, attendedUntil, pid] of [
		[second, now + 310_000, 2],
		[first, now + 320_000, 1],
		[second, now + 330_000, 2],
		// Of two that are used until the same time, the one that told it last.
		[first, now + 330_000, 1],
		// The focus goes to the other terminal.
		[second, endOfTime, 2],
		[second, 0, 1],
	] as const) {
		attend(pane, attendedUntil);
		await until(
			() => [first, second].every(each => each.sharedWatch?.isUsedLast() === (each.pid === pid)),
			2_000,
		);
	}
	attend(second, now + 310_000);
	expect(second.sharedWatch?.isUsedLast()).toBe(false);
	attend(second, now + 340_000);
	await second.close();
	await until(() => first.sharedWatch?.isUsedLast() === true);
});

test('a failure is announced once, in the terminal that was used last, whoever leads', async () => {
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
	await until(() => rolesOf(second, third).sort().join() === 'following,leading', 1_000);
	await pass(10_000);
	simulator.world.fail('borealis');
	await pass(10_000);
	expect(heard.slice(1)).toEqual([expect.stringMatching(/^2: .*borealis/)]);
});

test('with --alone, a pane uses at most a quarter of the limit, also while something moves', async () => {
	const { open, pass, polls } = await openPanes();
	open(1, { isAlone: true });
	await pass(3 * minute);
	const counts = polls.map(
		({ at: start }) => polls.filter(({ at }) => at >= start && at < start + minute).length,
	);
	const quarter = 30 / 4;
	expect(Math.max(...counts)).toBeLessThanOrEqual(quarter);
	expect(Math.max(...counts)).toBeGreaterThan(quarter / 2);
});

test('a pane with --alone records while nobody leads', async () => {
	const { open, until, pass } = await openPanes();
	const alone = open(1, { isAlone: true });
	await until(() => knowsAll(alone), 2_000);
	expect(recordingOf(alone)).toEqual([1]);
	const leader = open(2);
	await until(() => knowsAll(leader), 2_000);
	await pass(2_000);
	expect(recordingOf(alone, leader)).toEqual([2]);
	await leader.close();
	await until(() => alone.recorder.getState(), 3_000);
});

test('panes that can make no socket read and record for themselves, and share a watch once they can', async () => {
	const { open, until, pass, folder } = await openPanes();
	chmodSync(folder, 0o755);
	const panes = [open(1), open(2)];
	await until(() => panes.every(knowsAll), 5_000);
	expect(rolesOf(...panes)).toEqual(['alone', 'alone']);
	expect(recordingOf(...panes)).toEqual([1, 2]);
	chmodSync(folder, 0o700);
	await pass(5_000);
	expect(rolesOf(...panes).sort()).toEqual(['following', 'leading']);
	expect(recordingOf(...panes)).toHaveLength(1);
});
