import { describe, expect, test } from 'vitest';
import { openOperations, orderOne } from './open-operations.ts';

describe('each operation, from the key to its end', () => {
	test('start', async () => {
		const rig = await openOperations();
		const { id } = rig.world.add({ name: 'atlas', state: 'stopped' });
		await rig.watched();
		const { key } = orderOne(rig, 'start', [id]);
		await rig.until(() => rig.stageOf(key) === 'accepted');
		expect(rig.world.find(id)?.state).toBe('starting');
		await rig.until(() => rig.stageOf(key) === undefined);
		expect(rig.known().computers.get(id)?.phase).toBe('active');
		expect(rig.stepsOf(key)).toEqual(['sent', 'settled']);
		expect(rig.deeds()).toEqual([`POST /${id}/start 200`]);
	});

	test('stop, after its grace', async () => {
		const rig = await openOperations();
		const { id } = rig.world.add({ name: 'atlas' });
		await rig.watched();
		const { key } = orderOne(rig, 'stop', [id]);
		expect(rig.operations.waitingFor(key)).toEqual({
			for: 'grace',
			until: rig.clock.now() + 4_000,
		});
		await rig.pass(3_500);
		expect(rig.deeds()).toEqual([]);
		await rig.until(() => rig.stageOf(key) === undefined);
		expect(rig.known().computers.get(id)).toMatchObject({ phase: 'stopped', stopReason: 'asked' });
		expect(rig.stepsOf(key)).toEqual(['sent', 'settled']);
		expect(rig.deeds()).toEqual([`POST /${id}/stop 200`]);
	});

	test('restart', async () => {
		const rig = await openOperations();
		const { id } = rig.world.add({ name: 'atlas' });
		await rig.watched();
		const { key } = orderOne(rig, 'restart', [id]);
		await rig.until(() => rig.stageOf(key) === 'accepted');
		await rig.until(() => rig.stageOf(key) === undefined);
		expect(rig.world.find(id)?.state).toBe('active');
		expect(rig.stepsOf(key)).toEqual(['sent', 'settled']);
		expect(rig.deeds()).toEqual([`POST /${id}/restart 200`]);
	});

	test('update, to the version that its question named', async () => {
		const rig = await openOperations();
		const { id } = rig.world.add({ name: 'atlas', version: '0.0.1' });
		await rig.watched();
		const latest = rig.known().release?.version;
		const asked = rig.operations.ask('update', [id]);
		expect(asked).toMatchObject({ question: { details: { version: latest } } });
		rig.world.release('99.0.0');
		await rig.pass(400);
		const pressed = rig.operations.press({ key: 'y' });
		const key = pressed.type === 'begun' ? (pressed.specs[0]?.key ?? '') : '';
		await rig.until(() => rig.stageOf(key) === 'accepted');
		await rig.until(() => rig.stageOf(key) === undefined);
		expect(rig.world.find(id)).toMatchObject({ state: 'active', version: latest });
		expect(rig.stepsOf(key)).toEqual(['sent', 'settled']);
	});

	test('publish: the port is known, and an application is found to answer', async () => {
		const rig = await openOperations();
		const { id } = rig.world.add({ name: 'atlas' });
		await rig.watched();
		const { key } = orderOne(rig, 'publish', [id]);
		await rig.until(() => rig.stepsOf(key).includes('settled'));
		const [published] = rig.known().computers.get(id)?.reading.ports ?? [];
		expect(published).toMatchObject({ port: 8080, shareToken: expect.any(String) });
		const checked = () => rig.operations.state().checks[0];
		await rig.until(() => checked()?.state !== 'asking');
		expect(checked()).toMatchObject({ id, port: 8080, state: 'answers', status: 200 });
	});

	test('unpublish: the only port is the one that is meant', async () => {
		const rig = await openOperations();
		const { id } = rig.world.add({ name: 'atlas', ports: [3000] });
		await rig.watched();
		const { key, port } = orderOne(rig, 'unpublish', [id]);
		expect(port).toBe(3000);
		await rig.until(() => rig.stepsOf(key).includes('settled'));
		expect(rig.world.find(id)?.ports).toEqual([]);
		expect(rig.known().computers.get(id)?.reading.ports).toEqual([]);
	});

	test('where no ports are told, our own publishing stands in the way of nothing', async () => {
		const rig = await openOperations({ simulator: { shapes: { ports: 'none' } } });
		const { id } = rig.world.add({ name: 'atlas', ports: [9000] });
		await rig.watched();
		const { key } = orderOne(rig, 'publish', [id]);
		await rig.until(() => rig.stepsOf(key).includes('settled'));
		const ports = () =>
			rig
				.known()
				.computers.get(id)
				?.reading.ports?.map(({ port }) => port);
		expect(ports()).toEqual([8080]);
		// Its application may have ended, and the publication with it: the platform knows.
		const again = orderOne(rig, 'publish', [id]);
		await rig.until(() => rig.stepsOf(again.key).includes('settled'));
		// One that was published elsewhere can be ended here, so a port is asked for.
		expect(rig.operations.ask('unpublish', [id])).toMatchObject({
			question: { steps: [{ kind: 'port' }] },
		});
		rig.operations.press({ key: 'escape' });
		rig.world.operate('stop', rig.world.get(id), {});
		await rig.until(() => rig.known().computers.get(id)?.phase === 'stopped');
		expect(ports()).toBeUndefined();
	});

	test('delete, once its name was typed and its grace is over', async () => {
		const rig = await openOperations();
		const { id } = rig.world.add({ name: 'atlas' });
		await rig.watched();
		const { key } = orderOne(rig, 'delete', [id]);
		await rig.pass(4_500);
		expect(rig.deeds()).toEqual([]);
		await rig.until(() => rig.stageOf(key) === undefined);
		expect(rig.known().computers.has(id)).toBe(false);
		expect(rig.stepsOf(key)).toEqual(['sent', 'settled']);
		expect(rig.deeds()).toEqual([`DELETE /${id} 200`]);
	});

	test('delete where the platform keeps a record of what is gone', async () => {
		const rig = await openOperations({ simulator: { shapes: { deleted: 'archived' } } });
		const { id } = rig.world.add({ name: 'atlas' });
		await rig.watched();
		const { key } = orderOne(rig, 'delete', [id]);
		await rig.until(() => rig.stepsOf(key).includes('settled'));
	});

	test('create: its computer is there with the answer, and is followed until it is ready', async () => {
		const rig = await openOperations();
		await rig.watched();
		const asked = rig.operations.ask('create', []);
		expect(asked).toMatchObject({ question: { title: 'Create a computer?' } });
		await rig.pass(400);
		for (const letter of 'new one') {
			rig.operations.press({ key: letter === ' ' ? 'space' : letter });
		}
		for (const key of ['enter', 'enter', 'enter']) rig.operations.press({ key });
		expect(rig.operations.state().question).toBeDefined();
		const pressed = rig.operations.press({ key: 'y' });
		const key = pressed.type === 'begun' ? (pressed.specs[0]?.key ?? '') : '';
		await rig.until(() => rig.stageOf(key) === 'accepted');
		const { id } = rig.world.get('new one');
		expect(rig.operationOf(key)?.spec).toMatchObject({ computer: id, name: 'new one' });
		expect(rig.known().computers.get(id)?.phase).toBe('creating');
		await rig.until(() => rig.stageOf(key) !== 'accepted');
		expect(rig.known().computers.get(id)?.phase).toBe('active');
		expect(rig.stepsOf(key)).toEqual(['sent', 'settled']);
	});

	test('the log says who did it, and how long it took', async () => {
		const rig = await openOperations();
		const { id } = rig.world.add({ name: 'atlas', state: 'stopped' });
		await rig.watched();
		const { key } = orderOne(rig, 'start', [id]);
		await rig.until(() => rig.stepsOf(key).includes('settled'));
		expect(rig.known().changes.findLast(({ type }) => type === 'operationMoved')).toMatchObject({
			wish: { operation: 'start', computer: id, name: 'atlas' },
			who: rig.simulator.email,
			took: expect.any(Number),
		});
	});
});
