import { describe, expect, test } from 'vitest';
import {
	askAndConfirmOne,
	failureOnceFailed,
	noGrace,
	openOperations,
	withAtlas,
} from './open-operations.ts';

describe('a lost response', () => {
	test.each([
		['500', 'Internal error'],
		['hang', 'no answer'],
		['reset', 'no answer'],
		['proxy-error', '502 Bad Gateway'],
	] as const)(
		'reports that the operation was probably not done when the platform ignored it (%s)',
		async (kind, answer) => {
			const { setup, id } = await withAtlas();
			setup.simulator.setFaults([{ where: 'stop', kind }]);
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
		'finds out that the operation was done without sending it again (%s)',
		async kind => {
			const { setup, id } = await withAtlas();
			setup.simulator.setFaults([{ where: 'stop', kind }]);
			const { key } = askAndConfirmOne(setup, 'stop', [id]);
			await setup.until(() => setup.stageOf(key) === 'unknown');
			await setup.until(() => setup.stageOf(key) === 'accepted');
			await setup.until(() => setup.stageOf(key) === undefined);
			expect(setup.stepsOf(key)).toEqual(['sent', 'unknown', 'settled']);
			expect(setup.sentChanges()).toHaveLength(1);
		},
	);

	test('settles a delete when the computer is gone', async () => {
		const { setup, id } = await withAtlas();
		setup.simulator.setFaults([{ where: 'delete', kind: 'lost' }]);
		const { key } = askAndConfirmOne(setup, 'delete', [id]);
		await setup.until(() => setup.stepsOf(key).length === 3);
		expect(setup.stepsOf(key)).toEqual(['sent', 'unknown', 'settled']);
	});

	test.each(['publish', 'unpublish'] as const)(
		'finds out whether a lost %s was done',
		async operation => {
			for (const [kind, end] of [
				['lost', 'settled'],
				['reset', 'failed'],
			] as const) {
				const { setup, id } = await withAtlas({ ports: operation === 'publish' ? [] : [8080] });
				setup.simulator.setFaults([{ where: operation, kind }]);
				const { key } = askAndConfirmOne(setup, operation, [id]);
				await setup.until(() => setup.stepsOf(key).length === 3);
				expect(setup.stepsOf(key)).toEqual(['sent', 'unknown', end]);
				expect(setup.sentChanges()).toHaveLength(1);
			}
		},
	);

	test('reads the details to find a publication that the list does not show', async () => {
		const setup = await openOperations({
			simulator: { shapes: { listRecord: 'minimal', status: 'minimal' } },
		});
		const { id } = setup.world.add({ name: 'atlas' });
		await setup.watched();
		setup.simulator.setFaults([{ where: 'publish', kind: 'reset' }]);
		const { key } = askAndConfirmOne(setup, 'publish', [id]);
		await setup.until(() => setup.stepsOf(key).length === 3);
		expect(setup.stepsOf(key)).toEqual(['sent', 'unknown', 'failed']);
	});

	test('sends a create only after the earlier one was answered', async () => {
		const { setup } = await withAtlas();
		setup.simulator.setFaults([{ where: 'create', kind: 'delay', milliseconds: 3_000 }]);
		askAndConfirmOne(setup, 'create', []);
		const second = askAndConfirmOne(setup, 'create', []);
		await setup.pass(2_500);
		expect(setup.sentChanges()).toHaveLength(1);
		await setup.until(() => setup.stageOf(second.key) === 'accepted');
	});

	test('finds the computer of a lost create in the list', async () => {
		const { setup, id } = await withAtlas();
		setup.simulator.setFaults([{ where: 'create', kind: 'lost' }]);
		const { key } = askAndConfirmOne(setup, 'create', []);
		await setup.until(() => setup.stageOf(key) === 'accepted');
		const found = setup.operationOf(key)?.spec.computer;
		expect(found).toBe(setup.world.computers().find(each => each.id !== id)?.id);
		await setup.until(() => setup.stageOf(key) === undefined);
		expect(setup.sentChanges()).toHaveLength(1);
	});

	test('reports a lost create as not done, and only then sends the next one', async () => {
		const { setup } = await withAtlas();
		setup.simulator.setFaults([{ where: 'create', kind: 'reset', count: 1 }]);
		const first = askAndConfirmOne(setup, 'create', []);
		await setup.until(() => setup.stageOf(first.key) === 'unknown');
		const second = askAndConfirmOne(setup, 'create', []);
		await setup.pass(10_000);
		expect(setup.operations.waitingFor(second.key)).toEqual({ for: 'create' });
		expect(setup.sentChanges()).toHaveLength(1);
		expect((await failureOnceFailed(setup, first.key))?.message).toMatch(
			/probably none was created/,
		);
		await setup.until(() => setup.stageOf(second.key) === 'accepted');
		expect(setup.world.computers()).toHaveLength(2);
	});
});

test.each([
	'500',
	'502',
	'503',
	'hang',
	'reset',
	'lost',
	'truncated',
	'proxy-page',
	'proxy-error',
	'broken-json',
	'empty',
	'wrong-type',
	'null-data',
] as const)(
	'ends every operation and sends none twice when every response fails with %s',
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
		setup.simulator.setFaults(operations.map(where => ({ where, kind })));
		const specs = operations.map(operation => askAndConfirmOne(setup, operation, [all[operation]]));
		const isOver = (key: string) => ['settled', 'failed'].includes(setup.stepsOf(key).at(-1) ?? '');
		await setup.until(() => specs.every(({ key }) => isOver(key)));
		const sentChanges = setup.sentChanges().map(sent => sent.replace(/ \d+$/, ''));
		expect(new Set(sentChanges).size).toBe(sentChanges.length);
		expect(sentChanges).toHaveLength(specs.length);
	},
);
