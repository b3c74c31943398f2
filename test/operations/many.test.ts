import { expect, onTestFinished, test, vi } from 'vitest';
import { isUnsent } from '../../source/fleet/operations/operation.ts';
import { questionTitle } from '../../source/operations/question.ts';
import { changesOfComputer } from '../../source/store/change-log.ts';
import { standingFailure } from '../../source/store/our-operations.ts';
import { askAndConfirm, askAndConfirmOne, openOperations } from './open-operations.ts';

async function withMany(count: number, state: 'active' | 'stopped' = 'active') {
	const setup = await openOperations();
	const ids = Array.from(
		{ length: count },
		(_, n) => setup.world.add({ name: `box${n}`, state }).id,
	);
	await setup.watched();
	return { setup, ids };
}

test('the question about a batch shows its size, its duration and the skipped computers', async () => {
	const { setup, ids } = await withMany(40);
	const stopped = setup.world.add({ name: 'resting', state: 'stopped' }).id;
	setup.watch.readNow([{ name: 'list' }]);
	await setup.until(() => setup.known().computers.has(stopped));
	const reply = setup.operations.ask('stop', [...ids, stopped, 'sb_nowhere', ...ids]);
	if (reply.type !== 'question') throw new Error('no question');
	const { targets, skipped, lines, sendingTimeMs, steps } = reply.question;
	expect(questionTitle(reply.question)).toBe('Stop 40 computers?');
	expect(targets.map(({ id }) => id)).toEqual(ids);
	expect(skipped).toEqual([
		{ account: 'owner', id: stopped, name: 'resting', reason: 'already stopped', isSo: true },
		{ account: 'owner', id: 'sb_nowhere', name: 'sb_nowhere', reason: 'no longer exists' },
	]);
	expect(steps).toMatchObject([{ kind: 'typed', expectedText: 'stop 40' }]);
	expect(sendingTimeMs).toBeGreaterThan(10_000);
	expect(sendingTimeMs).toBeLessThan(60_000);
	expect(lines).toContainEqual(expect.stringMatching(/^Sending 40 requests takes about \d+ s\.$/));
	expect(lines).toContain('box0, box1, box2, box3, box4 and 35 more');
});

test('forty computers are stopped within the rate limit, and the progress is reported', async () => {
	const { setup, ids } = await withMany(40);
	const specs = askAndConfirm(setup, 'stop', ids);
	const { batch = '' } = specs[0] ?? {};
	const progress = () => setup.known().batches.get(batch);
	await setup.until(() => (progress()?.countsByState.underWay ?? 0) > 20);
	expect(progress()).toMatchObject({ id: batch, total: 40, isOver: false });
	expect(setup.operations.estimateTimeLeft(batch)).toBeGreaterThan(0);
	await setup.until(() => progress()?.isOver === true);
	expect(progress()?.countsByState).toMatchObject({ done: 40, failed: 0, waiting: 0 });
	expect(setup.operations.estimateTimeLeft(batch)).toBe(0);
	expect(setup.sentChanges().sort()).toEqual(ids.map(id => `POST /${id}/stop 200`).sort());
	expect(setup.simulator.requests.some(({ status }) => status === 429)).toBe(false);
});

test('a batch lists its failures, and a retry sends only the failed operations again', async () => {
	const { setup, ids } = await withMany(5, 'stopped');
	const [gone = '', broken = ''] = ids;
	setup.world.remove(gone);
	setup.world.fail(broken);
	const specs = askAndConfirm(setup, 'start', ids);
	const { batch = '' } = specs[0] ?? {};
	const progress = () => setup.known().batches.get(batch);
	await setup.until(() => progress()?.isOver === true);
	expect(progress()?.countsByState).toMatchObject({ done: 3, failed: 2 });
	expect(
		progress()
			?.failures.map(({ id }) => id)
			.sort(),
	).toEqual([gone, broken].sort());

	// A failure that a person has taken away is gone with all its operations.
	const failure = standingFailure(setup.known(), undefined);
	expect(failure).toMatchObject({ type: 'batch', batch: { id: batch } });
	if (failure) setup.operations.markSeen(failure);
	expect(setup.known().batches.size).toBe(0);
	expect(setup.known().operations.size).toBe(0);
});

