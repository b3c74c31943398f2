import { unlinkSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { globalIdOf } from '../../source/fleet/computers/global-id.ts';
import type { Clock } from '../../source/foundation/clock.ts';
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

describe('a leader that cannot reach the platform', () => {
	test('hands over to a pane that can, and follows it', async () => {
		const { open, until, pass } = await openPanes();
		const blind = open(1, { isCutOff: () => true });
		await until(() => failingOf(blind) !== undefined, 5 * second);
		const seeing = open(2);
		await until(() => seeing.role() === 'following', 5 * second);
		await until(() => knowsAll(seeing), 10 * second);
		expect(failingOf(seeing)).toBeUndefined();
		await pass(30 * second);
		expect(rolesOf(blind, seeing)).toEqual(['following', 'leading']);
		expect([blind, seeing].every(knowsAll)).toBe(true);
		expect(failingOf(blind)).toBeUndefined();
	});

	test('is called another pane that cannot read in the panes that follow it', async () => {
		const { open, until, pass } = await openPanes();
		const passUntil = async (isSo: () => boolean) => {
			for (let passed = 0; !isSo() && passed < 60 * second; passed += 100) await pass(100);
		};
		let isCutOff = false;
		const leader = open(1, { isCutOff: () => isCutOff });
		await until(() => knowsAll(leader), 5 * second);
		const follower = open(2);
		await until(() => knowsAll(follower), 5 * second);
		isCutOff = true;
		await passUntil(() => failingOf(follower) !== undefined);
		expect(failingOf(follower)?.failure.message).toMatch(/^another pane cannot read: /);
		await passUntil(() => follower.role() === 'leading');
		expect(follower.role()).toBe('leading');
		expect(failingOf(follower)).toBeUndefined();
	});

	test('stays if nobody can, and the others try ever more rarely', async () => {
		const { first, second: other, pass, polls, simulator } = await openFollowed(2);
		simulator.setFaults([{ target: 'list', kind: 'reset' }]);
		await pass(600 * second, 500);
		expect(rolesOf(first, other)).toEqual(['leading', 'following']);
		const tries = polls.filter(({ pid }) => pid === 2);
		expect(tries.length).toBeGreaterThan(2);
		expect(tries.length).toBeLessThan(20);
		expect(failingOf(other)?.failure.message).not.toContain('another pane');
	});
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
		let holder = await holdSocket(path, socket => void socket.write(greeting));
		const pane = open(1);
		const followed = () =>
			pane.facts.filter(fact => fact.type === 'watchShared' && fact.leader !== undefined).length;
		const records: boolean[] = [];
		pane.recorder.subscribe(next => records.push(next));
		for (let leaders = 0; leaders < 4; leaders += 1) {
			await until(() => followed() > leaders, second);
			holder.close();
			holder = await holdSocket(path, socket => void socket.write(greeting));
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

	test('a pane reads also if its sign-in was refused before, and replaces that process', async () => {
		const panes = await openPanes();
		let password = 'wrong';
		const pane = panes.open(1, { passwordOf: async () => password });
		await panes.until(() => signInFailed(pane), 5 * second);
		await holdSocket(panes.path, socket => void socket.write(greeting + heartbeat));
		await panes.until(() => pane.role() === 'following', 5 * second);
		password = panes.simulator.password;
		pane.watch.retryAfterSignIn();
		await panes.pass(30 * second);
		expect(knowsAll(pane)).toBe(true);
		const other = panes.open(2);
		await panes.until(() => rolesOf(pane, other).join() === 'leading,following', 5 * second);
	});

	test('a pane keeps the answer to its own request when that process speaks again, and requests nothing more', async () => {
		const { pane, holder, polls, until, clock, simulator } = await openBeside((socket, clock) => {
			socket.write(greeting);
			clock.after(3 * second, () => socket.write(heartbeat));
		});
		await until(() => pane.role() === 'following', second);
		const speak = () => holder.sockets.forEach(socket => void socket.write(heartbeat));
		const turns = async (count: number) => {
			for (let turn = 0; turn < count; turn += 1) await new Promise(setImmediate);
		};
		simulator.setFaults([{ target: 'list', kind: 'delay', delayMs: 500, count: 1 }]);
		await until(() => polls.length === 1, 7 * second);
		await until(() => simulator.requests.some(({ path }) => path.endsWith('/sandbox')));
		speak();
		// The heartbeat arrives long before the answer, which waits for the held clock.
		await turns(200);
		clock.move(500);
		const ownLists = () =>
			pane.facts.filter(({ type, pane: teller }) => type === 'listRead' && teller === undefined);
		await until(() => ownLists().length === 1);
		expect(knowsAll(pane)).toBe(true);
		expect(pane.recorder.getState()).toBe(false);
		for (let seconds = 0; seconds < 2; seconds += 1) {
			speak();
			await turns(100);
			clock.move(second);
		}
		expect(polls).toHaveLength(1);
	});
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
		expect(signInFailed(refused)).toBe(true);
		// The failure of one pane says nothing about the others.
		expect(working.facts.filter(({ type }) => type === 'readFailed')).toEqual([]);
		const rolesTold = () => working.facts.filter(({ type }) => type === 'watchShared').length;
		const toldBefore = rolesTold();
		await pass(30 * second);
		expect(rolesOf(refused, working)).toEqual(['following', 'leading']);
		expect(rolesTold()).toBe(toldBefore);
	});

	test('does not pass the leading role back and forth with another pane that cannot sign in', async () => {
		const { open, until, pass, simulator } = await openPanes();
		const panes = [1, 2].map(pid => open(pid, { passwordOf: async () => 'wrong' }));
		await until(() => panes.every(signInFailed), 10 * second);
		await pass(2 * second);
		const followed = () =>
			panes
				.flatMap(({ facts }) => facts)
				.filter(fact => fact.type === 'watchShared' && fact.leader !== undefined).length;
		const [followedBefore, requestsBefore] = [followed(), simulator.requests.length];
		await pass(60 * second, 500);
		expect(followed()).toBe(followedBefore);
		expect(rolesOf(...panes)).toEqual(['alone', 'alone']);
		// Each pane waits for the end of its own backoff.
		expect(simulator.requests.length - requestsBefore).toBeLessThan(10);
		const working = open(3);
		await until(() => working.role() === 'leading' && [working, ...panes].every(knowsAll), 5_000);
		expect(rolesOf(...panes)).toEqual(['following', 'following']);
	});

	test('leads again once its password is accepted and no other pane leads', async () => {
		let password = 'wrong';
		const { open, until, pass, simulator } = await openPanes();
		const first = open(1, { passwordOf: async () => password });
		await until(() => signInFailed(first), 5 * second);
		password = simulator.password;
		first.watch.retryAfterSignIn();
		await until(() => knowsAll(first), 5 * second);
		await pass(2 * second);
		const other = open(2);
		await until(() => rolesOf(first, other).join() === 'leading,following', 5 * second);
	});
});

