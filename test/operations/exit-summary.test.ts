import { describe, expect, onTestFinished, test } from 'vitest';
import { openOperations, order, orderOne } from './open-operations.ts';

async function withThree(own: Parameters<typeof openOperations>[0] = {}) {
	const rig = await openOperations(own);
	const ids = ['atlas', 'borealis', 'cygnus'].map(name => rig.world.add({ name }).id);
	await rig.watched();
	const [id = ''] = ids;
	return { rig, ids, id };
}

/** A stop is asked for, and the clock goes on by so much while nothing of this runs. */
async function stoppedFor(milliseconds: number) {
	const { rig, id } = await withThree();
	const { clock } = rig;
	const { now } = clock;
	const { key } = orderOne(rig, 'stop', [id]);
	Object.assign(clock, { now: () => now() + milliseconds });
	return { rig, key };
}

describe('calling off', () => {
	test('in the grace nothing has been sent, and nothing is', async () => {
		const { rig, id } = await withThree();
		const { key } = orderOne(rig, 'delete', [id]);
		await rig.pass(4_000);
		expect(rig.operations.cancel({ key }).map(wish => wish.key)).toEqual([key]);
		await rig.pass(20_000);
		expect(rig.deeds()).toEqual([]);
		expect(rig.stepsOf(key)).toEqual(['cancelled']);
		expect(rig.operations.waitingFor(key)).toBeUndefined();
	});

	test('while it waits for the budget', async () => {
		const { rig, id } = await withThree();
		rig.world.spendForeign('other', 30);
		rig.watch.readNow({ name: 'credits' });
		await rig.until(() => rig.pace.budgets().other.left.operation === 0);
		const { key } = orderOne(rig, 'restart', [id]);
		await rig.pass(1_000);
		expect(rig.operations.waitingFor(key)).toMatchObject({ for: 'turn' });
		rig.operations.cancel({ key });
		await rig.pass(120_000);
		expect(rig.deeds()).toEqual([]);
	});

	test('what has been sent is past it', async () => {
		const { rig, id } = await withThree();
		rig.simulator.setFaults([{ where: 'restart', kind: 'delay', milliseconds: 3_000 }]);
		const { key } = orderOne(rig, 'restart', [id]);
		await rig.until(() => rig.deeds().length === 1);
		expect(rig.operations.cancel('all')).toEqual([]);
		await rig.until(() => rig.stepsOf(key).includes('settled'));
	});

	test('a batch drops all that has not gone, at once, and nothing else', async () => {
		const { rig, ids } = await withThree();
		const others = Array.from({ length: 40 }, () => rig.world.add().id);
		rig.watch.readNow({ name: 'list' });
		await rig.until(() => rig.known().computers.size === 43);
		const wishes = order(rig, 'restart', others);
		const { batch = '' } = wishes[0] ?? {};
		const single = orderOne(rig, 'stop', [ids[0] ?? '']);
		await rig.until(() => rig.deeds().length > 5);
		let notices = 0;
		const end = rig.store.subscribe(() => {
			notices += 1;
		});
		const dropped = rig.operations.cancel({ batch });
		end();
		expect(notices).toBe(1);
		const [progress] = rig.operations.state().batches;
		expect(progress?.counts).toMatchObject({ waiting: 0, cancelled: dropped.length });
		await rig.until(() => rig.stepsOf(single.key).includes('settled'));
		const restarts = rig.deeds().filter(deed => deed.includes('restart'));
		expect(restarts).toHaveLength(40 - dropped.length);
	});

	test('a grace that nobody saw begins anew, and nothing is sent meanwhile', async () => {
		const { rig, ids } = await withThree();
		const [one = '', two = '', three = ''] = ids;
		const stop = orderOne(rig, 'stop', [one]);
		const kept = orderOne(rig, 'delete', [two]);
		await rig.pass(3_000);
		rig.operations.hold('suspended');
		const unseen = orderOne(rig, 'stop', [three]);
		rig.operations.cancel({ key: kept.key });
		await rig.pass(60_000);
		expect(rig.deeds()).toEqual([]);
		let notices = 0;
		onTestFinished(
			rig.operations.subscribe(() => {
				notices += 1;
			}),
		);
		rig.operations.hold(undefined);
		expect(notices).toBeGreaterThan(0);
		const until = rig.clock.now() + 4_000;
		for (const { key } of [stop, unseen]) {
			expect(rig.operations.waitingFor(key)).toEqual({ for: 'grace', until });
		}
		await rig.pass(3_900);
		expect(rig.deeds()).toEqual([]);
		await rig.until(() => rig.deeds().length === 2);
		await rig.pass(20_000);
		expect([...rig.deeds()].sort()).toEqual(
			[`POST /${one}/stop 200`, `POST /${three}/stop 200`].sort(),
		);
	});

	test('a grace can be called off after it has begun anew, too', async () => {
		const { rig, id } = await withThree();
		const { key } = orderOne(rig, 'stop', [id]);
		rig.operations.hold('suspended');
		rig.operations.hold(undefined);
		await rig.pass(3_000);
		expect(rig.operations.cancel({ key }).map(wish => wish.key)).toEqual([key]);
		await rig.pass(20_000);
		expect(rig.deeds()).toEqual([]);
	});

	test('a grace during which the program was stopped from outside begins anew', async () => {
		const { rig, key } = await stoppedFor(5_000);
		await rig.pass(4_000);
		expect(rig.deeds()).toEqual([]);
		expect(rig.operations.waitingFor(key)).toMatchObject({ for: 'grace' });
		await rig.until(() => rig.stepsOf(key).includes('settled'));
	});

	test('a grace that the computer slept through ends in nothing', async () => {
		const { rig, key } = await stoppedFor(3_600_000);
		await rig.pass(10_000);
		expect(rig.stepsOf(key)).toEqual(['cancelled']);
		expect(rig.deeds()).toEqual([]);
	});
});