test('a single operation is sent before the rest of a batch', async () => {
	const { setup, ids } = await withMany(60);
	const [first = '', ...others] = ids;
	askAndConfirm(setup, 'restart', others);
	await setup.until(() => setup.sentChanges().length > 20);
	const { key } = askAndConfirmOne(setup, 'restart', [first]);
	await setup.until(() => setup.stepsOf(key).includes('sent'));
	const before = setup.sentChanges().length;
	expect(before).toBeLessThan(35);
});

test('the store has at most 500 operations of a large batch, and cancelling the batch cancels all of them', async () => {
	const { setup } = await withMany(0);
	setup.watch.stop();
	const computers = Array.from({ length: 620 }, (_, n) => ({ id: `sb_${n}`, status: 'active' }));
	setup.store.fold({ account: 'owner', at: setup.clock.now(), type: 'listRead', computers });
	const ids = computers.map(({ id }) => id);
	const specs = askAndConfirm(setup, 'stop', ids);
	const waiting = () => [...setup.known().operations.values()].filter(isUnsent);
	expect(waiting()).toHaveLength(500);
	expect(setup.operations.ask('restart', ['sb_619'])).toMatchObject({
		refusal: { skipped: [{ id: 'sb_619', reason: 'its stop is already queued' }] },
	});
	const last = specs.at(-1)?.key ?? '';
	expect(setup.waitReasonOf(last)).toMatchObject({ type: 'grace' });
	await setup.until(() => setup.sentChanges().length >= 10);
	expect(waiting()).toHaveLength(500);
	const dropped = setup.operations.cancel('all');
	expect(dropped.length).toBeGreaterThan(580);
	expect(setup.waitReasonOf(last)).toBeUndefined();
	expect(setup.known().operations.has(last)).toBe(false);
	expect(waiting()).toHaveLength(0);
	await setup.pass(120_000);
	expect(setup.sentChanges()).toHaveLength(620 - dropped.length);
});

test('a batch that is cancelled during its countdown is one entry of the log, which the history of each of its computers has', async () => {
	const { setup } = await withMany(0);
	setup.watch.stop();
	const computers = Array.from({ length: 620 }, (_, n) => ({
		id: `sb_${n}`,
		name: `box${n}`,
		status: 'active',
	}));
	setup.store.fold({ account: 'owner', at: setup.clock.now(), type: 'listRead', computers });
	const ids = computers.map(({ id }) => id);
	askAndConfirm(setup, 'stop', ids);
	const dropped = setup.operations.cancel('countingDown');
	expect(dropped).toHaveLength(620);
	const { changes, batches, endedOperations } = setup.known();
	const moves = changes.filter(({ type }) => type === 'operationMoved');
	expect(moves).toMatchObject([
		{ to: 'cancelled', count: 620, computers: ids, names: ['box0', 'box1'] },
	]);
	expect([...batches.values()]).toMatchObject([
		{ isOver: true, countsByState: { cancelled: 620 } },
	]);
	expect([...endedOperations.values()].every(({ stage }) => stage === 'cancelled')).toBe(true);
	for (const id of ['sb_0', 'sb_619'])
		expect(changesOfComputer(setup.known(), id).at(-1)).toMatchObject({
			type: 'operationMoved',
			to: 'cancelled',
			wish: { operation: 'stop', computer: id },
		});
	expect(changesOfComputer(setup.known(), 'sb_620')).toEqual([]);
});

test('operations that are cancelled before they are sent have no request that could be aborted', async () => {
	const { setup } = await withMany(0);
	setup.watch.stop();
	const computers = Array.from({ length: 620 }, (_, n) => ({ id: `sb_${n}`, status: 'active' }));
	setup.store.fold({ account: 'owner', at: setup.clock.now(), type: 'listRead', computers });
	const abort = vi.spyOn(AbortController.prototype, 'abort');
	onTestFinished(() => abort.mockRestore());
	askAndConfirm(
		setup,
		'stop',
		computers.map(({ id }) => id),
	);
	expect(setup.operations.cancel('countingDown')).toHaveLength(620);
	expect(abort).not.toHaveBeenCalled();
});

