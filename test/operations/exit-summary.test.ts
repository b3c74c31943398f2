import { describe, expect, onTestFinished, test } from 'vitest';
import { askAndConfirm, askAndConfirmOne, openOperations } from './open-operations.ts';

async function withThree(own: Parameters<typeof openOperations>[0] = {}) {
	const setup = await openOperations(own);
	const ids = ['atlas', 'borealis', 'cygnus'].map(name => setup.world.add({ name }).id);
	await setup.watched();
	const [id = ''] = ids;
	return { setup, ids, id };
}

/** Confirms a restart, then moves the clock ahead without running timers, as a suspended process sees it. */
async function suspendedDuringGrace(milliseconds: number) {
	const { setup, id } = await withThree();
	const { key } = askAndConfirmOne(setup, 'restart', [id]);
	setup.clock.sleep(milliseconds);
	return { setup, key };
}

describe('cancelling', () => {
	test('sends nothing when an operation is cancelled in its grace', async () => {
		const { setup, id } = await withThree();
		const { key } = askAndConfirmOne(setup, 'delete', [id]);
		await setup.pass(3_000);
		expect(setup.operations.cancel({ key }).map(wish => wish.key)).toEqual([key]);
		await setup.pass(20_000);
		expect(setup.sentChanges()).toEqual([]);
		expect(setup.stepsOf(key)).toEqual(['cancelled']);
		expect(setup.waitReasonOf(key)).toBeUndefined();
	});

	test('sends nothing when an operation is cancelled while it waits for the limits', async () => {
		const { setup, id } = await withThree();
		setup.world.countOtherClientRequests('other', 30);
		setup.watch.readNow([{ name: 'credits' }]);
		await setup.until(() => setup.limiter.slots().other.free.operation === 0);
		const { key } = askAndConfirmOne(setup, 'restart', [id]);
		await setup.pass(5_000);
		expect(setup.waitReasonOf(key)).toMatchObject({ type: 'turn' });
		setup.operations.cancel({ key });
		await setup.pass(120_000);
		expect(setup.sentChanges()).toEqual([]);
	});

	test('does not cancel a request that has been sent', async () => {
		const { setup, id } = await withThree();
		setup.simulator.setFaults([{ target: 'restart', kind: 'delay', delayMs: 3_000 }]);
		const { key } = askAndConfirmOne(setup, 'restart', [id]);
		await setup.until(() => setup.sentChanges().length === 1);
		expect(setup.operations.cancel('all')).toEqual([]);
		await setup.until(() => setup.stepsOf(key).includes('settled'));
	});

	test('cancels every unsent operation of a batch at once, and no other operation', async () => {
		const { setup, ids } = await withThree();
		const others = Array.from({ length: 40 }, () => setup.world.add().id);
		setup.watch.readNow([{ name: 'list' }]);
		await setup.until(() => setup.known().computers.size === 43);
		const specs = askAndConfirm(setup, 'restart', others);
		const { batch = '' } = specs[0] ?? {};
		const single = askAndConfirmOne(setup, 'stop', [ids[0] ?? '']);
		await setup.until(() => setup.sentChanges().length > 5);
		let notices = 0;
		const end = setup.store.subscribe(() => {
			notices += 1;
		});
		const dropped = setup.operations.cancel({ batch });
		end();
		expect(notices).toBe(1);
		const progress = setup.batchOf(batch);
		expect(progress?.countsByState).toMatchObject({ waiting: 0, cancelled: dropped.length });
		await setup.until(() => setup.stepsOf(single.key).includes('settled'));
		const restarts = setup.sentChanges().filter(sent => sent.includes('restart'));
		expect(restarts).toHaveLength(40 - dropped.length);
	});

	test('the grace starts again if a suspension of the program hid the countdown, and nothing is sent meanwhile', async () => {
		const { setup, ids } = await withThree();
		const [one = '', two = '', three = ''] = ids;
		const restart = askAndConfirmOne(setup, 'restart', [one]);
		const kept = askAndConfirmOne(setup, 'delete', [two]);
		await setup.pass(3_000);
		setup.operations.hold('suspended');
		const unseen = askAndConfirmOne(setup, 'restart', [three]);
		setup.operations.cancel({ key: kept.key });
		await setup.pass(60_000);
		expect(setup.sentChanges()).toEqual([]);
		let notices = 0;
		onTestFinished(
			setup.operations.subscribe(() => {
				notices += 1;
			}),
		);
		setup.operations.hold(undefined);
		expect(notices).toBeGreaterThan(0);
		const until = setup.clock.now() + 4_000;
		for (const { key } of [restart, unseen]) {
			expect(setup.waitReasonOf(key)).toEqual({ type: 'grace', until });
		}
		await setup.pass(3_900);
		expect(setup.sentChanges()).toEqual([]);
		await setup.until(() => setup.sentChanges().length === 2);
		await setup.pass(20_000);
		expect([...setup.sentChanges()].sort()).toEqual(
			[`POST /${one}/restart 200`, `POST /${three}/restart 200`].sort(),
		);
	});

	test('an operation can still be cancelled after its grace has restarted', async () => {
		const { setup, id } = await withThree();
		const { key } = askAndConfirmOne(setup, 'restart', [id]);
		setup.operations.hold('suspended');
		setup.operations.hold(undefined);
		await setup.pass(3_000);
		expect(setup.operations.cancel({ key }).map(wish => wish.key)).toEqual([key]);
		await setup.pass(20_000);
		expect(setup.sentChanges()).toEqual([]);
	});

	test('the grace starts again after the process was stopped for a few seconds', async () => {
		const { setup, key } = await suspendedDuringGrace(5_000);
		await setup.pass(4_000);
		expect(setup.sentChanges()).toEqual([]);
		expect(setup.waitReasonOf(key)).toMatchObject({ type: 'grace' });
		await setup.until(() => setup.stepsOf(key).includes('settled'));
	});
});

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

	test('does not repeat a request whose token is refused while the program quits', async () => {
		const { setup, id } = await withThree();
		setup.watch.stop();
		setup.simulator.setFaults([
			{ target: 'restart', kind: 'delay', delayMs: 500 },
			{ target: 'restart', kind: 'unauthorized' },
		]);
		askAndConfirmOne(setup, 'restart', [id]);
		await setup.until(() => setup.simulator.requests.at(-1)?.method === 'POST');
		setup.operations.quit();
		await setup.pass(5_000);
		expect(setup.sentChanges()).toEqual([`POST /${id}/restart 401`]);
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
		const before = setup.clock.waiting;
		setup.simulator.setFaults([{ target: 'restart', kind: 'hang' }]);
		const { key } = askAndConfirmOne(setup, 'restart', [id]);
		await setup.until(() => setup.sentChanges().length === 1);
		setup.operations.quit();
		await setup.pass(60_000);
		expect(setup.stageOf(key)).toBe('sent');
		expect(setup.clock.waiting).toBe(before);
	});

	test('quitting cancels every timer', async () => {
		const { setup, id } = await withThree({ operations: { lockAfterMs: 600_000 } });
		setup.watch.stop();
		await setup.pass(1_000);
		const before = setup.clock.waiting;
		askAndConfirmOne(setup, 'restart', [id]);
		// Three timers run: the countdown, and those that look for forgotten operations and for a sleep of the machine.
		expect(setup.clock.waiting).toBe(before + 3);
		setup.operations.quit();
		expect(setup.clock.waiting).toBe(before - 1);
	});
});

