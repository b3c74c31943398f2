import { expect, onTestFinished, test } from 'vitest';
import { createJumps } from '../../source/foundation/clock.ts';
import { createOperations } from '../../source/operations/operations.ts';
import { createStore } from '../../source/store/store.ts';
import { hour, minute, second } from '../durations.ts';
import { createHeldClock } from '../held-clock.ts';
import { rowId } from '../opened-account.ts';
import { openOperations } from './open-operations.ts';

// What only time decides: countdowns that nobody saw, what a person may have forgotten, the lock, and the end.

async function openFleet(options: Parameters<typeof openOperations>[0] = {}) {
	const setup = await openOperations(options);
	const ids = ['atlas', 'borealis', 'cygnus'].map(name => setup.world.add({ name }).id);
	await setup.watched();
	const [one = '', two = '', three = ''] = ids;
	return { setup, one, two, three };
}

test.each([-5 * second, -1_500, 1_500, hour])(
	'a countdown begins anew when the clock is set by %i ms meanwhile',
	async setBy => {
		const { setup, one } = await openFleet();
		const { key } = setup.start('restart', [one]);
		await setup.pass(second);
		setup.clock.jump(setBy);
		await setup.pass(3_000);
		const until = setup.clock.now() + 4 * second;
		expect(setup.waitReasonOf(key)).toEqual({ type: 'countdown', until });
		await setup.pass(3_900);
		expect(setup.sentChanges()).toEqual([]);
		await setup.pass(200);
		expect(setup.sentChanges()).toEqual([`POST /${one}/restart 200`]);
	},
);

/** Asks for a stop that waits in the queue, because another client has used up the limit. */
async function openQueued() {
	const { setup, one } = await openFleet();
	setup.world.countOtherClientRequests('other', 30);
	setup.watch.readNow([{ name: 'credits' }]);
	await setup.until(() => setup.limiter.slots().other.free.operation === 0);
	const { key } = setup.start('stop', [one]);
	await setup.pass(second);
	expect(setup.waitReasonOf(key)?.type).toBe('turn');
	return { setup, key };
}

type Queued = Awaited<ReturnType<typeof openQueued>>['setup'];

test.each<[string, (setup: Queued) => void, number, string | undefined]>([
	['a sleep of an hour', ({ clock }) => clock.sleep(hour), minute, 'this machine slept'],
	['a sleep of eight seconds', ({ clock }) => clock.sleep(8 * second), 2 * minute, undefined],
	['a lock of ten minutes, of which one is for the limit', locked(620 * second), minute, undefined],
	['a lock of twelve minutes', locked(12 * minute), minute, 'it waited ten minutes locked'],
])('after %s, what is queued is sent only if it was short', async (_, happens, then, why) => {
	const { setup, key } = await openQueued();
	await happens(setup);
	await setup.pass(then);
	setup.operations.unlock();
	await setup.pass(minute);
	const message = why && `not sent, because ${why}`;
	expect(setup.operationOf(key)?.failure?.message).toBe(message);
	expect(setup.sentChanges()).toHaveLength(why ? 0 : 1);
});

function locked(ms: number) {
	return (setup: Queued) => {
		setup.operations.lock();
		return setup.pass(ms - minute);
	};
}

test('a countdown that a dialog has hidden for ten minutes, or during which the machine slept, is not sent', async () => {
	const { setup, one, two } = await openFleet();
	const hidden = setup.start('restart', [one]);
	setup.operations.hold('dialog');
	await setup.pass(10 * minute + 2 * second);
	setup.operations.hold(undefined);
	const slept = setup.start('restart', [two]);
	await setup.pass(second);
	setup.clock.sleep(12 * second);
	await setup.pass(minute);
	expect([hidden, slept].map(({ key }) => setup.operationOf(key)?.failure?.message)).toEqual([
		'not sent, because it waited ten minutes out of sight',
		'not sent, because this machine slept',
	]);
	expect(setup.sentChanges()).toEqual([]);
});

test('what waits for the rate limit waits on, however long', async () => {
	const { setup } = await openFleet();
	const names = ['c1', 'c2', 'c3', 'c4', 'c5', 'c6'];
	const keys = names.map(name => setup.start('create', [], { name }).key);
	await setup.pass(30 * second);
	setup.watch.stop();
	await setup.pass(11 * minute);
	expect(setup.waitReasonOf(keys.at(-1) ?? '')?.type).toBe('turn');
});

function openLock(lockAfterMs = 10 * minute) {
	const clock = createHeldClock();
	const store = createStore();
	const jumps = createJumps(clock);
	const operations = createOperations({ store, clock, jumps, random: () => 0.5, lockAfterMs });
	onTestFinished(operations.quit);
	const seen: boolean[] = [];
	operations.subscribe(() => {
		const { isLocked } = operations.state();
		if (seen.at(-1) !== isLocked) seen.push(isLocked);
	});
	return { clock, operations, seen };
}

