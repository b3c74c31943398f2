import { describe, expect, test } from 'vitest';
import { strangersComputer } from '../../source/simulator/demo-account.ts';
import { failed, openOperations, order, orderOne, withAtlas } from './open-operations.ts';

describe('what the platform refuses has failed, says why, and is not sent again', () => {
	test('400: a version that the platform does not know', async () => {
		const { rig, id } = await withAtlas({ version: '0.0.1' });
		const release = { version: '98.0.0', changes: [] };
		rig.store.fold({ account: 'owner', at: rig.clock.now(), type: 'releaseRead', release });
		const { key } = orderOne(rig, 'update', [id]);
		expect(await failed(rig, key)).toMatchObject({ kind: 'invalid', status: 400 });
		expect(rig.deeds()).toEqual([`POST /${id}/update 400`]);
	});

	test('402: no credits are left', async () => {
		const { rig, id } = await withAtlas({ state: 'stopped' });
		rig.world.setCredits(0);
		const { key } = orderOne(rig, 'start', [id]);
		expect(await failed(rig, key)).toMatchObject({ kind: 'payment', status: 402 });
		expect(rig.stepsOf(key)).toEqual(['sent', 'failed']);
	});

	test("403: somebody else's computer", async () => {
		const { rig } = await withAtlas();
		const computers = [{ id: strangersComputer, status: 'active' }];
		rig.watch.stop();
		rig.store.fold({ account: 'owner', at: rig.clock.now(), type: 'listRead', computers });
		const { key } = orderOne(rig, 'stop', [strangersComputer]);
		expect(await failed(rig, key)).toMatchObject({ kind: 'denied', status: 403 });
	});

	test('404: it was deleted elsewhere, and the row says so', async () => {
		const { rig, id } = await withAtlas();
		rig.world.remove(id);
		const { key } = orderOne(rig, 'restart', [id]);
		expect(await failed(rig, key)).toMatchObject({ kind: 'missing', status: 404 });
		expect(rig.known().computers.get(id)?.isMissing).toBe(true);
	});

	test('404 when deleting: it is gone, as was wanted', async () => {
		const { rig, id } = await withAtlas();
		const { key } = orderOne(rig, 'delete', [id]);
		rig.world.remove(id);
		await rig.until(() => rig.stepsOf(key).length === 2);
		expect(rig.stepsOf(key)).toEqual(['sent', 'settled']);
		expect(rig.deeds()).toEqual([`DELETE /${id} 404`]);
	});

	test('409: it is on its way there already, so it is followed to its end', async () => {
		const { rig, id } = await withAtlas();
		rig.world.sleep(id);
		const { key } = orderOne(rig, 'stop', [id]);
		await rig.until(() => rig.stageOf(key) === 'accepted');
		await rig.until(() => rig.stageOf(key) === undefined);
		expect(rig.stepsOf(key)).toEqual(['sent', 'settled']);
		expect(rig.deeds()).toEqual([`POST /${id}/stop 409`]);
	});

	test('409: something else is in progress, which is a failure', async () => {
		const { rig, id } = await withAtlas();
		rig.world.sleep(id);
		const { key } = orderOne(rig, 'restart', [id]);
		const failure = await failed(rig, key);
		expect(failure).toMatchObject({
			kind: 'conflict',
			message: expect.stringContaining('progress'),
		});
		expect(rig.known().computers.get(id)?.phase).toBe('stopping');
	});

	test('409: the port of a sleeping computer', async () => {
		const { rig, id } = await withAtlas();
		rig.world.sleep(id);
		const { key } = orderOne(rig, 'publish', [id]);
		expect(await failed(rig, key)).toMatchObject({ kind: 'conflict', status: 409 });
	});

	test('404: a port that is not published any more needs no unpublishing', async () => {
		const { rig, id } = await withAtlas({ ports: [8080] });
		rig.world.operate('unpublish', rig.world.get(id), { port: 8080 });
		const { key } = orderOne(rig, 'unpublish', [id]);
		await rig.until(() => rig.stepsOf(key).length === 2);
		expect(rig.stepsOf(key)).toEqual(['sent', 'settled']);
	});

	test('401, and again after a new sign-in', async () => {
		const { rig, id } = await withAtlas();
		rig.simulator.setFaults([{ where: 'restart', kind: 'unauthorized' }]);
		const { key } = orderOne(rig, 'restart', [id]);
		expect(await failed(rig, key)).toMatchObject({ kind: 'auth', status: 401 });
		expect(rig.stepsOf(key)).toEqual(['sent', 'failed']);
	});

	test('a failed sign-in: nothing was sent, so nothing is unknown', async () => {
		const rig = await openOperations({ simulator: { tokenSeconds: 60 } });
		const { id } = rig.world.add({ name: 'atlas' });
		await rig.watched();
		rig.watch.stop();
		rig.simulator.setFaults([{ where: 'sign-in', kind: 'hang' }]);
		await rig.pass(60_000);
		const { key } = orderOne(rig, 'restart', [id]);
		expect(await failed(rig, key)).toMatchObject({ isOutcomeUnknown: false });
		expect(rig.deeds()).toEqual([]);
	});

	test('401, and the new sign-in never ends: it was not done, and the next create need not wait', async () => {
		const { rig } = await withAtlas();
		rig.watch.stop();
		rig.simulator.setFaults([
			{ where: 'create', kind: 'unauthorized', count: 1 },
			{ where: 'sign-in', kind: 'hang', count: 1 },
		]);
		const { key } = orderOne(rig, 'create', []);
		expect(await failed(rig, key)).toMatchObject({ kind: 'offline', isOutcomeUnknown: false });
		expect(rig.stepsOf(key)).toEqual(['sent', 'failed']);
		const next = orderOne(rig, 'create', []);
		await rig.until(() => rig.stageOf(next.key) === 'accepted');
	});

	test('429 from the sign-in is not the rate limit: it fails, and does not knock again and again', async () => {
		const rig = await openOperations({ simulator: { tokenSeconds: 60 } });
		const { id } = rig.world.add({ name: 'atlas' });
		await rig.watched();
		rig.watch.stop();
		rig.simulator.setFaults([{ where: 'sign-in', kind: 'throttle' }]);
		await rig.pass(60_000);
		const { key } = orderOne(rig, 'restart', [id]);
		expect(await failed(rig, key)).toMatchObject({ kind: 'limited' });
		expect(rig.deeds()).toEqual([]);
	});
});