describe('the lock', () => {
	test('locks after the idle time, and every key press starts that time again', async () => {
		const { setup, id } = await withThree({ operations: { lockAfterMs: 60_000 } });
		setup.watch.stop();
		await setup.pass(50_000);
		setup.operations.restartIdleTime();
		await setup.pass(50_000);
		expect(setup.operations.state().isLocked).toBe(false);
		setup.operations.ask('stop', [id]);
		await setup.pass(10_500);
		expect(setup.operations.state()).toMatchObject({ isLocked: true, question: undefined });
		expect(setup.operations.ask('stop', [id])).toMatchObject({ refusal: { reason: 'locked' } });
		setup.operations.restartIdleTime();
		expect(setup.operations.ask('stop', [id])).toMatchObject({ refusal: { reason: 'locked' } });
		setup.operations.unlock();
		expect(setup.operations.ask('stop', [id])).toMatchObject({ type: 'question' });
	});

	test('holds an unsent operation, and sends it after the unlock', async () => {
		const { setup, id } = await withThree();
		const { key } = askAndConfirmOne(setup, 'stop', [id]);
		setup.operations.lock();
		await setup.pass(10_000);
		expect(setup.sentChanges()).toEqual([]);
		expect(setup.waitReasonOf(key)).toEqual({ type: 'unlock' });
		setup.operations.unlock();
		await setup.until(() => setup.stepsOf(key).includes('settled'));
	});

	test('holds an operation that already waits for its slot', async () => {
		const { setup, id } = await withThree();
		setup.simulator.setFaults([{ target: 'restart', kind: 'throttle', count: 1 }]);
		const { key } = askAndConfirmOne(setup, 'restart', [id]);
		await setup.until(() => setup.sentChanges().length === 1 && setup.stageOf(key) === 'queued');
		setup.operations.lock();
		await setup.pass(180_000);
		expect(setup.sentChanges()).toHaveLength(1);
		setup.operations.unlock();
		await setup.until(() => setup.stepsOf(key).includes('settled'));
	});

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

	test('accepts no answer to a question that was open when it locked', async () => {
		const { setup, id } = await withThree();
		const reply = setup.operations.ask('restart', [id]);
		setup.operations.lock();
		expect(setup.operations.state().question).toBeUndefined();
		const question = reply.type === 'question' ? reply.question : undefined;
		setup.operations.unlock();
		expect(question && setup.operations.answer({ ...question, answers: ['y'] })).toMatchObject({
			refusal: { reason: 'no-answer' },
		});
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