describe('quitting', () => {
	test('says what is safe to leave and what is dropped, and sends nothing more', async () => {
		const { rig, ids } = await withThree();
		const [one = '', two = '', three = ''] = ids;
		const restart = orderOne(rig, 'restart', [one]);
		await rig.until(() => rig.stageOf(restart.key) === 'accepted');
		const stop = orderOne(rig, 'stop', [two]);
		rig.operations.ask('delete', [three]);
		const keysOf = ({ sent: safe, dropped }: ReturnType<typeof rig.operations.exitSummary>) => ({
			safe: safe.map(({ key }) => key),
			dropped: dropped.map(({ key }) => key),
		});
		const expected = { safe: [restart.key], dropped: [stop.key] };
		expect(keysOf(rig.operations.exitSummary())).toEqual(expected);
		const question = rig.operations.state().question;
		expect(keysOf(rig.operations.exitSummary())).toEqual(expected);
		rig.operations.quit();
		expect(rig.operations.state().question).toBeUndefined();
		expect(question && rig.operations.answer(question)).toMatchObject({
			refusal: { why: 'closing' },
		});
		expect(rig.operations.ask('start', [three])).toMatchObject({ refusal: { why: 'closing' } });
		await rig.pass(20_000);
		expect(rig.deeds()).toEqual([`POST /${one}/restart 200`]);
		expect(rig.stepsOf(stop.key)).toEqual(['cancelled']);
	});

	test('what nobody knows the end of is not called safe', async () => {
		const { rig, id } = await withThree();
		rig.simulator.setFaults([{ where: 'restart', kind: 'lost', count: 1 }]);
		const { key } = orderOne(rig, 'restart', [id]);
		await rig.until(() => rig.stageOf(key) === 'unknown');
		const { sent: safe, unknown, dropped } = rig.operations.exitSummary();
		expect(unknown.map(wish => wish.key)).toEqual([key]);
		expect([...safe, ...dropped]).toEqual([]);
	});

	test('a token that is refused meanwhile is no reason to send it once more', async () => {
		const { rig, id } = await withThree();
		rig.watch.stop();
		rig.simulator.setFaults([
			{ where: 'restart', kind: 'delay', milliseconds: 500 },
			{ where: 'restart', kind: 'unauthorized' },
		]);
		orderOne(rig, 'restart', [id]);
		await rig.until(() => rig.simulator.requests.at(-1)?.method === 'POST');
		rig.operations.quit();
		await rig.pass(5_000);
		expect(rig.deeds()).toEqual([`POST /${id}/restart 401`]);
	});

	test('nor is one that waits for its slot a crash, when the pace closes', async () => {
		const { rig, id } = await withThree();
		rig.watch.stop();
		await rig.pass(61_000);
		rig.simulator.setFaults([{ where: 'restart', kind: 'unauthorized' }]);
		rig.world.spendForeign('other', 29);
		orderOne(rig, 'restart', [id]);
		await rig.until(
			() => rig.simulator.requests.filter(({ scope }) => scope === 'auth').length > 1,
		);
		await rig.pass(1_000);
		rig.operations.quit();
		await rig.pace.close();
		await rig.pass(5_000);
		expect(rig.deeds()).toEqual([`POST /${id}/restart 401`]);
	});

	test('an answer that gets lost on the way out starts nothing', async () => {
		const { rig, id } = await withThree();
		rig.watch.stop();
		await rig.pass(1_000);
		const before = rig.clock.waiting;
		rig.simulator.setFaults([{ where: 'restart', kind: 'hang' }]);
		const { key } = orderOne(rig, 'restart', [id]);
		await rig.until(() => rig.deeds().length === 1);
		rig.operations.quit();
		await rig.until(() => rig.stageOf(key) === 'unknown');
		expect(rig.clock.waiting).toBe(before);
	});

	test('no timer is left behind', async () => {
		const { rig, id } = await withThree({ operations: { lockAfter: 600_000 } });
		rig.watch.stop();
		await rig.pass(1_000);
		const before = rig.clock.waiting;
		orderOne(rig, 'stop', [id]);
		// The countdown, and the next look at the budgets while something waits.
		expect(rig.clock.waiting).toBe(before + 2);
		rig.operations.quit();
		expect(rig.clock.waiting).toBe(before - 1);
	});
});