describe('429: not done, so it waits and is sent when the limit allows it', () => {
	test('stop', async () => {
		const { rig, id } = await withAtlas();
		rig.simulator.setFaults([{ where: 'stop', kind: 'throttle', count: 2 }]);
		const { key } = orderOne(rig, 'stop', [id]);
		await rig.until(() => rig.deeds().length === 1 && rig.stageOf(key) === 'asked');
		expect(rig.operations.waitingFor(key)).toMatchObject({ for: 'turn' });
		await rig.until(() => rig.stepsOf(key).includes('settled'));
		expect(rig.deeds()).toEqual([
			`POST /${id}/stop 429`,
			`POST /${id}/stop 429`,
			`POST /${id}/stop 200`,
		]);
	});

	test('refused six times it ends, and is known not to be done', async () => {
		const { rig, id } = await withAtlas();
		rig.simulator.setFaults([{ where: 'stop', kind: 'throttle' }]);
		const { key } = orderOne(rig, 'stop', [id]);
		expect(await failed(rig, key)).toMatchObject({
			kind: 'limited',
			message: 'rate limited 6 times and not done',
			isOutcomeUnknown: false,
		});
		expect(rig.deeds()).toEqual(Array(6).fill(`POST /${id}/stop 429`));
		await rig.pass(120_000);
		expect(rig.deeds()).toHaveLength(6);
	});

	test('Esc calls it off while it waits', async () => {
		const { rig, id } = await withAtlas();
		rig.simulator.setFaults([{ where: 'stop', kind: 'throttle' }]);
		const { key } = orderOne(rig, 'stop', [id]);
		await rig.until(() => rig.deeds().length === 1 && rig.stageOf(key) === 'asked');
		expect(rig.operations.cancel({ key })).toHaveLength(1);
		await rig.pass(120_000);
		expect(rig.deeds()).toHaveLength(1);
		expect(rig.stepsOf(key)).toEqual(['sent', 'cancelled']);
	});

	test('a create that would have to wait for long fails and says for how long', async () => {
		const { rig } = await withAtlas();
		rig.world.spendForeign('create', 5);
		const { key } = orderOne(rig, 'create', []);
		const failure = await failed(rig, key);
		expect(failure?.message).toMatch(/the next creation is possible in \d+ min/);
		expect(rig.deeds()).toHaveLength(1);
	});

	test('when no create is left, the question says so, and the create waits for its slot', async () => {
		const { rig } = await withAtlas();
		for (let made = 0; made < 5; made += 1) {
			const { key } = orderOne(rig, 'create', []);
			await rig.until(() => rig.stageOf(key) === 'accepted');
		}
		const asked = rig.operations.ask('create', []);
		const lines = asked.type === 'question' ? asked.question.lines.join(' ') : '';
		expect(lines).toMatch(/No creations left this hour \(5 allowed\): this one waits 1 h/);
		const { key } = orderOne(rig, 'create', []);
		await rig.pass(30_000);
		expect(rig.deeds()).toHaveLength(5);
		expect(rig.operations.waitingFor(key)).toMatchObject({ for: 'turn' });
		rig.operations.cancel('all');
		expect(rig.stepsOf(key)).toEqual(['cancelled']);
	});
});

