import { unlinkSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { globalIdOf } from '../../source/fleet/computers/global-id.ts';
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

const wrongPassword = async () => 'wrong';
const noPassword = () => new Promise<string>(() => {});

describe('a pane that cannot sign in', () => {
	test.each([
		['its password is refused', wrongPassword],
		['it waits for a password', noPassword],
	])('lets a pane that can sign in lead, and follows it, when %s', async (_, password) => {
		const { open, until, pass } = await openPanes();
		const refused = open(1, { passwordOf: password });
		const working = open(2);
		await until(() => working.role() === 'leading' && refused.role() === 'following', 5_000);
		await until(() => refused.state().computers.size === 7);
		expect(refused.facts.some(({ type }) => type === 'signInFailed')).toBe(true);
		// The failure of one pane says nothing about the others.
		expect(working.facts.filter(({ type }) => type === 'readFailed')).toEqual([]);
		const rolesBefore = working.facts.filter(({ type }) => type === 'watchShared').length;
		await pass(30_000);
		expect([refused.role(), working.role()]).toEqual(['following', 'leading']);
		expect(working.facts.filter(({ type }) => type === 'watchShared')).toHaveLength(rolesBefore);
	});

	test('does not pass the leading role back and forth with another pane that cannot sign in', async () => {
		const { open, until, pass, simulator } = await openPanes();
		const panes = [1, 2].map(pid => open(pid, { passwordOf: wrongPassword }));
		const failed = () =>
			panes.every(({ facts }) => facts.some(({ type }) => type === 'signInFailed'));
		await until(failed, 10_000);
		await pass(2_000);
		const followed = () =>
			panes.flatMap(({ facts }) =>
				facts.filter(fact => fact.type === 'watchShared' && fact.leader !== undefined),
			).length;
		const [followedBefore, requestsBefore] = [followed(), simulator.requests.length];
		await pass(60_000, 500);
		expect(followed()).toBe(followedBefore);
		expect(panes.map(pane => pane.role())).toEqual(['alone', 'alone']);
		// Each pane waits for the end of its own backoff.
		expect(simulator.requests.length - requestsBefore).toBeLessThan(10);
		const working = open(3);
		await until(() => working.role() === 'leading' && working.state().computers.size === 7, 5_000);
		await until(() => panes.every(({ state }) => state().computers.size === 7), 5_000);
		expect(panes.map(pane => pane.role())).toEqual(['following', 'following']);
	});

	test('leads again once its password is accepted and no other pane leads', async () => {
		let password = 'wrong';
		const { open, until, pass, simulator } = await openPanes();
		const first = open(1, { passwordOf: async () => password });
		await until(() => first.facts.some(({ type }) => type === 'signInFailed'), 5_000);
		password = simulator.password;
		first.watch.retryAfterSignIn();
		await until(() => first.state().computers.size === 7, 5_000);
		await pass(2_000);
		const second = open(2);
		await until(() => first.role() === 'leading' && second.role() === 'following', 5_000);
	});
});

describe('a pane that a person signs out of', () => {
	test.each(['leading', 'following'] as const)(
		'leaves the others to go on when it was %s, keeps its rows as they were, and returns after a sign-in',
		async role => {
			const { first, second, until, pass, polls, clock, simulator } = await openFollowed(2);
			const [leaving, staying] = role === 'leading' ? [first, second] : [second, first];
			leaving.signOut?.();
			const signedOutAt = clock.now();
			await until(
				() => polls.some(({ pid, at }) => pid === staying.pid && at >= signedOutAt),
				5_000,
			);
			await pass(60_000, 500);
			// A leader without followers counts as alone.
			expect([leaving.role(), staying.role()]).toEqual(['alone', 'alone']);
			expect(leaving.state().computers.size).toBe(7);
			expect(leaving.state().reads.list?.answer?.at).toBeLessThanOrEqual(signedOutAt);
			expect(polls.filter(({ pid, at }) => pid === leaving.pid && at > signedOutAt)).toEqual([]);
			expect(clock.now() - (staying.state().reads.list?.answer?.at ?? 0)).toBeLessThan(10_000);
			// Coming back from Ctrl-Z does not end the sign-out.
			leaving.sharedWatch?.leave('suspended');
			leaving.sharedWatch?.rejoin('suspended');
			await pass(5_000);
			expect(leaving.role()).toBe('alone');
			leaving.passwordRequest?.open();
			leaving.watch.retryAfterSignIn();
			leaving.passwordRequest?.submit(simulator.password);
			await until(() => leaving.role() === 'following', 10_000);
		},
	);
});

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

const maxAgeMs = 3_000;
// A leader whose socket was deleted notices with its next heartbeat.
const maxOverlapMs = 1_500;

/** Returns the longest time in which two processes polled alternately. */
function longestOverlap(polls: readonly { pid: number; at: number }[]): number {
	const overlaps = polls.map(({ pid, at }, place) => {
		const later = polls.slice(place).filter(poll => poll.at < at + 10_000);
		const firstOther = later.find(poll => poll.pid !== pid);
		const lastOwn = later.findLast(poll => poll.pid === pid);
		return firstOther && lastOwn ? lastOwn.at - firstOther.at : 0;
	});
	return Math.max(0, ...overlaps);
}

test('while panes are killed, suspended and replaced, every pane gets news within three seconds, and two panes never poll for long', async () => {
	const { open, until, pass, kill, clock, simulator, path, polls } = await openPanes({
		computers: 1_000,
	});
	const newsAt = new Map<Pane, number>();
	let oldestMs = 0;
	let newest = 0;

	function follow(pane: Pane) {
		pane.store.onFact(({ type }) => {
			if (type.endsWith('Read')) newsAt.set(pane, clock.now());
		});
		return pane;
	}
	const openNext = () => {
		newest += 1;
		return follow(open(newest));
	};
	async function passAndMeasure(milliseconds: number) {
		for (let passed = 0; passed < milliseconds; passed += 100) {
			// A computer is always changing, so the leader reads as often as the limits allow.
			if (passed % 1_000 === 0) simulator.world.add({ state: 'provisioning' });
			await pass(100, 50);
			const ages = [...newsAt.values()].map(at => clock.now() - at);
			oldestMs = Math.max(oldestMs, ...ages);
		}
	}
	simulator.world.add({ state: 'provisioning' });
	const panes = [openNext()];
	await until(() => newsAt.size === 1, 5_000);
	for (let count = 1; count < 5; count += 1) panes.push(openNext());
	await until(() => newsAt.size === 5, 5_000);

	const leader = () => panes.find(pane => pane.role() === 'leading') ?? panes[0];
	const disturbances = [
		async () => {
			const killed = leader();
			if (!killed) return;
			newsAt.delete(killed);
			panes.splice(panes.indexOf(killed), 1);
			await kill(killed);
			panes.push(openNext());
		},
		async () => unlinkSync(path),
		async () => {
			const left = leader();
			left?.sharedWatch?.leave('suspended');
			await passAndMeasure(500);
			left?.sharedWatch?.rejoin('suspended');
		},
	];
	for (const disturb of disturbances) {
		await passAndMeasure(2_000);
		await disturb();
		await passAndMeasure(3_500);
	}
	expect(newsAt.size).toBe(5);
	expect(oldestMs).toBeLessThan(maxAgeMs);
	expect(longestOverlap(polls)).toBeLessThan(maxOverlapMs);
	expect(new Set(polls.map(({ pid }) => pid)).size).toBeGreaterThan(2);
	expect(simulator.requests.filter(({ status }) => status === 429)).toEqual([]);
}, 60_000);