test.each(['leading', 'following'] as const)(
	'a pane that a person signs out of leaves the others to go on when it was %s, keeps its rows as they were, and returns after a sign-in',
	async role => {
		const { first, second: other, until, pass, polls, clock, simulator } = await openFollowed(2);
		const [leaving, staying] = role === 'leading' ? [first, other] : [other, first];
		leaving.signOut?.();
		const signedOutAt = clock.now();
		const pollsSince = ({ pid }: Pane) =>
			polls.filter(poll => poll.pid === pid && poll.at > signedOutAt);
		await until(() => pollsSince(staying).length > 0, 5 * second);
		await pass(60 * second, 500);
		// A leader without followers counts as alone.
		expect(rolesOf(leaving, staying)).toEqual(['alone', 'alone']);
		expect(knowsAll(leaving)).toBe(true);
		const answeredAt = ({ state }: Pane) => state().reads.list?.answer?.at ?? 0;
		expect(answeredAt(leaving)).toBeLessThanOrEqual(signedOutAt);
		expect(pollsSince(leaving)).toEqual([]);
		expect(clock.now() - answeredAt(staying)).toBeLessThan(15 * second);
		// Coming back from Ctrl-Z does not end the sign-out.
		leaving.sharedWatch?.leave('suspended');
		leaving.sharedWatch?.rejoin('suspended');
		await pass(5 * second);
		expect(leaving.role()).toBe('alone');
		leaving.passwordRequest?.open();
		leaving.watch.retryAfterSignIn();
		leaving.passwordRequest?.submit(simulator.password);
		await until(() => leaving.role() === 'following', 10 * second);
	},
);

async function openThree() {
	const panes = await openFollowed(1);
	// The heartbeats of the leader and the checks of the followers happen at different moments of each second.
	await panes.pass(300);
	const follower = panes.open(2);
	await panes.pass(300);
	const third = panes.open(3);
	await panes.pass(3 * second);
	return { ...panes, second: follower, third };
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
	expect(pidsOf(polls.slice(before))).toEqual(new Set([1]));
});

test('a follower whose connection was cut follows again, and learns what it missed', async () => {
	const { simulator, first, second: cut, until, polls } = await openThree();
	cut.cut();
	simulator.world.fail('atlas');
	const isFailed = ({ state }: Pane) =>
		[...state().computers.values()].some(({ phase }) => phase === 'error');
	await until(() => isFailed(first) && isFailed(cut), 20 * second);
	expect(cut.role()).toBe('following');
	expect(pidsOf(polls)).toEqual(new Set([1]));
});

