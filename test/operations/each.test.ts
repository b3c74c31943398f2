import { describe, expect, test } from 'vitest';
import { questionTitle } from '../../source/operations/question-wording.ts';
import { askAndConfirmOne, openOperations } from './open-operations.ts';

describe('each operation, from its key press to its end', () => {
	test('starts a stopped computer', async () => {
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

	test('stops a computer at once', async () => {
		const setup = await openOperations();
		const { id } = setup.world.add({ name: 'atlas' });
		await setup.watched();
		const { key } = askAndConfirmOne(setup, 'stop', [id]);
		await setup.until(() => setup.stageOf(key) === undefined);
		expect(setup.known().computers.get(id)).toMatchObject({
			phase: 'stopped',
			stopReason: 'asked',
		});
		expect(setup.stepsOf(key)).toEqual(['sent', 'settled']);
		expect(setup.sentChanges()).toEqual([`POST /${id}/stop 200`]);
	});

	test('restarts a running computer after the countdown', async () => {
		const setup = await openOperations();
		const { id } = setup.world.add({ name: 'atlas' });
		await setup.watched();
		const { key } = askAndConfirmOne(setup, 'restart', [id]);
		expect(setup.waitReasonOf(key)).toEqual({
			type: 'grace',
			until: setup.clock.now() + 4_000,
		});
		await setup.pass(3_500);
		expect(setup.sentChanges()).toEqual([]);
		await setup.until(() => setup.stageOf(key) === 'accepted');
		await setup.until(() => setup.stageOf(key) === undefined);
		expect(setup.world.find(id)?.state).toBe('active');
		expect(setup.stepsOf(key)).toEqual(['sent', 'settled']);
		expect(setup.sentChanges()).toEqual([`POST /${id}/restart 200`]);
	});

	test('updates to the version that the question named, even if a newer one appears', async () => {
		const setup = await openOperations();
		const { id } = setup.world.add({ name: 'atlas', version: '0.0.1' });
		await setup.watched();
		const latest = setup.known().release?.version;
		const reply = setup.operations.ask('update', [id]);
		expect(reply).toMatchObject({ question: { accounts: [{ version: latest }] } });
		setup.world.publishRelease('99.0.0');
		if (reply.type !== 'question') throw new Error('no question');
		const { question } = reply;
		const answered = setup.operations.answer({ ...question, answers: ['y'] });
		const key = answered.type === 'begun' ? (answered.operations[0]?.spec.key ?? '') : '';
		await setup.until(() => setup.stageOf(key) === 'accepted');
		await setup.until(() => setup.stageOf(key) === undefined);
		expect(setup.world.find(id)).toMatchObject({ state: 'active', version: latest });
		expect(setup.stepsOf(key)).toEqual(['sent', 'settled']);
	});

	test('publishes a port, stores it, and checks that an application answers there', async () => {
		const setup = await openOperations();
		const { id } = setup.world.add({ name: 'atlas' });
		await setup.watched();
		const { key } = askAndConfirmOne(setup, 'publish', [id]);
		await setup.until(() => setup.stepsOf(key).includes('settled'));
		const [published] = setup.known().computers.get(id)?.reading.ports ?? [];
		expect(published).toMatchObject({ port: 8080, shareToken: expect.any(String) });
		const checked = () => setup.operations.state().portChecks[0];
		await setup.until(() => checked()?.state !== 'asking');
		expect(checked()).toMatchObject({ port: 8080, state: 'answers', status: 200 });
	});

	test('unpublishes the only port without asking which', async () => {
		const setup = await openOperations();
		const { id } = setup.world.add({ name: 'atlas', ports: [3000] });
		await setup.watched();
		const { key, port } = askAndConfirmOne(setup, 'unpublish', [id]);
		expect(port).toBe(3000);
		await setup.until(() => setup.stepsOf(key).includes('settled'));
		expect(setup.world.find(id)?.ports).toEqual([]);
		expect(setup.known().computers.get(id)?.reading.ports).toEqual([]);
	});

	test('can publish and unpublish again where the platform does not list ports', async () => {
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
		// The publication may have ended with its application, so the platform decides.
		const again = askAndConfirmOne(setup, 'publish', [id]);
		await setup.until(() => setup.stepsOf(again.key).includes('settled'));
		// Another client may have published a port, so the question asks which one.
		expect(setup.operations.ask('unpublish', [id])).toMatchObject({
			question: { steps: [{ kind: 'port' }, { kind: 'yes' }] },
		});
		setup.operations.closeQuestion();
		setup.world.operate('stop', setup.world.get(id), {});
		await setup.until(() => setup.known().computers.get(id)?.phase === 'stopped');
		expect(ports()).toBeUndefined();
	});

	test('deletes a computer once its name was typed and the grace is over', async () => {
		const setup = await openOperations();
		const { id } = setup.world.add({ name: 'atlas' });
		await setup.watched();
		const { key } = askAndConfirmOne(setup, 'delete', [id]);
		await setup.pass(3_500);
		expect(setup.sentChanges()).toEqual([]);
		await setup.until(() => setup.stageOf(key) === undefined);
		expect(setup.known().computers.has(id)).toBe(false);
		expect(setup.stepsOf(key)).toEqual(['sent', 'settled']);
		expect(setup.sentChanges()).toEqual([`DELETE /${id} 200`]);
	});

	test('settles a delete where the platform keeps a record of the computer', async () => {
		const setup = await openOperations({ simulator: { shapes: { deleted: 'archived' } } });
		const { id } = setup.world.add({ name: 'atlas' });
		await setup.watched();
		const { key } = askAndConfirmOne(setup, 'delete', [id]);
		await setup.until(() => setup.stepsOf(key).includes('settled'));
	});

	test('creates a computer, shows it as soon as the response arrives, and follows it until it is ready', async () => {
		const setup = await openOperations();
		await setup.watched();
		const reply = setup.operations.ask('create', []);
		if (reply.type !== 'question') throw new Error('no question');
		expect(questionTitle(reply.question)).toBe('Create a computer?');
		const { question } = reply;
		const answersTo = (...answers: readonly string[]) => ({ ...question, answers });
		expect(setup.operations.answer(answersTo('new one'))).toMatchObject({
			refusal: { reason: 'no-answer' },
		});
		expect(setup.operations.state().question).toBeDefined();
		const answered = setup.operations.answer(answersTo('new one', 'y'));
		const key = answered.type === 'begun' ? (answered.operations[0]?.spec.key ?? '') : '';
		await setup.until(() => setup.stageOf(key) === 'accepted');
		const { id } = setup.world.get('new one');
		expect(setup.operationOf(key)?.spec).toMatchObject({ computer: id, name: 'new one' });
		expect(setup.known().computers.get(id)?.phase).toBe('creating');
		await setup.until(() => setup.stageOf(key) !== 'accepted');
		expect(setup.known().computers.get(id)?.phase).toBe('active');
		expect(setup.stepsOf(key)).toEqual(['sent', 'settled']);
	});

	test('logs who started an operation, and how long it took', async () => {
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
