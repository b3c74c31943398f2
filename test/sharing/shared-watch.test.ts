import { unlinkSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ask, openFollowed, openPanes, type Pane } from './panes.ts';

const phaseOf = (pane: Pane, name: string) =>
	[...pane.state().computers.values()].find(({ reading }) => reading.name === name)?.phase;

test('the first process polls, and the others receive what it reads without a request of their own', async () => {
	const { open, until, pass, simulator } = await openPanes();
	const first = open(1);
	await until(() => first.state().computers.size === 7, 2_000);
	const requestsOfOne = simulator.requests.length;
	const second = open(2);
	const third = open(3);
	await until(() => second.state().computers.size === 7 && third.state().computers.size === 7);
	expect(simulator.requests).toHaveLength(requestsOfOne);
	expect([first.role(), second.role(), third.role()]).toEqual([
		'leading',
		'following',
		'following',
	]);
	simulator.world.fail('atlas');
	await pass(6_000);
	expect([first, second, third].map(pane => phaseOf(pane, 'atlas'))).toEqual([
		'error',
		'error',
		'error',
	]);
	expect(second.state().computers).toEqual(first.state().computers);
});

test('when the leader closes, another process polls at once', async () => {
	const { first, second, third, until, pass, simulator } = await openFollowed(3);
	await first.close();
	await until(() => [second.role(), third.role()].sort().join() === 'following,leading', 200);
	simulator.world.fail('atlas');
	await pass(6_000);
	expect([second, third].map(pane => phaseOf(pane, 'atlas'))).toEqual(['error', 'error']);
});

test('a process that follows a new leader notices each change once, also if the leader remembers old answers', async () => {
	const { open, until, pass, simulator } = await openPanes();
	const first = open(1);
	await until(() => first.facts.some(({ type }) => type === 'detailRead'), 5_000);
	const second = open(2);
	const third = open(3);
	await until(() => third.role() === 'following' && second.role() === 'following');
	const { id } = simulator.world.computers()[0] ?? { id: '' };
	await pass(150_000, 1_000);
	simulator.world.fail(id);
	await pass(6_000);
	await first.close();
	await until(() => [second.role(), third.role()].sort().join() === 'following,leading', 200);
	await pass(6_000);
	const changesOf = (pane: Pane) =>
		pane.state().changes.filter(change => change.type === 'statusChanged' && change.id === id);
	expect([second, third].map(changesOf)).toMatchObject([[{ to: 'error' }], [{ to: 'error' }]]);
});

test('the share that a person chose last in any pane applies to all panes, also to panes that open later', async () => {
	const { first, second, open, until, clock } = await openFollowed(2);
	const choose = (pane: Pane, share: 'half' | 'quarter', chosenAt: number) =>
		pane.store.receive([
			{ account: 'test', at: clock.now(), type: 'shareChosen', share, chosenAt },
		]);
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
	expect(phaseOf(first, 'atlas')).toBe('stopped');
	expect(phaseOf(second, 'atlas')).toBe('stopped');
	expect(first.state().operations.size + second.state().operations.size).toBe(0);
	await second.close();
	const movesOf = (pane: Pane) =>
		pane.state().changes.flatMap(change => (change.type === 'operationMoved' ? [change] : []));
	expect(movesOf(first).at(-1)).toMatchObject({ to: 'settled', pane: '2' });
	expect(movesOf(second).at(-1)?.pane).toBeUndefined();
	expect(simulator.requests.filter(({ path }) => path.endsWith('/stop'))).toHaveLength(1);
});

const idOf = (pane: Pane, name: string) =>
	[...pane.state().computers.values()].find(({ reading }) => reading.name === name)?.id ?? '';

test('the leader polls the details that are open in another pane, and reads at once what a person asks for in that pane', async () => {
	const { second, pass, clock, simulator } = await openFollowed(2);
	const detailId = idOf(second, 'borealis');
	second.watch.setAttention({
		visibleIds: new Set(),
		detailId,
		restingSince: 0,
		attendedUntil: clock.now() + 60_000,
	});
	await pass(3_000);
	const details = simulator.requests.filter(({ path }) => path.endsWith(`/sandbox/${detailId}`));
	expect(details.length).toBeGreaterThan(0);
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
	await pass(2_500, 500);
	ask(second, 'stop', idOf(second, 'atlas'));
	await until(() => first.state().operations.size === 1, 2_000);
	const inFiveSeconds = await pollsIn(5_000);
	expect(inFiveSeconds).toBeGreaterThan(1.5 * (inTwentyCalmSeconds / 4));
	expect(new Set(polls.map(({ pid }) => pid))).toEqual(new Set([1]));
});

test('a leader whose socket was deleted makes room for the process that listens now', async () => {
	const { open, until, pass, path } = await openPanes();
	const first = open(1);
	await until(() => first.state().computers.size === 7, 2_000);
	unlinkSync(path);
	const second = open(2);
	await until(() => second.state().computers.size === 7, 2_000);
	await pass(2_500);
	expect([first.role(), second.role()]).toEqual(['following', 'leading']);
});

test('only the process whose terminal was used last may ring, also where terminals report their focus', async () => {
	const { first, second, until, clock } = await openFollowed(2);
	const ringing = () => [first, second].map(({ sharedWatch }) => sharedWatch?.isUsedLast());
	const attend = (pane: Pane, attendedUntil: number) =>
		pane.watch.setAttention({ visibleIds: new Set(), attendedUntil });
	attend(first, clock.now() + 300_000);
	attend(second, clock.now() + 310_000);
	await until(() => ringing().join() === 'false,true');
	attend(first, clock.now() + 320_000);
	await until(() => ringing().join() === 'true,false');
	// Of two that are used until the same time, the one that told it last.
	attend(second, clock.now() + 330_000);
	await until(() => ringing().join() === 'false,true');
	attend(first, clock.now() + 330_000);
	await until(() => ringing().join() === 'true,false');
	// The focus goes to the other terminal.
	attend(second, Number.POSITIVE_INFINITY);
	await until(() => ringing().join() === 'false,true');
	attend(second, Number.NEGATIVE_INFINITY);
	await until(() => ringing().join() === 'true,false');
	await second.close();
	expect(first.sharedWatch?.isUsedLast()).toBe(true);
});

test('a process that is about to be suspended lets another one poll, and follows it afterwards', async () => {
	const { first, second, until, pass } = await openFollowed(2);
	first.sharedWatch?.leave('suspended');
	await until(() => second.role() !== 'following', 200);
	await pass(1_000);
	first.sharedWatch?.rejoin('suspended');
	await until(() => first.role() === 'following' && second.role() === 'leading', 200);
});

test('several panes send no more requests than one', async () => {
	const requestsOf = async (count: number) => {
		const { open, until, pass, simulator } = await openPanes();
		const first = open(1);
		await until(() => first.state().computers.size === 7, 2_000);
		for (let pid = 2; pid <= count; pid += 1) open(pid);
		await pass(120_000, 500);
		return simulator.requests.length;
	};
	const alone = await requestsOf(1);
	expect(alone).toBeGreaterThan(20);
	expect(Math.abs((await requestsOf(5)) - alone)).toBeLessThanOrEqual(alone / 20);
});
