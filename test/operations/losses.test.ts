import { describe, expect, test } from 'vitest';
import { failed, noGrace, openOperations, orderOne, withAtlas } from './open-operations.ts';

describe('an answer that got lost: what is so is looked up, and nothing is sent again', () => {
	test.each([
		['500', 'Internal error'],
		['hang', 'no answer'],
		['reset', 'no answer'],
		['proxy-error', '502 Bad Gateway'],
	] as const)('%s, and the deed was not done', async (kind, answer) => {
		const { rig, id } = await withAtlas();
		rig.simulator.setFaults([{ where: 'stop', kind }]);
		const { key } = orderOne(rig, 'stop', [id]);
		await rig.until(() => rig.stageOf(key) === 'unknown');
		await rig.pass(10_000);
		expect(rig.stageOf(key)).toBe('unknown');
		const failure = await failed(rig, key);
		expect(failure).toMatchObject({ isOutcomeUnknown: false });
		expect(failure?.message).toContain(answer);
		expect(failure?.message).toMatch(
			/, and \d+ s later it is still active: it was probably not done/,
		);
		expect(rig.deeds()).toHaveLength(1);
	});

	test.each(['lost', 'truncated', 'proxy-page'] as const)('%s, after the deed', async kind => {
		const { rig, id } = await withAtlas();
		rig.simulator.setFaults([{ where: 'stop', kind }]);
		const { key } = orderOne(rig, 'stop', [id]);
		await rig.until(() => rig.stageOf(key) === 'unknown');
		await rig.until(() => rig.stageOf(key) === 'accepted');
		await rig.until(() => rig.stageOf(key) === undefined);
		expect(rig.stepsOf(key)).toEqual(['sent', 'unknown', 'settled']);
		expect(rig.deeds()).toHaveLength(1);
	});

	test('a delete', async () => {
		const { rig, id } = await withAtlas();
		rig.simulator.setFaults([{ where: 'delete', kind: 'lost' }]);
		const { key } = orderOne(rig, 'delete', [id]);
		await rig.until(() => rig.stepsOf(key).length === 3);
		expect(rig.stepsOf(key)).toEqual(['sent', 'unknown', 'settled']);
	});

	test.each(['publish', 'unpublish'] as const)('%s, done and not done', async operation => {
		for (const [kind, end] of [
			['lost', 'settled'],
			['reset', 'failed'],
		] as const) {
			const { rig, id } = await withAtlas({ ports: operation === 'publish' ? [] : [8080] });
			rig.simulator.setFaults([{ where: operation, kind }]);
			const { key } = orderOne(rig, operation, [id]);
			await rig.until(() => rig.stepsOf(key).length === 3);
			expect(rig.stepsOf(key)).toEqual(['sent', 'unknown', end]);
			expect(rig.deeds()).toHaveLength(1);
		}
	});

	test('a publication that no list tells of is looked up where it is told', async () => {
		const rig = await openOperations({
			simulator: { shapes: { listRecord: 'minimal', status: 'minimal' } },
		});
		const { id } = rig.world.add({ name: 'atlas' });
		await rig.watched();
		rig.simulator.setFaults([{ where: 'publish', kind: 'reset' }]);
		const { key } = orderOne(rig, 'publish', [id]);
		await rig.until(() => rig.stepsOf(key).length === 3);
		expect(rig.stepsOf(key)).toEqual(['sent', 'unknown', 'failed']);
	});

	test('creates go one by one', async () => {
		const { rig } = await withAtlas();
		rig.simulator.setFaults([{ where: 'create', kind: 'delay', milliseconds: 3_000 }]);
		orderOne(rig, 'create', []);
		const second = orderOne(rig, 'create', []);
		await rig.pass(2_500);
		expect(rig.deeds()).toHaveLength(1);
		await rig.until(() => rig.stageOf(second.key) === 'accepted');
	});

	test('a create that was done is found in the list', async () => {
		const { rig, id } = await withAtlas();
		rig.simulator.setFaults([{ where: 'create', kind: 'lost' }]);
		const { key } = orderOne(rig, 'create', []);
		await rig.until(() => rig.stageOf(key) === 'accepted');
		const found = rig.operationOf(key)?.spec.computer;
		expect(found).toBe(rig.world.computers().find(each => each.id !== id)?.id);
		await rig.until(() => rig.stageOf(key) === undefined);
		expect(rig.deeds()).toHaveLength(1);
	});

	test('a create that was not done is told so, and the next one has waited for that', async () => {
		const { rig } = await withAtlas();
		rig.simulator.setFaults([{ where: 'create', kind: 'reset', count: 1 }]);
		const first = orderOne(rig, 'create', []);
		await rig.until(() => rig.stageOf(first.key) === 'unknown');
		const second = orderOne(rig, 'create', []);
		await rig.pass(10_000);
		expect(rig.operations.waitingFor(second.key)).toEqual({ for: 'create' });
		expect(rig.deeds()).toHaveLength(1);
		expect((await failed(rig, first.key))?.message).toMatch(/it was probably not created/);
		await rig.until(() => rig.stageOf(second.key) === 'accepted');
		expect(rig.world.computers()).toHaveLength(2);
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
] as const)('%s: every operation comes to an end, and none is sent twice', async kind => {
	const rig = await openOperations({ operations: noGrace });
	const start = rig.world.add({ name: 'start', state: 'stopped' }).id;
	const update = rig.world.add({ name: 'update', version: '0.0.1' }).id;
	const unpublish = rig.world.add({ name: 'unpublish', ports: [8080] }).id;
	const [stop = '', restart = '', publish = '', erased = ''] = [1, 2, 3, 4].map(
		n => rig.world.add({ name: `box${n}` }).id,
	);
	await rig.watched();
	const all = { start, stop, restart, update, publish, unpublish, delete: erased, create: '' };
	const operations = Object.keys(all) as (keyof typeof all)[];
	rig.simulator.setFaults(operations.map(where => ({ where, kind })));
	const wishes = operations.map(operation => orderOne(rig, operation, [all[operation]]));
	const isOver = (key: string) => ['settled', 'failed'].includes(rig.stepsOf(key).at(-1) ?? '');
	await rig.until(() => wishes.every(({ key }) => isOver(key)));
	const deeds = rig.deeds().map(deed => deed.replace(/ \d+$/, ''));
	expect(new Set(deeds).size).toBe(deeds.length);
	expect(deeds).toHaveLength(wishes.length);
});