type Lock = ReturnType<typeof openLock>;

test.each<[string, (lock: Lock) => void, readonly boolean[]]>([
	['stays open before ten minutes', ({ clock }) => clock.move(10 * minute - 1), []],
	['closes once after ten minutes', ({ clock }) => clock.move(hour), [true]],
	[
		'waits ten minutes from the last key',
		({ clock, operations }) => {
			clock.move(9 * minute);
			operations.restartIdleTime();
			clock.move(9 * minute);
		},
		[],
	],
	[
		'closes again ten minutes after it was unlocked',
		({ clock, operations }) => {
			clock.move(hour);
			operations.unlock();
			clock.move(10 * minute + second);
		},
		[true, false, true],
	],
	[
		'is closed when anything is asked after the machine slept, although no timer has run',
		({ clock, operations }) => {
			clock.sleep(11 * minute);
			expect(operations.ask('create', [])).toMatchObject({ refusal: { reason: 'locked' } });
		},
		[true],
	],
	[
		'is closed by the first key after the machine slept',
		({ clock, operations }) => {
			clock.sleep(11 * minute);
			operations.restartIdleTime();
		},
		[true],
	],
	[
		'rests with the program',
		({ clock, operations }) => {
			operations.quit();
			expect(clock.waiting).toBe(0);
			clock.move(hour);
		},
		[],
	],
	...[-hour, 5_000, hour].map((setBy): [string, (lock: Lock) => void, boolean[]] => [
		`stays open when the clock is set by ${setBy} ms`,
		({ clock }) => {
			clock.move(5 * minute);
			clock.jump(setBy);
			clock.move(5 * minute - 1);
		},
		[],
	]),
])('the lock %s', (_, happens, expected) => {
	const lock = openLock();
	happens(lock);
	expect(lock.seen).toEqual(expected);
});

test('without an idle time, only a key locks, and no timer runs while nothing is asked for', () => {
	const { clock, operations } = openLock(Number.POSITIVE_INFINITY);
	operations.hold('dialog');
	operations.hold(undefined);
	clock.move(30 * hour);
	expect([operations.state().isLocked, clock.waiting]).toEqual([false, 0]);
	operations.lock();
	expect(operations.state().isLocked).toBe(true);
});

test('the monitor does not lock while it still sends a long batch', async () => {
	const { setup } = await openFleet({ lockAfterMs: 70_000 });
	const many = Array.from({ length: 70 }, () => setup.world.add().id);
	setup.watch.readNow([{ name: 'list' }]);
	await setup.until(() => setup.known().computers.size === 73);
	setup.watch.stop();
	setup.askAndConfirm('restart', many);
	const begunAt = setup.clock.now();
	await setup.until(() => setup.sentChanges().length === 70);
	expect(setup.clock.now() - begunAt).toBeGreaterThan(100_000);
	expect(setup.operations.state().isLocked).toBe(false);
	await setup.pass(71_000);
	expect(setup.operations.state().isLocked).toBe(true);
});

test('the summary at the end tells what was sent, what is unknown and what is dropped; then nothing more is asked or sent', async () => {
	const { setup, one, two, three } = await openFleet();
	const restart = setup.start('restart', [one]);
	await setup.until(() => setup.stageOf(restart.key) === 'accepted');
	setup.watch.stop();
	setup.simulator.setFaults([{ target: 'stop', kind: 'lost', count: 1 }]);
	const lost = setup.start('stop', [three]);
	await setup.until(() => setup.stageOf(lost.key) === 'unknown');
	const waiting = setup.start('restart', [two]);
	const asked = setup.ask('create', []);
	expect(setup.operations.exitSummary()).toMatchObject({
		sent: [{ key: restart.key }],
		running: [],
		unknown: [{ key: lost.key }],
		dropped: [{ key: waiting.key }],
	});
	setup.operations.quit();
	const refused = { refusal: { reason: 'closing' } };
	expect(setup.ask('create', [])).toMatchObject(refused);
	expect(asked.type === 'question' && setup.operations.answer(asked.question)).toMatchObject(
		refused,
	);
	const sent = setup.sentChanges().length;
	await setup.pass(20_000);
	expect(setup.sentChanges()).toHaveLength(sent);
	expect(setup.stepsOf(waiting.key)).toEqual(['cancelled']);
});

test('a read-only account refuses every question, answer and visit, and sends no request', async () => {
	const other = await openFleet();
	const reply = other.setup.ask('restart', [other.one]);
	const { setup, one } = await openFleet({ isReadOnly: true });
	const refused = { refusal: { reason: 'read-only' } };
	expect(setup.ask('start', [one])).toMatchObject(refused);
	expect(reply.type === 'question' && setup.operations.answer(reply.question)).toMatchObject(
		refused,
	);
	setup.operations.checkPort(rowId(one), 8080);
	await setup.pass(20_000);
	expect(setup.sentChanges()).toEqual([]);
	expect(setup.operations.state().portChecks).toEqual([]);
});