describe('before it is sent', () => {
	test('what changed meanwhile so that it makes no sense is not sent', async () => {
		const rig = await openOperations();
		const { id } = rig.world.add({ name: 'atlas' });
		await rig.watched();
		const { key } = orderOne(rig, 'stop', [id]);
		rig.world.sleep(id);
		await rig.until(() => rig.known().computers.get(id)?.phase === 'stopping');
		expect(await failed(rig, key)).toMatchObject({ message: 'stopping now' });
		expect(rig.deeds()).toEqual([]);
	});

	test('one computer takes one operation at a time', async () => {
		const { rig, id } = await withAtlas();
		order(rig, 'restart', [id]);
		const asked = rig.operations.ask('stop', [id]);
		expect(asked).toMatchObject({ type: 'refused', refusal: { why: 'not-allowed' } });
		const message = asked.type === 'refused' ? asked.refusal.message : '';
		expect(message).toBe('Stop atlas: restart already queued');
		await rig.until(() => rig.deeds().length === 1);
		expect(rig.operations.ask('stop', [id])).toMatchObject({
			refusal: { message: 'Stop atlas: already restarting' },
		});
	});

	test('one that takes far too long makes way', async () => {
		const { rig, id } = await withAtlas();
		rig.simulator.setFaults([
			{ where: 'restart', kind: 'lost', count: 1 },
			{ where: 'status', kind: '503' },
			{ where: 'list', kind: '503' },
			{ where: 'detail', kind: '503' },
		]);
		const { key } = orderOne(rig, 'restart', [id]);
		await rig.until(() => rig.stageOf(key) === 'unknown');
		await rig.pass(120_000);
		const asked = rig.operations.ask('stop', [id]);
		const lines = asked.type === 'question' ? asked.question.lines : [];
		expect(lines).toContainEqual(expect.stringMatching(/^It is still restarting after 2 min/));
		orderOne(rig, 'stop', [id]);
		expect(rig.stepsOf(key)).toEqual(['sent', 'unknown', 'failed']);
		await rig.until(() => rig.deeds().length === 2);
	});
});