test('Esc cancels what counts down, and neither what waits in the queue nor what was sent', async () => {
	const { setup, ids } = await withMany(4);
	const [first = '', second = '', ...rest] = ids;
	askAndConfirm(setup, 'stop', [first, second]);
	const sentBefore = setup.sentChanges().length;
	const specs = askAndConfirm(setup, 'restart', rest);
	const dropped = setup.operations.cancel('countingDown');
	expect(dropped.map(({ key }) => key).sort()).toEqual(specs.map(({ key }) => key).sort());
	expect(setup.operations.cancel('countingDown')).toEqual([]);
	await setup.until(() => setup.sentChanges().length === sentBefore + 2);
	expect(setup.sentChanges().every(line => line.includes('/stop'))).toBe(true);
});

test('cancelling the operations of an account cancels a whole batch as one entry of the log', async () => {
	const { setup } = await withMany(0);
	setup.watch.stop();
	const computers = Array.from({ length: 620 }, (_, n) => ({ id: `sb_${n}`, status: 'active' }));
	setup.store.fold({ account: 'owner', at: setup.clock.now(), type: 'listRead', computers });
	askAndConfirm(
		setup,
		'stop',
		computers.map(({ id }) => id),
	);
	expect(setup.operations.cancel({ account: 'other' })).toEqual([]);
	expect(setup.operations.cancel({ account: 'owner' })).toHaveLength(620);
	const moves = setup.known().changes.filter(({ type }) => type === 'operationMoved');
	expect(moves).toMatchObject([{ to: 'cancelled', count: 620 }]);
	await setup.pass(60_000);
	expect(setup.sentChanges()).toEqual([]);
});

test('operations whose computers have all changed fail in groups, one in each turn of the event loop', async () => {
	const { setup } = await withMany(0);
	setup.watch.stop();
	const ids = Array.from({ length: 620 }, (_, n) => `sb_${n}`);
	const listAs = (status: string) =>
		setup.store.fold({
			account: 'owner',
			at: setup.clock.now(),
			type: 'listRead',
			computers: ids.map(id => ({ id, status })),
		});
	listAs('active');
	const { batch = '' } = askAndConfirm(setup, 'restart', ids)[0] ?? {};
	setup.operations.lock();
	await setup.pass(5_000);
	listAs('stopped');
	const failedCount = () => setup.known().batches.get(batch)?.countsByState.failed;
	let notifiedCount = 0;
	setup.store.subscribe(() => {
		notifiedCount += 1;
	});
	setup.operations.unlock();
	expect(failedCount()).toBe(50);
	await setup.until(() => failedCount() === 620);
	expect(notifiedCount).toBeLessThan(60);
	expect(setup.sentChanges()).toEqual([]);
});

test('when the sign-in is refused, a whole batch fails after one attempt, and a later operation signs in again', async () => {
	const setup = await openOperations();
	setup.simulator.setFaults([{ target: 'sign-in', kind: 'unauthorized' }]);
	const { id } = setup.world.add({ name: 'atlas' });
	const ids = [id, ...Array.from({ length: 620 }, (_, n) => `sb_${n}`)];
	setup.store.fold({
		account: 'owner',
		at: setup.clock.now(),
		type: 'listRead',
		computers: ids.map(each => ({ id: each, status: 'active' })),
	});
	const { batch = '' } = askAndConfirm(setup, 'restart', ids)[0] ?? {};
	await setup.until(() => setup.known().batches.get(batch)?.countsByState.failed === 621);
	const signIns = setup.simulator.requests.filter(({ scope }) => scope === 'auth');
	expect(signIns).toHaveLength(1);
	expect(setup.sentChanges()).toEqual([]);
	setup.simulator.setFaults([]);
	askAndConfirm(setup, 'restart', [id]);
	await setup.until(() => setup.sentChanges().length === 1);
});