test('a follower that leaves 32 MB unread is dropped, and comes back with everything, while the others miss nothing', async () => {
	const { clock, simulator, first, second: slow, third, until, pass } = await openThree();
	const followersOf = ({ state }: Pane) => state().sharedWatch?.followers;
	const modelsOf = ({ state }: Pane) => state().models?.map(({ id }) => id);
	const readingsOf = ({ state }: Pane) =>
		Array.from(state().computers.values(), ({ reading }) => reading);
	const rolesTold = ({ facts }: Pane) => facts.filter(({ type }) => type === 'watchShared').length;
	const toldBefore = rolesTold(third);
	const answer = (id: string) => [{ id, owner: 'x'.repeat(1_000_000) }];
	const names: string[] = [];
	slow.stopReading();
	// The system keeps a part for the receiver, so it takes more than 32 of them.
	while (followersOf(first) === 2 && names.length < 60) {
		const name = `model-${names.length}`;
		names.push(name);
		const at = clock.now();
		first.store.receive([
			{ account: 'test', at, askedAt: at, type: 'answered', read: 'models', answer: answer(name) },
		]);
		await until(() => modelsOf(third)?.join() === name);
		clock.move(10);
	}
	expect(names.length).toBeGreaterThan(32);
	expect(followersOf(first)).toBe(1);
	simulator.world.fail('atlas');
	await pass(3 * second);
	slow.continueReading();
	await until(() => followersOf(first) === 2, 2 * second);
	await until(() => modelsOf(slow)?.join() === names.at(-1));
	await pass(6 * second);
	expect(readingsOf(slow)).toEqual(readingsOf(first));
	expect(slow.role()).toBe('following');
	const learned = third.facts.flatMap(fact =>
		fact.type === 'answered' && fact.read === 'models' ? (fact.answer[0]?.id ?? []) : [],
	);
	expect(learned).toEqual(names);
	expect(rolesTold(third)).toBe(toldBefore);
});

test('a read-only pane leads, and a pane that follows it can operate computers', async () => {
	const { open, until, simulator } = await openPanes();
	const reader = open(1, { isReadOnly: true });
	await until(() => knowsAll(reader), 2 * second);
	const pane = open(2);
	await until(() => pane.role() === 'following' && knowsAll(pane), 2 * second);
	expect(reader.role()).toBe('leading');
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
	// This process listens first and says nothing, so the pane follows it, and after a while polls for itself.
	const { pane, until, pass, simulator } = await openBeside(socket => {
		socket.on('data', note);
		socket.write(greeting + heartbeat);
	});
	await until(() => knowsAll(pane), 10 * second);
	await pass(second);
	expect(received).toContain('attention');
	expect(simulator.requests.some(({ path: asked }) => asked.includes('token'))).toBe(true);

	const led = await openFollowed(1);
	const client = connect(led.path);
	onTestFinished(() => void client.destroy());
	client.on('data', note);
	client.write('{"type":"hello","id":"98"}\n');
	await led.until(() => received.includes('"beat"'), 2 * second);
	await led.pass(5 * second);
	expect(received).toContain('listRead');
	for (const secret of [simulator.password, simulator.anonKey, 'Bearer', 'eyJ'])
		expect(received).not.toContain(secret);
});

/** Returns the longest time in which two processes polled alternately. */
function longestOverlap(polls: readonly { pid: number; at: number }[]): number {
	const overlaps = polls.map(({ pid, at }, place) => {
		const later = polls.slice(place).filter(poll => poll.at < at + 10 * second);
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

	function openNext() {
		newest += 1;
		const pane = open(newest);
		pane.store.onFact(({ type }) => {
			if (type.endsWith('Read')) newsAt.set(pane, clock.now());
		});
		return pane;
	}
	async function passAndMeasure(milliseconds: number) {
		for (let passed = 0; passed < milliseconds; passed += 100) {
			// A computer is always changing, so the leader reads as often as the limits allow.
			if (passed % second === 0) simulator.world.add({ state: 'provisioning' });
			await pass(100, 50);
			oldestMs = Math.max(oldestMs, ...[...newsAt.values()].map(at => clock.now() - at));
		}
	}
	simulator.world.add({ state: 'provisioning' });
	const panes = [openNext()];
	await until(() => newsAt.size === 1, 5 * second);
	for (let count = 1; count < 5; count += 1) panes.push(openNext());
	await until(() => newsAt.size === 5, 5 * second);

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
		await passAndMeasure(2 * second);
		await disturb();
		await passAndMeasure(3_500);
	}
	expect(newsAt.size).toBe(5);
	expect(oldestMs).toBeLessThan(3 * second);
	// A leader whose socket was deleted notices with its next heartbeat.
	expect(longestOverlap(polls)).toBeLessThan(1_500);
	expect(pidsOf(polls).size).toBeGreaterThan(2);
	expect(simulator.requests.filter(({ status }) => status === 429)).toEqual([]);
}, 60_000);
