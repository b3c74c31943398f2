import { describe, expect, test } from 'vitest';
import {
	askAndConfirmOne,
	failureOnceFailed,
	noGrace,
	openOperations,
	openWithAtlas,
} from './open-operations.ts';

describe('when the response to an operation is lost', () => {
	test.each([
		['500', 'Internal error'],
		['hang', 'no answer'],
		['reset', 'no answer'],
		['proxy-error', '502 Bad Gateway'],
	] as const)(
		'the operation is reported as probably not done if the platform ignored the request (fault: “%s”)',
		async (kind, answer) => {
			const { setup, id } = await openWithAtlas();
			setup.simulator.setFaults([{ target: 'stop', kind }]);
			const { key } = askAndConfirmOne(setup, 'stop', [id]);
			await setup.until(() => setup.stageOf(key) === 'unknown');
			await setup.pass(10_000);
			expect(setup.stageOf(key)).toBe('unknown');
			const failure = await failureOnceFailed(setup, key);
			expect(failure).toMatchObject({ isOutcomeUnknown: false });
			expect(failure?.message).toContain(answer);
			expect(failure?.message).toMatch(
				/, and \d+ s later the computer is still active: probably not done/,
			);
			expect(setup.sentChanges()).toHaveLength(1);
		},
	);

	test.each(['lost', 'truncated', 'proxy-page'] as const)(
		'later reads show that the operation was done, and the operation is not sent again (fault: “%s”)',
		async kind => {
			const { setup, id } = await openWithAtlas();
			setup.simulator.setFaults([{ target: 'stop', kind }]);
			const { key } = askAndConfirmOne(setup, 'stop', [id]);
			await setup.until(() => setup.stepsOf(key).includes('unknown'));
			await setup.until(() => setup.stageOf(key) === undefined);
			expect(setup.stepsOf(key)).toEqual(['sent', 'unknown', 'settled']);
			expect(setup.sentChanges()).toHaveLength(1);
		},
	);

	test('a delete counts as done once the computer is gone', async () => {
		const { setup, id } = await openWithAtlas();
		setup.simulator.setFaults([{ target: 'delete', kind: 'lost' }]);
		const { key } = askAndConfirmOne(setup, 'delete', [id]);
		await setup.until(() => setup.stepsOf(key).length === 3);
		expect(setup.stepsOf(key)).toEqual(['sent', 'unknown', 'settled']);
	});

	test.each(['publish', 'unpublish'] as const)(
		'later reads show whether the operation “%s” was done',
		async operation => {
			for (const [kind, end] of [
				['lost', 'settled'],
				['reset', 'failed'],
			] as const) {
				const { setup, id } = await openWithAtlas({ ports: operation === 'publish' ? [] : [8080] });
				setup.simulator.setFaults([{ target: operation, kind }]);
				const { key } = askAndConfirmOne(setup, operation, [id]);
				await setup.until(() => setup.stepsOf(key).length === 3);
				expect(setup.stepsOf(key)).toEqual(['sent', 'unknown', end]);
				expect(setup.sentChanges()).toHaveLength(1);
			}
		},
	);

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

	test('a create is sent only after the response to the earlier create', async () => {
		const { setup } = await openWithAtlas();
		setup.simulator.setFaults([{ target: 'create', kind: 'delay', delayMs: 3_000 }]);
		askAndConfirmOne(setup, 'create', []);
		const second = askAndConfirmOne(setup, 'create', []);
		await setup.pass(2_500);
		expect(setup.sentChanges()).toHaveLength(1);
		await setup.until(() => setup.stageOf(second.key) === 'accepted');
	});

	test('a create finds its new computer in the list', async () => {
		const { setup, id } = await openWithAtlas();
		setup.simulator.setFaults([{ target: 'create', kind: 'lost' }]);
		const { key } = askAndConfirmOne(setup, 'create', []);
		await setup.until(() => setup.stageOf(key) === 'accepted');
		const found = setup.operationOf(key)?.spec.computer;
		expect(found).toBe(setup.world.computers().find(each => each.id !== id)?.id);
		await setup.until(() => setup.stageOf(key) === undefined);
		expect(setup.sentChanges()).toHaveLength(1);
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

test.each(['503', 'hang', 'reset', 'lost', 'proxy-page', 'null-data'] as const)(
	'every operation ends and none is sent twice when every response fails with “%s”',
	async kind => {
		const setup = await openOperations({ operations: noGrace });
		const start = setup.world.add({ name: 'start', state: 'stopped' }).id;
		const update = setup.world.add({ name: 'update', version: '0.0.1' }).id;
		const unpublish = setup.world.add({ name: 'unpublish', ports: [8080] }).id;
		const [stop = '', restart = '', publish = '', erased = ''] = [1, 2, 3, 4].map(
			n => setup.world.add({ name: `box${n}` }).id,
		);
		await setup.watched();
		const all = { start, stop, restart, update, publish, unpublish, delete: erased, create: '' };
		const operations = Object.keys(all) as (keyof typeof all)[];
		setup.simulator.setFaults(operations.map(target => ({ target, kind })));
		const specs = operations.map(operation => askAndConfirmOne(setup, operation, [all[operation]]));
		const isOver = (key: string) => ['settled', 'failed'].includes(setup.stepsOf(key).at(-1) ?? '');
		await setup.until(() => specs.every(({ key }) => isOver(key)));
		const sentChanges = setup.sentChanges().map(sent => sent.replace(/ \d+$/, ''));
		expect(new Set(sentChanges).size).toBe(sentChanges.length);
		expect(sentChanges).toHaveLength(specs.length);
	},
);