describe('locked', () => {
	test('by itself after the idle time, and keys keep it open', async () => {
		const { rig, id } = await withThree({ operations: { lockAfter: 60_000 } });
		await rig.pass(50_000);
		rig.operations.touch();
		await rig.pass(50_000);
		expect(rig.operations.state().isLocked).toBe(false);
		rig.operations.ask('stop', [id]);
		await rig.pass(10_500);
		expect(rig.operations.state()).toMatchObject({ isLocked: true, question: undefined });
		expect(rig.operations.ask('stop', [id])).toMatchObject({ refusal: { why: 'locked' } });
		rig.operations.touch();
		expect(rig.operations.ask('stop', [id])).toMatchObject({ refusal: { why: 'locked' } });
		rig.operations.unlock();
		expect(rig.operations.ask('stop', [id])).toMatchObject({ type: 'question' });
	});

	test('holds what has not gone, and lets it go when it is unlocked', async () => {
		const { rig, id } = await withThree();
		const { key } = orderOne(rig, 'stop', [id]);
		rig.operations.lock();
		await rig.pass(10_000);
		expect(rig.deeds()).toEqual([]);
		expect(rig.operations.waitingFor(key)).toEqual({ for: 'unlock' });
		rig.operations.unlock();
		await rig.until(() => rig.stepsOf(key).includes('settled'));
	});

	test('holds what waits for its slot already', async () => {
		const { rig, id } = await withThree();
		rig.simulator.setFaults([{ where: 'restart', kind: 'throttle', count: 1 }]);
		const { key } = orderOne(rig, 'restart', [id]);
		await rig.until(() => rig.deeds().length === 1 && rig.stageOf(key) === 'asked');
		rig.operations.lock();
		await rig.pass(180_000);
		expect(rig.deeds()).toHaveLength(1);
		rig.operations.unlock();
		await rig.until(() => rig.stepsOf(key).includes('settled'));
	});

	test('what is being sent keeps it open: a long batch does not stop half way', async () => {
		const { rig } = await withThree({ operations: { lockAfter: 70_000 } });
		const many = Array.from({ length: 70 }, () => rig.world.add().id);
		rig.watch.readNow({ name: 'list' });
		await rig.until(() => rig.known().computers.size === 73);
		order(rig, 'restart', many);
		const begunAt = rig.clock.now();
		await rig.until(() => rig.deeds().length === 70);
		expect(rig.clock.now() - begunAt).toBeGreaterThan(100_000);
		expect(rig.operations.state().isLocked).toBe(false);
		await rig.pass(71_000);
		expect(rig.operations.state().isLocked).toBe(true);
	});

	test('a question that is open when it locks cannot be answered', async () => {
		const { rig, id } = await withThree();
		const asked = rig.operations.ask('restart', [id]);
		await rig.pass(400);
		rig.operations.lock();
		expect(rig.operations.press({ key: 'y' })).toEqual({ type: 'none' });
		const question = asked.type === 'question' ? asked.question : undefined;
		rig.operations.unlock();
		expect(question && rig.operations.answer({ ...question, answers: ['y'] })).toMatchObject({
			refusal: { why: 'no-answer' },
		});
	});
});

describe('read-only', () => {
	test('nothing is asked, answered or sent', async () => {
		let isReadOnly = false;
		const { rig, ids } = await withThree({ operations: { isReadOnly: () => isReadOnly } });
		const [one = '', two = ''] = ids;
		const { key } = orderOne(rig, 'stop', [one]);
		const asked = rig.operations.ask('restart', [two]);
		await rig.pass(400);
		isReadOnly = true;
		expect(rig.operations.press({ key: 'y' })).toMatchObject({ refusal: { why: 'read-only' } });
		expect(asked.type === 'question' && rig.operations.answer(asked.question)).toMatchObject({
			refusal: { why: 'read-only' },
		});
		expect(rig.operations.ask('start', [two])).toMatchObject({ refusal: { why: 'read-only' } });
		rig.operations.checkPort(one, 8080);
		await rig.pass(20_000);
		expect(rig.deeds()).toEqual([]);
		expect(rig.operations.state().checks).toEqual([]);
		expect(rig.stepsOf(key)).toEqual(['cancelled']);
	});
});
