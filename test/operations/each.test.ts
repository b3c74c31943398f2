import { describe, expect, test } from 'vitest';
import { askAndConfirmOne, openOperations } from './open-operations.ts';

describe('each operation, from its key press to its end', () => {
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

	test.each([
		['is updated after its start', 100, ['start 200', 'update 200'], undefined],
		['is not updated if its start fails', 0, ['start 402'], 'it was not started'],
	] as const)(
		'a stopped computer that is to be started first %s',
		async (_, credits, sent, why) => {
			const setup = await openOperations();
			const { id } = setup.world.add({ name: 'atlas', version: '0.0.1', state: 'stopped' });
			await setup.watched();
			setup.world.setCredits(credits);
			const { key } = askAndConfirmOne(setup, 'update', [id], { starting: 'chosen' });
			await setup.until(() => setup.stageOf(key) === undefined || setup.stageOf(key) === 'failed');
			expect(setup.sentChanges()).toEqual(sent.map(each => `POST /${id}/${each}`));
			expect(setup.operationOf(key)?.failure?.message).toBe(why);
		},
	);

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
});
