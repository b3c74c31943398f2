import { describe, expect, onTestFinished, test } from 'vitest';
import { createJumps } from '../../source/foundation/jumps.ts';
import { createOperations } from '../../source/operations/operations.ts';
import { createStore } from '../../source/store/store.ts';
import { createHeldClock } from '../held-clock.ts';
import { askAndConfirm, askAndConfirmOne, openOperations } from './open-operations.ts';

const second = 1_000;
const minute = 60_000;
const hour = 60 * minute;

function openLock(lockAfterMs = 10 * minute) {
	const clock = createHeldClock();
	const jumps = createJumps(clock);
	const operations = createOperations({
		store: createStore(),
		clock,
		jumps,
		random: () => 0.5,
		lockAfterMs,
	});
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
		'does not close after its end',
		({ clock, operations }) => {
			operations.quit();
			clock.move(hour);
		},
		[],
	],
	...[-hour, -5_000, 5_000, hour].map((setBy): [string, (lock: Lock) => void, boolean[]] => [
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

test('without an idle time, only a key locks', () => {
	const { clock, operations } = openLock(Number.POSITIVE_INFINITY);
	clock.move(30 * hour);
	expect(operations.state().isLocked).toBe(false);
	operations.lock();
	expect(operations.state().isLocked).toBe(true);
});

async function withThree(own: Parameters<typeof openOperations>[0] = {}) {
	const setup = await openOperations(own);
	const ids = ['atlas', 'borealis', 'cygnus'].map(name => setup.world.add({ name }).id);
	await setup.watched();
	const [id = ''] = ids;
	return { setup, ids, id };
}

describe('quitting', () => {
	test('lists the requests that were sent and those that quitting drops, and sends nothing more', async () => {
		const { setup, ids } = await withThree();
		const [one = '', two = '', three = ''] = ids;
		const restart = askAndConfirmOne(setup, 'restart', [one]);
		await setup.until(() => setup.stageOf(restart.key) === 'accepted');
		const waiting = askAndConfirmOne(setup, 'restart', [two]);
		setup.operations.ask('delete', [three]);
		const keysOf = ({ sent: safe, dropped }: ReturnType<typeof setup.operations.exitSummary>) => ({
			safe: safe.map(({ key }) => key),
			dropped: dropped.map(({ key }) => key),
		});
		const expected = { safe: [restart.key], dropped: [waiting.key] };
		expect(keysOf(setup.operations.exitSummary())).toEqual(expected);
		const question = setup.operations.state().question;
		expect(keysOf(setup.operations.exitSummary())).toEqual(expected);
		setup.operations.quit();
		expect(setup.operations.state().question).toBeUndefined();
		expect(question && setup.operations.answer(question)).toMatchObject({
			refusal: { reason: 'closing' },
		});
		expect(setup.operations.ask('start', [three])).toMatchObject({
			refusal: { reason: 'closing' },
		});
		await setup.pass(20_000);
		expect(setup.sentChanges()).toEqual([`POST /${one}/restart 200`]);
		expect(setup.stepsOf(waiting.key)).toEqual(['cancelled']);
	});

	test('the summary lists operations with an unknown outcome apart from other sent operations', async () => {
		const { setup, id } = await withThree();
		setup.watch.stop();
		setup.simulator.setFaults([{ target: 'restart', kind: 'lost', count: 1 }]);
		const { key } = askAndConfirmOne(setup, 'restart', [id]);
		await setup.until(() => setup.stageOf(key) === 'unknown');
		const { sent: safe, unknown, dropped } = setup.operations.exitSummary();
		expect(unknown.map(wish => wish.key)).toEqual([key]);
		expect([...safe, ...dropped]).toEqual([]);
	});

	test('does not crash when the limiter closes while a repeated request waits for its slot', async () => {
		const { setup, id } = await withThree();
		setup.watch.stop();
		await setup.pass(61_000);
		setup.simulator.setFaults([{ target: 'restart', kind: 'unauthorized' }]);
		setup.world.countOtherClientRequests('other', 29);
		askAndConfirmOne(setup, 'restart', [id]);
		await setup.until(
			() => setup.simulator.requests.filter(({ scope }) => scope === 'auth').length > 1,
		);
		await setup.pass(1_000);
		setup.operations.quit();
		await setup.limiter.close();
		await setup.pass(5_000);
		expect(setup.sentChanges()).toEqual([`POST /${id}/restart 401`]);
	});

	test('starts no timer for a response that is lost while the program quits', async () => {
		const { setup, id } = await withThree();
		setup.watch.stop();
		await setup.pass(1_000);
		setup.simulator.setFaults([{ target: 'restart', kind: 'hang' }]);
		const { key } = askAndConfirmOne(setup, 'restart', [id]);
		await setup.until(() => setup.sentChanges().length === 1);
		setup.operations.quit();
		const before = setup.clock.waiting;
		await setup.pass(60_000);
		expect(setup.stageOf(key)).toBe('sent');
		expect(setup.clock.waiting).toBeLessThanOrEqual(before);
	});
});

describe('the lock', () => {
	test('does not lock the program while a long batch is still being sent', async () => {
		const { setup } = await withThree({ operations: { lockAfterMs: 70_000 } });
		const many = Array.from({ length: 70 }, () => setup.world.add().id);
		setup.watch.readNow([{ name: 'list' }]);
		await setup.until(() => setup.known().computers.size === 73);
		// The watch is stopped, because sending and locking need no reads.
		setup.watch.stop();
		askAndConfirm(setup, 'restart', many);
		const begunAt = setup.clock.now();
		await setup.until(() => setup.sentChanges().length === 70);
		expect(setup.clock.now() - begunAt).toBeGreaterThan(100_000);
		expect(setup.operations.state().isLocked).toBe(false);
		await setup.pass(71_000);
		expect(setup.operations.state().isLocked).toBe(true);
	});
});

describe('read-only', () => {
	test('a read-only account refuses every question and answer, and sends no request', async () => {
		const other = await withThree();
		const reply = other.setup.operations.ask('restart', [other.id]);
		const { setup, id } = await withThree({ operations: { isReadOnly: true } });
		const refused = { refusal: { reason: 'read-only' } };
		expect(setup.operations.ask('start', [id])).toMatchObject(refused);
		expect(reply.type === 'question' && setup.operations.answer(reply.question)).toMatchObject(
			refused,
		);
		setup.operations.checkPort(id, 8080);
		await setup.pass(20_000);
		expect(setup.sentChanges()).toEqual([]);
		expect(setup.operations.state().portChecks).toEqual([]);
	});
});
