import { unlinkSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { basename } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { globalIdOf } from '../../source/fleet/computers/global-id.ts';
import type { Clock } from '../../source/foundation/clock.ts';
import { createElection } from '../../source/sharing/election.ts';
import {
	ask,
	greeting,
	heartbeat,
	holdSocket,
	openFollowed,
	openPanes,
	type Pane,
} from './panes.ts';

const second = 1_000;
const hour = 3_600_000;

const rolesOf = (...panes: readonly Pane[]) => panes.map(({ role }) => role());
const knowsAll = ({ state }: Pane) => state().computers.size === 7;
const failingOf = ({ state }: Pane) => state().reads.list?.failing;
const pidsOf = (polls: readonly { pid: number }[]) => new Set(polls.map(({ pid }) => pid));
const signInFailed = ({ facts }: Pane) =>
	facts.some(fact => fact.type === 'signInTried' && fact.failure);
const followedCount = ({ facts }: Pane) =>
	facts.filter(fact => fact.type === 'watchShared' && fact.leader !== undefined).length;

test('a leader that can no longer reach the platform is called so, hands over to a pane that can, and follows it', async () => {
	const { open, until, pass } = await openPanes();
	let isCutOff = false;
	const blind = open(1, { isCutOff: () => isCutOff });
	await until(() => knowsAll(blind), 5 * second);
	const seeing = open(2);
	await until(() => knowsAll(seeing), 5 * second);
	isCutOff = true;
	await until(() => failingOf(seeing) !== undefined, 60 * second);
	expect(failingOf(seeing)?.failure.message).toMatch(/^another pane cannot read: /);
	await pass(15 * second);
	expect(rolesOf(blind, seeing)).toEqual(['following', 'leading']);
	expect([blind, seeing].map(failingOf)).toEqual([undefined, undefined]);
});

test('a leader that cannot reach the platform stays if nobody can, and the others try ever more rarely', async () => {
	const { first, second: other, pass, polls, simulator } = await openFollowed(2);
	simulator.setFaults([{ target: 'list', kind: 'reset' }]);
	await pass(300 * second, 500);
	expect(rolesOf(first, other)).toEqual(['leading', 'following']);
	const tries = polls.filter(({ pid }) => pid === 2);
	expect(tries.length).toBeGreaterThan(2);
	expect(tries.length).toBeLessThan(20);
	expect(failingOf(other)?.failure.message).not.toContain('another pane');
});

test.each([
	['nothing while the limits let nobody read', 'throttle', 0, 0],
	['only a few lists while the platform does not answer with one', '503', 2, 20],
] as const)('the followers send %s', async (_, kind, least, most) => {
	const { pass, simulator, sent } = await openFollowed(3);
	simulator.setFaults([{ target: 'list', kind }]);
	const before = sent.length;
	await pass(120 * second, 500);
	const byFollowers = sent.slice(before).filter(({ pid }) => pid !== 1);
	expect(byFollowers.length).toBeGreaterThanOrEqual(least);
	expect(byFollowers.length).toBeLessThanOrEqual(most);
	expect(byFollowers.filter(({ path }) => !/sandbox$|token/.test(path))).toEqual([]);
});

/** Opens a pane beside a process that holds the socket, and sends nothing that helps. */
async function openBeside(hold: (socket: Socket, clock: Clock) => void) {
	const panes = await openPanes();
	const holder = await holdSocket(panes.path, socket => hold(socket, panes.clock));
	return { ...panes, holder, pane: panes.open(1) };
}

describe('beside a process that does not lead as it should', () => {
	test('a pane reads for itself if that process closes every connection, which it asks seldom', async () => {
		const { pane, pass, holder } = await openBeside(socket => socket.destroy());
		await pass(20 * second);
		expect(knowsAll(pane)).toBe(true);
		expect(pane.role()).toBe('alone');
		expect(holder.sockets.length).toBeLessThan(15);
	});

	test('a pane does not record where several leaders end soon one after another', async () => {
		const { path, open, until } = await openPanes();
		const hold = () => holdSocket(path, socket => void socket.write(greeting));
		let holder = await hold();
		const pane = open(1);
		const records: boolean[] = [];
		pane.recorder.subscribe(next => records.push(next));
		for (let leaders = 0; leaders < 4; leaders += 1) {
			await until(() => followedCount(pane) > leaders, second);
			holder.close();
			holder = await hold();
		}
		expect(records).not.toContain(true);
	});

	test('a pane reads for itself if that process only sends heartbeats, and replaces it in the end', async () => {
		const { pane, open, pass, holder } = await openBeside((socket, clock) => {
			socket.write(greeting);
			(function beat() {
				socket.write(heartbeat);
				clock.after(second, beat);
			})();
		});
		await pass(10 * second);
		expect(knowsAll(pane)).toBe(true);
		await pass(150 * second);
		const other = open(2);
		await pass(second);
		expect(rolesOf(pane, other)).toEqual(['leading', 'following']);
		holder.close();
	});

	test('one pane replaces that process after five silent seconds, and the others follow it', async () => {
		const { open, until, pass, path, polls } = await openPanes();
		await holdSocket(path, socket => void socket.write(greeting + heartbeat));
		const panes = [1, 2, 3].map(pid => open(pid));
		await until(() => rolesOf(...panes).every(role => role === 'following'), 2 * second);
		await pass(8 * second);
		expect(rolesOf(...panes).sort()).toEqual(['following', 'following', 'leading']);
		expect(panes.every(knowsAll)).toBe(true);
		expect(pidsOf(polls).size).toBe(1);
	});
});

test('a leader that was stopped and replaced follows when it continues, also if the new leader is slow to greet it', async () => {
	const { first, folder, path, polls, clock, until, pass } = await openFollowed(1);
	const owner = { stateFolder: folder, account: 'test', hostId: 'host' };
	const next = createElection({ id: 'next', ...owner });
	onTestFinished(next.close);
	next.serve(socket => {
		socket.on('error', () => {});
		clock.after(4 * second, () => socket.write(greeting + heartbeat));
	});
	await next.elect(true, basename(path));
	const before = polls.length;
	await pass(4 * second);
	// Its list was due when it continued, and is answered before the greeting.
	expect(polls.length).toBeGreaterThan(before);
	await until(() => first.role() === 'following', 2 * second);
	expect(next.isInPlace()).toBe(true);
});

describe('a pane that cannot sign in', () => {
	test.each([
		['its password is refused', async () => 'wrong'],
		['it waits for a password', () => new Promise<string>(() => {})],
	])('lets a pane that can sign in lead, and follows it, when %s', async (_, passwordOf) => {
		const { open, until, pass } = await openPanes();
		const refused = open(1, { passwordOf });
		const working = open(2);
		await until(() => rolesOf(refused, working).join() === 'following,leading', 5 * second);
		await until(() => knowsAll(refused));
		// The failure of one pane says nothing about the others.
		expect(working.facts.filter(({ type }) => type === 'readFailed')).toEqual([]);
		const followed = followedCount(refused);
		await pass(30 * second);
		expect(rolesOf(refused, working)).toEqual(['following', 'leading']);
		expect(followedCount(refused)).toBe(followed);
	});

	test('does not pass the leading role back and forth with another one that cannot', async () => {
		const { open, until, pass, simulator } = await openPanes();
		const panes = [1, 2].map(pid => open(pid, { passwordOf: async () => 'wrong' }));
		await until(() => panes.every(signInFailed), 10 * second);
		await pass(2 * second);
		const before = [simulator.requests.length, ...panes.map(followedCount)];
		await pass(60 * second, 500);
		const [requests = 0, ...followed] = before;
		expect(panes.map(followedCount)).toEqual(followed);
		expect(rolesOf(...panes)).toEqual(['alone', 'alone']);
		// Each pane waits for the end of its own backoff.
		expect(simulator.requests.length - requests).toBeLessThan(10);
	});

	test.each([
		['no other process leads', false],
		['the process that it follows is stopped', true],
	])('leads once its password is accepted if %s', async (_, isFollowing) => {
		const { open, until, pass, path, simulator } = await openPanes();
		let password = 'wrong';
		const pane = open(1, { passwordOf: async () => password });
		await until(() => signInFailed(pane), 5 * second);
		if (isFollowing) {
			await holdSocket(path, socket => void socket.write(greeting + heartbeat));
			await until(() => pane.role() === 'following', 5 * second);
		}
		password = simulator.password;
		pane.watch.retryAfterSignIn();
		await pass(30 * second);
		expect(knowsAll(pane)).toBe(true);
		const other = open(2);
		await until(() => rolesOf(pane, other).join() === 'leading,following', 5 * second);
	});
});

test.each(['leading', 'following'] as const)(
	'a pane that a person signs out of leaves the others to go on when it was %s, keeps its rows as they were, and returns after a sign-in',
	async role => {
		const { first, second: other, until, pass, polls, clock, simulator } = await openFollowed(2);
		const [leaving, staying] = role === 'leading' ? [first, other] : [other, first];
		// Its failing reads wait for their next try.
		simulator.setFaults([{ target: 'list', kind: '500' }]);
		await pass(8 * second, 500);
		simulator.setFaults([]);
		leaving.signOut?.();
		const signedOutAt = clock.now();
		await pass(500);
		expect(leaving.state().reads.list?.failing?.failure.kind).toBe('auth');
		const pollsSince = ({ pid }: Pane) =>
			polls.filter(poll => poll.pid === pid && poll.at > signedOutAt);
		await pass(60 * second, 500);
		// A leader without followers counts as alone.
		expect(rolesOf(leaving, staying)).toEqual(['alone', 'alone']);
		expect(knowsAll(leaving)).toBe(true);
		const answeredAt = ({ state }: Pane) => state().reads.list?.answer?.at ?? 0;
		expect(answeredAt(leaving)).toBeLessThanOrEqual(signedOutAt);
		expect(pollsSince(leaving)).toEqual([]);
		expect(clock.now() - answeredAt(staying)).toBeLessThan(15 * second);
		// Coming back from Ctrl-Z does not end the sign-out.
		leaving.sharedWatch?.resign();
		await pass(5 * second);
		expect(leaving.role()).toBe('alone');
		leaving.passwordRequest?.open();
		leaving.watch.retryAfterSignIn();
		leaving.passwordRequest?.submit(simulator.password);
		await until(() => leaving.role() === 'following', 10 * second);
	},
);

test.each([
	['the machine has slept for eight hours', 8 * hour],
	['the clock is set back by an hour', -hour],
])('only the leader polls each time %s', async (_, jumpMs) => {
	const { clock, polls, pass } = await openFollowed(3);
	const before = polls.length;
	for (let jumps = 0; jumps < 3; jumps += 1) {
		clock.jump(jumpMs);
		await pass(5_300);
	}
	expect(pidsOf(polls.slice(before))).toEqual(new Set([1]));
});

test('a follower that leaves 32 MB unread is dropped, and comes back with everything, while the others miss nothing', async () => {
	const { clock, simulator, first, second: slow, third, until, pass } = await openFollowed(3);
	const followersOf = ({ state }: Pane) => state().sharedWatch?.followers;
	const modelsOf = ({ state }: Pane) =>
		state()
			.models?.map(({ id }) => id)
			.join();
	const readingsOf = ({ state }: Pane) => [...state().computers.values()].map(each => each.reading);
	const answer = (id: string) => [{ id, owner: 'x'.repeat(1_000_000) }];
	let count = 0;
	slow.stopReading();
	// The system keeps a part for the receiver, so it takes more than 32 of them.
	for (; followersOf(first) === 2 && count < 60; count += 1) {
		const [at, name] = [clock.now(), `model-${count}`];
		first.store.receive([
			{ account: 'test', at, askedAt: at, type: 'answered', read: 'models', answer: answer(name) },
		]);
		await until(() => modelsOf(third) === name);
		clock.move(10);
	}
	expect(count).toBeGreaterThan(32);
	expect(followersOf(first)).toBe(1);
	simulator.world.fail('atlas');
	await pass(3 * second);
	slow.continueReading();
	await until(() => followersOf(first) === 2, 2 * second);
	await until(() => modelsOf(slow) === modelsOf(first));
	await pass(6 * second);
	expect(readingsOf(slow)).toEqual(readingsOf(first));
	expect(slow.role()).toBe('following');
	expect(followedCount(third)).toBe(1);
});

test('a read-only pane leads, and a pane that follows it can operate computers', async () => {
	const { open, until, simulator } = await openPanes();
	const reader = open(1, { isReadOnly: true });
	await until(() => knowsAll(reader), 2 * second);
	const pane = open(2);
	await until(() => pane.role() === 'following' && knowsAll(pane), 2 * second);
	const { id } = simulator.world.computers().find(({ state }) => state === 'active') ?? { id: '' };
	expect(reader.operations.ask('stop', [globalIdOf('test', id)]).type).toBe('refused');
	ask(pane, 'stop', id);
	await until(() => simulator.requests.some(({ path }) => path.endsWith('/stop')), 5 * second);
});

test('neither a leader nor a follower sends a password, a token or a key over the socket', async () => {
	let received = '';
	const note = (data: Buffer) => {
		received += data.toString();
	};
	const { pane, until, simulator } = await openBeside(socket => {
		socket.on('data', note);
		socket.write(greeting + heartbeat);
	});
	pane.watch.setAttention({ visibleIds: [], views: [], attendedUntil: 0 });
	// The pane follows this process at first, and then reads for itself.
	await until(() => knowsAll(pane), 10 * second);
	expect(received).toContain('attention');

	const led = await openFollowed(1);
	const client = connect(led.path);
	onTestFinished(() => void client.destroy());
	client.on('data', note);
	client.write('{"type":"hello","id":"98"}\n');
	await led.until(() => received.includes('"beat"'), 2 * second);
	await led.pass(5 * second);
	expect(received).toContain('listRead');
	for (const { requests, password, anonKey } of [simulator, led.simulator]) {
		expect(requests.some(({ path }) => path.includes('token'))).toBe(true);
		for (const secret of [password, anonKey, 'Bearer', 'eyJ'])
			expect(received).not.toContain(secret);
	}
});

test('after the leader is killed, loses its socket or is suspended, every pane gets news within three seconds, and two never poll for long', async () => {
	const { open, until, pass, kill, clock, simulator, path, polls } = await openPanes({
		computers: 100,
	});
	// While a computer changes, the leader reads as often as the limits allow.
	const change = () => simulator.world.add({ state: 'provisioning' });
	const newsAt = new Map<Pane, number>();
	for (let pid = 1; pid <= 4; pid += 1) {
		change();
		const pane = open(pid);
		pane.store.onFact(({ type }) => type.endsWith('Read') && newsAt.set(pane, clock.now()));
		await until(() => newsAt.size === pid, 5 * second);
	}
	const leader = () => [...newsAt.keys()].find(pane => pane.role() === 'leading');
	const disturbances: (() => unknown)[] = [
		() => unlinkSync(path),
		() => {
			leader()?.sharedWatch?.resign();
		},
		() => {
			const killed = leader();
			if (!killed) throw new Error('nobody leads');
			newsAt.delete(killed);
			return kill(killed);
		},
	];
	for (const disturb of disturbances) {
		await pass(4 * second);
		await disturb();
		const at = clock.now();
		for (let seconds = 0; seconds < 3; seconds += 1) {
			change();
			await pass(second);
		}
		expect(Math.min(...newsAt.values())).toBeGreaterThan(at);
	}
	// A leader whose socket was deleted notices with its next heartbeat.
	const overlaps = polls.map(({ pid, at }, place) => {
		const later = polls.slice(place).filter(poll => poll.at < at + 3 * second);
		const firstOther = later.find(poll => poll.pid !== pid)?.at ?? Number.POSITIVE_INFINITY;
		return (later.findLast(poll => poll.pid === pid)?.at ?? at) - firstOther;
	});
	expect(Math.max(...overlaps)).toBeLessThan(1_500);
	expect(pidsOf(polls).size).toBeGreaterThan(1);
	expect(simulator.requests.filter(({ status }) => status === 429)).toEqual([]);
}, 60_000);
