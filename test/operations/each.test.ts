import { describe, expect, test } from 'vitest';
import { askAndConfirmOne, openOperations } from './open-operations.ts';

describe('each operation, from the key to its end', () => {
	test('start', async () => {
		const setup = await openOperations();
		const { id } = setup.world.add({ name: 'atlas', state: 'stopped' });
		await setup.watched();
		const { key } = askAndConfirmOne(setup, 'start', [id]);
		await setup.until(() => setup.stageOf(key) === 'accepted');
		expect(setup.world.find(id)?.state).toBe('starting');
		await setup.until(() => setup.stageOf(key) === undefined);
		expect(setup.known().computers.get(id)?.phase).toBe('active');
		expect(setup.stepsOf(key)).toEqual(['sent', 'settled']);
		expect(setup.sentChanges()).toEqual([`POST /${id}/start 200`]);
	});

	test('stop, after its grace', async () => {
		const setup = await openOperations();
		const { id } = setup.world.add({ name: 'atlas' });
		await setup.watched();
		const { key } = askAndConfirmOne(setup, 'stop', [id]);
		expect(setup.operations.waitingFor(key)).toEqual({
			for: 'grace',
			until: setup.clock.now() + 4_000,
		});
		await setup.pass(3_500);
		expect(setup.sentChanges()).toEqual([]);
		await setup.until(() => setup.stageOf(key) === undefined);
		expect(setup.known().computers.get(id)).toMatchObject({
			phase: 'stopped',
			stopReason: 'asked',
		});
		expect(setup.stepsOf(key)).toEqual(['sent', 'settled']);
		expect(setup.sentChanges()).toEqual([`POST /${id}/stop 200`]);
	});

	test('restart', async () => {
		const setup = await openOperations();
		const { id } = setup.world.add({ name: 'atlas' });
		await setup.watched();
		const { key } = askAndConfirmOne(setup, 'restart', [id]);
		await setup.until(() => setup.stageOf(key) === 'accepted');
		await setup.until(() => setup.stageOf(key) === undefined);
		expect(setup.world.find(id)?.state).toBe('active');
		expect(setup.stepsOf(key)).toEqual(['sent', 'settled']);
		expect(setup.sentChanges()).toEqual([`POST /${id}/restart 200`]);
	});

	test('update, to the version that its question named', async () => {
		const setup = await openOperations();
		const { id } = setup.world.add({ name: 'atlas', version: '0.0.1' });
		await setup.watched();
		const latest = setup.known().release?.version;
		const asked = setup.operations.ask('update', [id]);
		expect(asked).toMatchObject({ question: { details: { version: latest } } });
		setup.world.release('99.0.0');
		await setup.pass(400);
		const pressed = setup.operations.press({ key: 'y' });
		const key = pressed.type === 'begun' ? (pressed.specs[0]?.key ?? '') : '';
		await setup.until(() => setup.stageOf(key) === 'accepted');
		await setup.until(() => setup.stageOf(key) === undefined);
		expect(setup.world.find(id)).toMatchObject({ state: 'active', version: latest });
		expect(setup.stepsOf(key)).toEqual(['sent', 'settled']);
	});

	test('publish: the port is known, and an application is found to answer', async () => {
		const setup = await openOperations();
		const { id } = setup.world.add({ name: 'atlas' });
		await setup.watched();
		const { key } = askAndConfirmOne(setup, 'publish', [id]);
		await setup.until(() => setup.stepsOf(key).includes('settled'));
		const [published] = setup.known().computers.get(id)?.reading.ports ?? [];
		expect(published).toMatchObject({ port: 8080, shareToken: expect.any(String) });
		const checked = () => setup.operations.state().checks[0];
		await setup.until(() => checked()?.state !== 'asking');
		expect(checked()).toMatchObject({ id, port: 8080, state: 'answers', status: 200 });
	});

	test('unpublish: the only port is the one that is meant', async () => {
		const setup = await openOperations();
		const { id } = setup.world.add({ name: 'atlas', ports: [3000] });
		await setup.watched();
		const { key, port } = askAndConfirmOne(setup, 'unpublish', [id]);
		expect(port).toBe(3000);
		await setup.until(() => setup.stepsOf(key).includes('settled'));
		expect(setup.world.find(id)?.ports).toEqual([]);
		expect(setup.known().computers.get(id)?.reading.ports).toEqual([]);
	});

	test('where no ports are told, our own publishing stands in the way of nothing', async () => {
		const setup = await openOperations({ simulator: { shapes: { ports: 'none' } } });
		const { id } = setup.world.add({ name: 'atlas', ports: [9000] });
		await setup.watched();
		const { key } = askAndConfirmOne(setup, 'publish', [id]);
		await setup.until(() => setup.stepsOf(key).includes('settled'));
		const ports = () =>
			setup
				.known()
				.computers.get(id)
				?.reading.ports?.map(({ port }) => port);
		expect(ports()).toEqual([8080]);
		// Its application may have ended, and the publication with it: the platform knows.
		const again = askAndConfirmOne(setup, 'publish', [id]);
		await setup.until(() => setup.stepsOf(again.key).includes('settled'));
		// One that was published elsewhere can be ended here, so a port is asked for.
		expect(setup.operations.ask('unpublish', [id])).toMatchObject({
			question: { steps: [{ kind: 'port' }] },
		});
		setup.operations.press({ key: 'escape' });
		setup.world.operate('stop', setup.world.get(id), {});
		await setup.until(() => setup.known().computers.get(id)?.phase === 'stopped');
		expect(ports()).toBeUndefined();
	});

	test('delete, once its name was typed and its grace is over', async () => {
		const setup = await openOperations();
		const { id } = setup.world.add({ name: 'atlas' });
		await setup.watched();
		const { key } = askAndConfirmOne(setup, 'delete', [id]);
		await setup.pass(4_500);
		expect(setup.sentChanges()).toEqual([]);
		await setup.until(() => setup.stageOf(key) === undefined);
		expect(setup.known().computers.has(id)).toBe(false);
		expect(setup.stepsOf(key)).toEqual(['sent', 'settled']);
		expect(setup.sentChanges()).toEqual([`DELETE /${id} 200`]);
	});

	test('delete where the platform keeps a record of what is gone', async () => {
		const setup = await openOperations({ simulator: { shapes: { deleted: 'archived' } } });
		const { id } = setup.world.add({ name: 'atlas' });
		await setup.watched();
		const { key } = askAndConfirmOne(setup, 'delete', [id]);
		await setup.until(() => setup.stepsOf(key).includes('settled'));
	});

	test('create: its computer is there with the answer, and is followed until it is ready', async () => {
		const setup = await openOperations();
		await setup.watched();
		const asked = setup.operations.ask('create', []);
		expect(asked).toMatchObject({ question: { title: 'Create a computer?' } });
		await setup.pass(400);
		for (const letter of 'new one') {
			setup.operations.press({ key: letter === ' ' ? 'space' : letter });
		}
		for (const key of ['enter', 'enter', 'enter']) setup.operations.press({ key });
		expect(setup.operations.state().question).toBeDefined();
		const pressed = setup.operations.press({ key: 'y' });
		const key = pressed.type === 'begun' ? (pressed.specs[0]?.key ?? '') : '';
		await setup.until(() => setup.stageOf(key) === 'accepted');
		const { id } = setup.world.get('new one');
		expect(setup.operationOf(key)?.spec).toMatchObject({ computer: id, name: 'new one' });
		expect(setup.known().computers.get(id)?.phase).toBe('creating');
		await setup.until(() => setup.stageOf(key) !== 'accepted');
		expect(setup.known().computers.get(id)?.phase).toBe('active');
		expect(setup.stepsOf(key)).toEqual(['sent', 'settled']);
	});

	test('the log says who did it, and how long it took', async () => {
		const setup = await openOperations();
		const { id } = setup.world.add({ name: 'atlas', state: 'stopped' });
		await setup.watched();
		const { key } = askAndConfirmOne(setup, 'start', [id]);
		await setup.until(() => setup.stepsOf(key).includes('settled'));
		expect(setup.known().changes.findLast(({ type }) => type === 'operationMoved')).toMatchObject({
			wish: { operation: 'start', computer: id, name: 'atlas' },
			who: setup.simulator.email,
			took: expect.any(Number),
		});
	});
});
