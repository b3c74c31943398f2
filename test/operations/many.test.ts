import { expect, test } from 'vitest';
import { openOperations, order, orderOne } from './open-operations.ts';

async function withMany(count: number, state: 'active' | 'stopped' = 'active') {
	const rig = await openOperations();
	const ids = Array.from({ length: count }, (_, n) => rig.world.add({ name: `box${n}`, state }).id);
	await rig.watched();
	return { rig, ids };
}

test('the plan comes first: how many, for how long, who is left out and why', async () => {
	const { rig, ids } = await withMany(40);
	const stopped = rig.world.add({ name: 'resting', state: 'stopped' }).id;
	rig.watch.readNow({ name: 'list' });
	await rig.until(() => rig.known().computers.has(stopped));
	const asked = rig.operations.ask('stop', [...ids, stopped, 'sb_nowhere', ...ids]);
	if (asked.type !== 'question') throw new Error('no question');
	const { title, targets, skipped, lines, sendingTime, steps } = asked.question;
	expect(title).toBe('Stop 40 computers?');
	expect(targets.map(({ id }) => id)).toEqual(ids);
	expect(skipped).toEqual([
		{ id: stopped, name: 'resting', reason: 'already stopped' },
		{ id: 'sb_nowhere', name: 'sb_nowhere', reason: 'no longer there' },
	]);
	expect(steps).toMatchObject([{ kind: 'typed', expected: 'stop 40' }]);
	expect(sendingTime).toBeGreaterThan(10_000);
	expect(sendingTime).toBeLessThan(60_000);
	expect(lines).toContainEqual(expect.stringMatching(/^Sending 40 requests takes about \d+ s\.$/));
	expect(lines).toContain('box0, box1, box2, box3, box4 and 35 more');
});

test('forty stop, no window has more than its limit, and the progress is told', async () => {
	const { rig, ids } = await withMany(40);
	const wishes = order(rig, 'stop', ids);
	const { batch = '' } = wishes[0] ?? {};
	const progress = () => rig.operations.state().batches[0];
	await rig.until(() => (progress()?.counts.underWay ?? 0) > 20);
	expect(progress()).toMatchObject({ id: batch, total: 40, isOver: false });
	expect(rig.operations.timeLeft(batch)).toBeGreaterThan(0);
	await rig.until(() => progress()?.isOver === true);
	expect(progress()?.counts).toMatchObject({ done: 40, failed: 0, waiting: 0 });
	expect(rig.operations.timeLeft(batch)).toBe(0);
	expect(rig.deeds().sort()).toEqual(ids.map(id => `POST /${id}/stop 200`).sort());
	expect(rig.simulator.requests.some(({ status }) => status === 429)).toBe(false);
	rig.operations.dismissBatch(batch);
	expect(rig.operations.state().batches).toEqual([]);
});

test('what failed is listed, and only that is asked for again', async () => {
	const { rig, ids } = await withMany(5, 'stopped');
	const [gone = '', broken = ''] = ids;
	rig.world.remove(gone);
	rig.world.fail(broken);
	const wishes = order(rig, 'start', ids);
	const { batch = '' } = wishes[0] ?? {};
	const progress = () => rig.operations.state().batches[0];
	await rig.until(() => progress()?.isOver === true);
	expect(progress()?.counts).toMatchObject({ done: 3, failed: 2 });
	expect(
		progress()
			?.failures.map(({ id }) => id)
			.sort(),
	).toEqual([gone, broken].sort());
	const asked = rig.operations.retryFailed(batch);
	expect(asked).toMatchObject({ type: 'question', question: { operation: 'start' } });
	const { targets = [], skipped = [] } = asked.type === 'question' ? asked.question : {};
	expect([...targets, ...skipped].map(({ id }) => id).sort()).toEqual([gone, broken].sort());
	expect(rig.deeds()).toHaveLength(5);
});

test('a batch is not asked again when nothing of it failed', async () => {
	const { rig, ids } = await withMany(2);
	const { batch = '' } = order(rig, 'restart', ids)[0] ?? {};
	expect(rig.operations.retryFailed(batch)).toMatchObject({ refusal: { why: 'not-allowed' } });
	expect(rig.operations.retryFailed('no such batch')).toMatchObject({
		refusal: { why: 'not-allowed' },
	});
});

test('one that is asked for singly does not wait for the rest of a batch', async () => {
	const { rig, ids } = await withMany(60);
	const [first = '', ...others] = ids;
	order(rig, 'restart', others);
	await rig.until(() => rig.deeds().length > 20);
	const { key } = orderOne(rig, 'restart', [first]);
	await rig.until(() => rig.stepsOf(key).includes('sent'));
	const before = rig.deeds().length;
	expect(before).toBeLessThan(35);
});

test('of very many only those whose turn is near are told of, and all are called off', async () => {
	const { rig } = await withMany(0);
	rig.watch.stop();
	const computers = Array.from({ length: 620 }, (_, n) => ({ id: `sb_${n}`, status: 'active' }));
	rig.store.fold({ account: 'owner', at: rig.clock.now(), type: 'listRead', computers });
	const ids = computers.map(({ id }) => id);
	const wishes = order(rig, 'stop', ids);
	const asked = () => [...rig.known().operations.values()].filter(({ stage }) => stage === 'asked');
	expect(asked()).toHaveLength(500);
	expect(rig.operations.ask('restart', ['sb_619'])).toMatchObject({
		refusal: { message: 'Restart sb_619: stop already queued' },
	});
	const last = wishes.at(-1)?.key ?? '';
	expect(rig.operations.waitingFor(last)).toMatchObject({ for: 'grace' });
	await rig.until(() => rig.deeds().length >= 10);
	expect(asked()).toHaveLength(500);
	const dropped = rig.operations.cancel('all');
	expect(dropped.length).toBeGreaterThan(580);
	expect(rig.operations.waitingFor(last)).toBeUndefined();
	expect(rig.known().operations.has(last)).toBe(false);
	expect(asked()).toHaveLength(0);
	await rig.pass(120_000);
	expect(rig.deeds()).toHaveLength(620 - dropped.length);
});
