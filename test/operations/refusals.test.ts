import { describe, expect, test } from 'vitest';
import { strangersComputer } from '../../source/simulator/demo-account.ts';
import {
	askAndConfirm,
	askAndConfirmOne,
	failureOnceFailed,
	openOperations,
	withAtlas,
} from './open-operations.ts';

describe('what the platform refuses has failed, says why, and is not sent again', () => {
	test('400: a version that the platform does not know', async () => {
		const { setup, id } = await withAtlas({ version: '0.0.1' });
		const release = { version: '98.0.0', changes: [] };
		setup.store.fold({ account: 'owner', at: setup.clock.now(), type: 'releaseRead', release });
		const { key } = askAndConfirmOne(setup, 'update', [id]);
		expect(await failureOnceFailed(setup, key)).toMatchObject({ kind: 'invalid', status: 400 });
		expect(setup.sentChanges()).toEqual([`POST /${id}/update 400`]);
	});

	test('402: no credits are left', async () => {
		const { setup, id } = await withAtlas({ state: 'stopped' });
		setup.world.setCredits(0);
		const { key } = askAndConfirmOne(setup, 'start', [id]);
		expect(await failureOnceFailed(setup, key)).toMatchObject({ kind: 'payment', status: 402 });
		expect(setup.stepsOf(key)).toEqual(['sent', 'failed']);
	});

	test("403: somebody else's computer", async () => {
		const { setup } = await withAtlas();
		const computers = [{ id: strangersComputer, status: 'active' }];
		setup.watch.stop();
		setup.store.fold({ account: 'owner', at: setup.clock.now(), type: 'listRead', computers });
		const { key } = askAndConfirmOne(setup, 'stop', [strangersComputer]);
		expect(await failureOnceFailed(setup, key)).toMatchObject({ kind: 'denied', status: 403 });
	});

	test('404: it was deleted elsewhere, and the row says so', async () => {
		const { setup, id } = await withAtlas();
		setup.world.remove(id);
		const { key } = askAndConfirmOne(setup, 'restart', [id]);
		expect(await failureOnceFailed(setup, key)).toMatchObject({ kind: 'missing', status: 404 });
		expect(setup.known().computers.get(id)?.isMissing).toBe(true);
	});

	test('404 when deleting: it is gone, as was wanted', async () => {
		const { setup, id } = await withAtlas();
		const { key } = askAndConfirmOne(setup, 'delete', [id]);
		setup.world.remove(id);
		await setup.until(() => setup.stepsOf(key).length === 2);
		expect(setup.stepsOf(key)).toEqual(['sent', 'settled']);
		expect(setup.sentChanges()).toEqual([`DELETE /${id} 404`]);
	});

	test('409: it is on its way there already, so it is followed to its end', async () => {
		const { setup, id } = await withAtlas();
		setup.world.sleep(id);
		const { key } = askAndConfirmOne(setup, 'stop', [id]);
		await setup.until(() => setup.stageOf(key) === 'accepted');
		await setup.until(() => setup.stageOf(key) === undefined);
		expect(setup.stepsOf(key)).toEqual(['sent', 'settled']);
		expect(setup.sentChanges()).toEqual([`POST /${id}/stop 409`]);
	});

	test('409: something else is in progress, which is a failure', async () => {
		const { setup, id } = await withAtlas();
		setup.world.sleep(id);
		const { key } = askAndConfirmOne(setup, 'restart', [id]);
		const failure = await failureOnceFailed(setup, key);
		expect(failure).toMatchObject({
			kind: 'conflict',
			message: expect.stringContaining('progress'),
		});
		expect(setup.known().computers.get(id)?.phase).toBe('stopping');
	});

	test('409: the port of a sleeping computer', async () => {
		const { setup, id } = await withAtlas();
		setup.world.sleep(id);
		const { key } = askAndConfirmOne(setup, 'publish', [id]);
		expect(await failureOnceFailed(setup, key)).toMatchObject({ kind: 'conflict', status: 409 });
	});

	test('404: a port that is not published any more needs no unpublishing', async () => {
		const { setup, id } = await withAtlas({ ports: [8080] });
		setup.world.operate('unpublish', setup.world.get(id), { port: 8080 });
		const { key } = askAndConfirmOne(setup, 'unpublish', [id]);
		await setup.until(() => setup.stepsOf(key).length === 2);
		expect(setup.stepsOf(key)).toEqual(['sent', 'settled']);
	});

	test('401, and again after a new sign-in', async () => {
		const { setup, id } = await withAtlas();
		setup.simulator.setFaults([{ where: 'restart', kind: 'unauthorized' }]);
		const { key } = askAndConfirmOne(setup, 'restart', [id]);
		expect(await failureOnceFailed(setup, key)).toMatchObject({ kind: 'auth', status: 401 });
		expect(setup.stepsOf(key)).toEqual(['sent', 'failed']);
	});

	test('a failed sign-in: nothing was sent, so nothing is unknown', async () => {
		const setup = await openOperations({ simulator: { tokenSeconds: 60 } });
		const { id } = setup.world.add({ name: 'atlas' });
		await setup.watched();
		setup.watch.stop();
		setup.simulator.setFaults([{ where: 'sign-in', kind: 'hang' }]);
		await setup.pass(60_000);
		const { key } = askAndConfirmOne(setup, 'restart', [id]);
		expect(await failureOnceFailed(setup, key)).toMatchObject({ isOutcomeUnknown: false });
		expect(setup.sentChanges()).toEqual([]);
	});

	test('401, and the new sign-in never ends: it was not done, and the next create need not wait', async () => {
		const { setup } = await withAtlas();
		setup.watch.stop();
		setup.simulator.setFaults([
			{ where: 'create', kind: 'unauthorized', count: 1 },
			{ where: 'sign-in', kind: 'hang', count: 1 },
		]);
		const { key } = askAndConfirmOne(setup, 'create', []);
		expect(await failureOnceFailed(setup, key)).toMatchObject({
			kind: 'offline',
			isOutcomeUnknown: false,
		});
		expect(setup.stepsOf(key)).toEqual(['sent', 'failed']);
		const next = askAndConfirmOne(setup, 'create', []);
		await setup.until(() => setup.stageOf(next.key) === 'accepted');
	});

	test('429 from the sign-in is not the rate limit: it fails, and does not knock again and again', async () => {
		const setup = await openOperations({ simulator: { tokenSeconds: 60 } });
		const { id } = setup.world.add({ name: 'atlas' });
		await setup.watched();
		setup.watch.stop();
		setup.simulator.setFaults([{ where: 'sign-in', kind: 'throttle' }]);
		await setup.pass(60_000);
		const { key } = askAndConfirmOne(setup, 'restart', [id]);
		expect(await failureOnceFailed(setup, key)).toMatchObject({ kind: 'limited' });
		expect(setup.sentChanges()).toEqual([]);
	});
});

