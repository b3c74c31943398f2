import { describe, expect, test } from 'vitest';
import {
	askAndConfirmOne,
	failureOnceFailed,
	openOperations,
	openWithAtlas,
} from './open-operations.ts';

describe('when the response to an operation is lost', () => {
	test('a publish reads the details of the computer if the list does not show published ports', async () => {
		const setup = await openOperations({
			simulator: { shapes: { listRecord: 'minimal', status: 'minimal' } },
		});
		const { id } = setup.world.add({ name: 'atlas' });
		await setup.watched();
		setup.simulator.setFaults([{ target: 'publish', kind: 'reset' }]);
		const { key } = askAndConfirmOne(setup, 'publish', [id]);
		await setup.until(() => setup.stepsOf(key).length === 3);
		expect(setup.stepsOf(key)).toEqual(['sent', 'unknown', 'failed']);
	});

	test('a create is not sent while the response to another is outstanding', async () => {
		const { setup } = await openWithAtlas();
		setup.simulator.setFaults([{ target: 'create', kind: 'hang', count: 1 }]);
		for (const name of ['one', 'two']) askAndConfirmOne(setup, 'create', [], { name });
		await setup.pass(10_000);
		expect(setup.sentChanges()).toHaveLength(1);
		await setup.until(() => setup.sentChanges().length === 2);
	});

	test('a create is reported as not done before the next create is sent', async () => {
		const { setup } = await openWithAtlas();
		setup.simulator.setFaults([{ target: 'create', kind: 'reset', count: 1 }]);
		const first = askAndConfirmOne(setup, 'create', []);
		await setup.until(() => setup.stageOf(first.key) === 'unknown');
		const second = askAndConfirmOne(setup, 'create', []);
		await setup.pass(10_000);
		expect(setup.waitReasonOf(second.key)).toEqual({ type: 'previous' });
		expect(setup.sentChanges()).toHaveLength(1);
		expect((await failureOnceFailed(setup, first.key))?.message).toMatch(
			/probably none was created/,
		);
		await setup.until(() => setup.stageOf(second.key) === 'accepted');
		expect(setup.world.computers()).toHaveLength(2);
	});
});
