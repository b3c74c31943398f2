import { expect, test } from 'vitest';
import { changesOfComputer } from '../../source/store/change-log.ts';
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

test('forty computers are stopped within the rate limit, and the progress is reported', async () => {
	const { setup, ids } = await withMany(40);
	const specs = askAndConfirm(setup, 'stop', ids);
	const { batch = '' } = specs[0] ?? {};
	const progress = () => setup.batchOf(batch);
	await setup.until(() => (progress()?.countsByState.underWay ?? 0) > 20);
	expect(progress()).toMatchObject({ id: batch, total: 40, isOver: false });
	expect(setup.sendingTimeLeft(batch)).toBeGreaterThan(0);
	await setup.until(() => progress()?.isOver === true);
	expect(progress()?.countsByState).toMatchObject({ done: 40, failed: 0, waiting: 0 });
	expect(setup.sendingTimeLeft(batch)).toBe(0);
	expect(setup.sentChanges().sort()).toEqual(ids.map(id => `POST /${id}/stop 200`).sort());
	expect(setup.simulator.requests.some(({ status }) => status === 429)).toBe(false);
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

/** Lists computers that the simulator does not have, and stops the watch. */
async function withListed(count: number) {
	const { setup } = await withMany(0);
	setup.watch.stop();
	const ids = Array.from({ length: count }, (_, n) => `sb_${n}`);
	const listAs = (status: string) =>
		setup.store.receive([
			{
				account: 'owner',
				at: setup.clock.now(),
				type: 'listRead',
				computers: ids.map((id, n) => ({ id, name: `box${n}`, status })),
			},
		]);
	listAs('active');
	return { setup, ids, listAs };
}

test('a question about more than 500 computers is refused, and says how to narrow it', async () => {
	const { setup, ids } = await withListed(501);
	const refused = setup.operations.ask('stop', ids);
	expect(refused).toMatchObject({
		refusal: {
			reason: 'too-many',
			message:
				'At most 500 computers at a time, and these are 501: narrow the filter or mark fewer',
		},
	});
	expect(setup.operations.state().question).toBeUndefined();
	expect(setup.operations.ask('stop', ids.slice(1)).type).toBe('question');
});

test('cancelling a batch in its countdown notifies once, and the history of each of its computers says it', async () => {
	const { setup, ids } = await withListed(500);
	const [first] = askAndConfirm(setup, 'stop', ids);
	let notices = 0;
	setup.store.subscribe(() => {
		notices += 1;
	});
	expect(setup.operations.cancel('countingDown')).toHaveLength(500);
	expect(notices).toBe(1);
	expect(setup.batchOf(first?.batch ?? '')).toMatchObject({
		isOver: true,
		countsByState: { cancelled: 500 },
	});
	for (const id of ['sb_0', 'sb_499'])
		expect(changesOfComputer(setup.known(), id).at(-1)).toMatchObject({
			type: 'operationMoved',
			to: 'cancelled',
			wish: { operation: 'stop', computer: id },
		});
	await setup.pass(60_000);
	expect(setup.sentChanges()).toEqual([]);
});

test('cancelling the operations of an account leaves those of other accounts', async () => {
	const { setup, ids } = await withListed(6);
	askAndConfirm(setup, 'stop', ids);
	expect(setup.operations.cancel({ account: 'other' })).toEqual([]);
	expect(setup.operations.cancel({ account: 'owner' })).toHaveLength(6);
});

test('operations whose computers have all changed fail without a request', async () => {
	const { setup, ids, listAs } = await withListed(500);
	const { batch = '' } = askAndConfirm(setup, 'restart', ids)[0] ?? {};
	setup.operations.lock();
	await setup.pass(5_000);
	listAs('stopped');
	setup.operations.unlock();
	await setup.until(() => setup.batchOf(batch)?.countsByState.failed === 500);
	expect(setup.sentChanges()).toEqual([]);
});

test('when the sign-in is refused, a whole batch fails after one attempt, and a later operation signs in again', async () => {
	const setup = await openOperations();
	setup.simulator.setFaults([{ target: 'sign-in', kind: 'unauthorized' }]);
	const { id } = setup.world.add({ name: 'atlas' });
	const ids = [id, ...Array.from({ length: 499 }, (_, n) => `sb_${n}`)];
	setup.store.receive([
		{
			account: 'owner',
			at: setup.clock.now(),
			type: 'listRead',
			computers: ids.map(each => ({ id: each, status: 'active' })),
		},
	]);
	const { batch = '' } = askAndConfirm(setup, 'restart', ids)[0] ?? {};
	await setup.until(() => setup.batchOf(batch)?.countsByState.failed === 500);
	const signIns = setup.simulator.requests.filter(({ scope }) => scope === 'auth');
	expect(signIns).toHaveLength(1);
	expect(setup.sentChanges()).toEqual([]);
	setup.simulator.setFaults([]);
	askAndConfirm(setup, 'restart', [id]);
	await setup.until(() => setup.sentChanges().length === 1);
});