describe('429: not done, so it waits and is sent when the limit allows it', () => {
	test('stop', async () => {
		const { setup, id } = await withAtlas();
		setup.simulator.setFaults([{ where: 'stop', kind: 'throttle', count: 2 }]);
		const { key } = askAndConfirmOne(setup, 'stop', [id]);
		await setup.until(() => setup.sentChanges().length === 1 && setup.stageOf(key) === 'asked');
		expect(setup.operations.waitingFor(key)).toMatchObject({ for: 'turn' });
		await setup.until(() => setup.stepsOf(key).includes('settled'));
		expect(setup.sentChanges()).toEqual([
			`POST /${id}/stop 429`,
			`POST /${id}/stop 429`,
			`POST /${id}/stop 200`,
		]);
	});

	test('refused six times it ends, and is known not to be done', async () => {
		const { setup, id } = await withAtlas();
		setup.simulator.setFaults([{ where: 'stop', kind: 'throttle' }]);
		const { key } = askAndConfirmOne(setup, 'stop', [id]);
		expect(await failureOnceFailed(setup, key)).toMatchObject({
			kind: 'limited',
			message: 'rate limited 6 times and not done',
			isOutcomeUnknown: false,
		});
		expect(setup.sentChanges()).toEqual(Array(6).fill(`POST /${id}/stop 429`));
		await setup.pass(120_000);
		expect(setup.sentChanges()).toHaveLength(6);
	});

	test('Esc calls it off while it waits', async () => {
		const { setup, id } = await withAtlas();
		setup.simulator.setFaults([{ where: 'stop', kind: 'throttle' }]);
		const { key } = askAndConfirmOne(setup, 'stop', [id]);
		await setup.until(() => setup.sentChanges().length === 1 && setup.stageOf(key) === 'asked');
		expect(setup.operations.cancel({ key })).toHaveLength(1);
		await setup.pass(120_000);
		expect(setup.sentChanges()).toHaveLength(1);
		expect(setup.stepsOf(key)).toEqual(['sent', 'cancelled']);
	});

	test('a create that would have to wait for long fails and says for how long', async () => {
		const { setup } = await withAtlas();
		setup.world.spendForeign('create', 5);
		const { key } = askAndConfirmOne(setup, 'create', []);
		const failure = await failureOnceFailed(setup, key);
		expect(failure?.message).toMatch(/the next creation is possible in \d+ min/);
		expect(setup.sentChanges()).toHaveLength(1);
	});

	test('when no create is left, the question says so, and the create waits for its slot', async () => {
		const { setup } = await withAtlas();
		for (let made = 0; made < 5; made += 1) {
			const { key } = askAndConfirmOne(setup, 'create', []);
			await setup.until(() => setup.stageOf(key) === 'accepted');
		}
		const asked = setup.operations.ask('create', []);
		const lines = asked.type === 'question' ? asked.question.lines.join(' ') : '';
		expect(lines).toMatch(/No creations left this hour \(5 allowed\): this one waits 1 h/);
		const { key } = askAndConfirmOne(setup, 'create', []);
		await setup.pass(30_000);
		expect(setup.sentChanges()).toHaveLength(5);
		expect(setup.operations.waitingFor(key)).toMatchObject({ for: 'turn' });
		setup.operations.cancel('all');
		expect(setup.stepsOf(key)).toEqual(['cancelled']);
	});
});

