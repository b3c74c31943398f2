import { describe, expect, test } from 'vitest';
import { askAndConfirm, askAndConfirmOne, openOperations } from './open-operations.ts';

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

	test('quitting cancels every timer', async () => {
		const { setup, id } = await withThree({ operations: { lockAfterMs: 600_000 } });
		setup.watch.stop();
		await setup.pass(1_000);
		const before = setup.clock.waiting;
		askAndConfirmOne(setup, 'restart', [id]);
		expect(setup.clock.waiting).toBe(before + 1);
		setup.operations.quit();
		// The others look each second for a sleep of the machine, and for what has waited for long.
		expect(setup.clock.waiting).toBe(before - 2);
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
