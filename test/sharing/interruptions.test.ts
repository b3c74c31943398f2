import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { globalIdOf } from '../../source/fleet/computers/global-id.ts';
import { ask, greeting, heartbeat, holdSocket, openPanes, type Pane } from './panes.ts';

const hour = 3_600_000;

async function openThree() {
	const panes = await openPanes();
	const first = panes.open(1);
	await panes.until(() => first.state().computers.size === 7, 2_000);
	// The heartbeats of the leader and the checks of the followers happen at different moments of each second.
	await panes.pass(300);
	const second = panes.open(2);
	await panes.pass(300);
	const third = panes.open(3);
	await panes.until(() => second.role() === 'following' && third.role() === 'following', 2_000);
	await panes.pass(3_000);
	return { ...panes, first, second, third };
}

test.each([
	['the machine has slept for eight hours', 8 * hour],
	['the clock is set back by an hour', -hour],
])('only the leader polls each time %s', async (_, jumpMs) => {
	const { clock, polls, pass } = await openThree();
	const before = polls.length;
	for (let jumps = 0; jumps < 3; jumps += 1) {
		clock.jump(jumpMs);
		await pass(5_300);
	}
	const pids = polls.slice(before).map(({ pid }) => pid);
	expect(pids.length).toBeGreaterThan(0);
	expect(new Set(pids)).toEqual(new Set([1]));
});

test('a follower whose connection was cut follows again, and learns what it missed', async () => {
	const { simulator, first, second, until, polls } = await openThree();
	second.cut();
	const { id } = simulator.world.computers()[0] ?? { id: '' };
	simulator.world.fail(id);
	const isFailed = ({ state }: Pane) => state().computers.get(id)?.phase === 'error';
	await until(() => isFailed(first) && isFailed(second), 20_000);
	expect(second.role()).toBe('following');
	expect(new Set(polls.map(({ pid }) => pid))).toEqual(new Set([1]));
});

test('a follower that leaves 32 MB unread is dropped, and comes back with everything, while the others miss nothing', async () => {
	const { clock, simulator, first, second, third, until, pass } = await openThree();
	const followersOf = ({ state }: Pane) => state().sharedWatch?.followers;
	const modelsOf = ({ state }: Pane) => state().models?.map(({ id }) => id);
	const readingsOf = ({ state }: Pane) =>
		Array.from(state().computers.values(), ({ reading }) => reading);
	const rolesOf = ({ facts }: Pane) => facts.filter(({ type }) => type === 'watchShared').length;
	const rolesBefore = rolesOf(third);
	const megabyte = 'x'.repeat(1_000_000);
	const shareMegabyte = (name: string) =>
		first.store.receive([
			{
				account: 'test',
				at: clock.now(),
				askedAt: clock.now(),
				type: 'answered',
				read: 'models',
				answer: [{ id: name, owner: megabyte }],
			},
		]);
	const names: string[] = [];
	second.stopReading();
	// The system keeps a part for the receiver, so it takes more than 32 of them.
	while (followersOf(first) === 2 && names.length < 60) {
		const name = `model-${names.length}`;
		names.push(name);
		shareMegabyte(name);
		await until(() => modelsOf(third)?.join() === name);
		clock.move(100);
	}
	expect(names.length).toBeGreaterThan(32);
	expect(followersOf(first)).toBe(1);
	simulator.world.fail(simulator.world.computers()[0]?.id ?? '');
	await pass(3_000);
	second.continueReading();
	await until(() => followersOf(first) === 2, 2_000);
	await until(() => modelsOf(second)?.join() === names.at(-1));
	await pass(6_000);
	expect(readingsOf(second)).toEqual(readingsOf(first));
	expect(second.role()).toBe('following');
	const learnedBy = ({ facts }: Pane) =>
		facts.flatMap(fact =>
			fact.type === 'answered' && fact.read === 'models' ? (fact.answer[0]?.id ?? []) : [],
		);
	expect(learnedBy(third)).toEqual(names);
	expect(rolesOf(third)).toBe(rolesBefore);
});

test('a read-only pane leads, and a pane that follows it can operate computers', async () => {
	const { open, until, simulator } = await openPanes();
	const reader = open(1, { isReadOnly: true });
	await until(() => reader.state().computers.size === 7, 2_000);
	const pane = open(2);
	await until(() => pane.role() === 'following' && pane.state().computers.size === 7, 2_000);
	expect(reader.role()).toBe('leading');
	const { id } = simulator.world.computers().find(({ state }) => state === 'active') ?? { id: '' };
	expect(reader.operations.ask('stop', [globalIdOf('test', id)]).type).toBe('refused');
	ask(pane, 'stop', id);
	await until(() => simulator.requests.some(({ path }) => path.endsWith('/stop')), 5_000);
});

test('neither a leader nor a follower sends a password, a token or a key over the socket', async () => {
	const { open, until, pass, path, simulator } = await openPanes();
	let received = '';
	// This process listens first and says nothing, so the pane follows it, and after a while polls for itself.
	await holdSocket(path, socket => {
		socket.on('data', data => {
			received += data.toString();
		});
		socket.write(greeting + heartbeat);
	});
	const follower = open(1);
	await until(() => follower.state().computers.size === 7, 10_000);
	await pass(1_000);
	expect(received).toContain('attention');
	expect(simulator.requests.some(({ path: asked }) => asked.includes('token'))).toBe(true);

	const leaderPanes = await openPanes();
	const leader = leaderPanes.open(1);
	await leaderPanes.until(() => leader.state().computers.size === 7, 2_000);
	const client = connect(leaderPanes.path);
	onTestFinished(() => void client.destroy());
	client.on('data', data => {
		received += data.toString();
	});
	client.write('{"type":"hello","id":"98"}\n');
	await leaderPanes.until(() => received.includes('"beat"'), 2_000);
	await leaderPanes.pass(5_000);
	expect(received).toContain('listRead');
	for (const secret of [simulator.password, simulator.anonKey, 'Bearer', 'eyJ'])
		expect(received).not.toContain(secret);
});