describe('before it is sent', () => {
	test('what changed meanwhile so that it makes no sense is not sent', async () => {
		const setup = await openOperations();
		const { id } = setup.world.add({ name: 'atlas' });
		await setup.watched();
		const { key } = askAndConfirmOne(setup, 'stop', [id]);
		setup.world.sleep(id);
		await setup.until(() => setup.known().computers.get(id)?.phase === 'stopping');
		expect(await failureOnceFailed(setup, key)).toMatchObject({ message: 'stopping now' });
		expect(setup.sentChanges()).toEqual([]);
	});

	test('one computer takes one operation at a time', async () => {
		const { setup, id } = await withAtlas();
		askAndConfirm(setup, 'restart', [id]);
		const asked = setup.operations.ask('stop', [id]);
		expect(asked).toMatchObject({ type: 'refused', refusal: { why: 'not-allowed' } });
		const message = asked.type === 'refused' ? asked.refusal.message : '';
		expect(message).toBe('Stop atlas: restart already queued');
		await setup.until(() => setup.sentChanges().length === 1);
		expect(setup.operations.ask('stop', [id])).toMatchObject({
			refusal: { message: 'Stop atlas: already restarting' },
		});
	});

	test('one that takes far too long makes way', async () => {
		const { setup, id } = await withAtlas();
		setup.simulator.setFaults([
			{ where: 'restart', kind: 'lost', count: 1 },
			{ where: 'status', kind: '503' },
			{ where: 'list', kind: '503' },
			{ where: 'detail', kind: '503' },
		]);
		const { key } = askAndConfirmOne(setup, 'restart', [id]);
		await setup.until(() => setup.stageOf(key) === 'unknown');
		await setup.pass(120_000);
		const asked = setup.operations.ask('stop', [id]);
		const lines = asked.type === 'question' ? asked.question.lines : [];
		expect(lines).toContainEqual(expect.stringMatching(/^It is still restarting after 2 min/));
		askAndConfirmOne(setup, 'stop', [id]);
		expect(setup.stepsOf(key)).toEqual(['sent', 'unknown', 'failed']);
		await setup.until(() => setup.sentChanges().length === 2);
	});
});
