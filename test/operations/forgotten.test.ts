import { describe, expect, test } from 'vitest';
import { askAndConfirmOne, openOperations } from './open-operations.ts';

const second = 1_000;
const hour = 3_600_000;
const minute = 60_000;

async function withTwo(lockAfterMs = Number.POSITIVE_INFINITY) {
	const setup = await openOperations({ operations: { lockAfterMs } });
	const [one = '', two = ''] = ['atlas', 'borealis'].map(name => setup.world.add({ name }).id);
	await setup.watched();
	return { setup, one, two };
}

describe('a clock that is set during a countdown', () => {
	test.each([
		[-5 * second, Number.POSITIVE_INFINITY],
		[hour, Number.POSITIVE_INFINITY],
		[-hour, 10 * minute],
	])(
		'by %i ms lets it begin anew, and the restart leaves at its end and never with another operation',
		async (setBy, lockAfterMs) => {
			const { setup, one, two } = await withTwo(lockAfterMs);
			const restart = askAndConfirmOne(setup, 'restart', [one]);
			await setup.pass(second);
			setup.clock.jump(setBy);
			await setup.pass(3 * second);
			expect(setup.sentChanges()).toEqual([]);
			expect(setup.waitReasonOf(restart.key)).toEqual({
				type: 'grace',
				until: setup.clock.now() + 4 * second,
			});
			await setup.pass(3_900);
			expect(setup.sentChanges()).toEqual([]);
			await setup.pass(200);
			expect(setup.sentChanges()).toEqual([`POST /${one}/restart 200`]);
			askAndConfirmOne(setup, 'restart', [two]);
			await setup.pass(10 * second);
			expect(setup.sentChanges()).toHaveLength(2);
		},
	);
});

/** Asks for a stop that waits in the queue, because another client has used up the limit. */
async function withQueued() {
	const setup = await openOperations({ operations: { skipsGrace: true } });
	const { id } = setup.world.add({ name: 'atlas' });
	await setup.watched();
	setup.world.countOtherClientRequests('other', 30);
	setup.watch.readNow([{ name: 'credits' }]);
	await setup.until(() => setup.limiter.slots().other.free.operation === 0);
	const { key } = askAndConfirmOne(setup, 'stop', [id]);
	await setup.pass(second);
	return { setup, key };
}

describe('sleep', () => {
	test('of the machine during a countdown ends the operation, and the log says why', async () => {
		const { setup, one } = await withTwo();
		const { key } = askAndConfirmOne(setup, 'restart', [one]);
		await setup.pass(second);
		setup.clock.sleep(12 * second);
		await setup.pass(hour / 6);
		expect(setup.sentChanges()).toEqual([]);
		expect(setup.operationOf(key)?.failure?.message).toBe('not sent, because this machine slept');
		expect(setup.stepsOf(key)).toEqual(['failed']);
	});

	test('of the machine ends what waited in the queue', async () => {
		const { setup, key } = await withQueued();
		expect(setup.waitReasonOf(key)?.type).toBe('turn');
		setup.clock.sleep(hour);
		await setup.pass(hour / 6);
		expect(setup.sentChanges()).toEqual([]);
		expect(setup.operationOf(key)?.failure?.message).toBe('not sent, because this machine slept');
	});

	test('of less than ten seconds changes nothing for what waits in the queue', async () => {
		const { setup, key } = await withQueued();
		setup.clock.sleep(8 * second);
		await setup.until(() => setup.stageOf(key) === 'accepted');
	});
});

describe('an operation that has waited for ten minutes', () => {
	test('to be unlocked is not sent afterwards, and says why', async () => {
		const { setup, key } = await withQueued();
		setup.operations.lock();
		await setup.pass(9 * minute);
		expect(setup.stageOf(key)).toBe('queued');
		// For up to a minute, the stop has waited for the rate limit.
		await setup.pass(2 * minute + 10 * second);
		expect(setup.operationOf(key)?.failure?.message).toBe(
			'not sent, because it waited ten minutes locked',
		);
		setup.operations.unlock();
		await setup.pass(minute);
		expect(setup.sentChanges()).toEqual([]);
	});

	test('behind an open dialog is not sent afterwards', async () => {
		const { setup, one } = await withTwo();
		const { key } = askAndConfirmOne(setup, 'restart', [one]);
		setup.operations.hold('dialog');
		await setup.pass(10 * minute + 2 * second);
		expect(setup.stageOf(key)).toBe('failed');
		setup.operations.hold(undefined);
		await setup.pass(minute);
		expect(setup.sentChanges()).toEqual([]);
	});

	test('for the rate limit waits on', async () => {
		const { setup } = await withTwo();
		const names = ['c1', 'c2', 'c3', 'c4', 'c5', 'c6'];
		const keys = names.map(name => askAndConfirmOne(setup, 'create', [], { name }).key);
		const last = keys.at(-1) ?? '';
		await setup.pass(30 * second);
		setup.watch.stop();
		await setup.pass(11 * minute);
		expect(setup.waitReasonOf(last)?.type).toBe('turn');
		expect(setup.stageOf(last)).toBe('queued');
	});
});

test('a countdown that begins behind an open dialog is held', async () => {
	const { setup, one } = await withTwo();
	setup.operations.hold('dialog');
	askAndConfirmOne(setup, 'restart', [one]);
	await setup.pass(10 * second);
	expect(setup.sentChanges()).toEqual([]);
});

test('an operation that Ctrl-Z has held for an hour counts down anew', async () => {
	const { setup, one } = await withTwo();
	const { key } = askAndConfirmOne(setup, 'restart', [one]);
	setup.operations.hold('suspended');
	setup.clock.sleep(hour);
	setup.operations.hold(undefined);
	await setup.pass(3_900);
	expect(setup.sentChanges()).toEqual([]);
	await setup.until(() => setup.stageOf(key) === 'accepted');
});
