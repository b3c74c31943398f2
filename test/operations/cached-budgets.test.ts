import { expect, test, vi } from 'vitest';
import { createAccountStore } from '../../source/operations/account-store.ts';
import { createCachedBudgets } from '../../source/operations/cached-budgets.ts';
import { createMemoryLedger } from '../../source/pace/ledger.ts';
import { createStore } from '../../source/store/store.ts';
import { createHeldClock } from '../held-clock.ts';
import { createHeldPace } from '../pace/held-pace.ts';
import { askAndConfirm, openOperations } from './open-operations.ts';

test('the reasons and times of waiting operations are returned without reading the ledger', async () => {
	const setup = await openOperations();
	const ids = Array.from({ length: 40 }, () => setup.world.add({ state: 'active' }).id);
	await setup.watched();
	const specs = askAndConfirm(setup, 'restart', ids);
	const { batch = '' } = specs[0] ?? {};
	await setup.until(() => [...setup.known().batches.values()][0]?.countsByState.waiting !== 40);
	const reads = vi.spyOn(setup.pace, 'budgets');
	for (let frame = 0; frame < 10; frame++) {
		const waitingFor = setup.operations.waitReasonsAt();
		expect(specs.some(({ key }) => waitingFor(key)?.type === 'turn')).toBe(true);
		expect(setup.operations.estimateTimeLeft(batch)).toBeGreaterThan(0);
	}
	expect(reads).not.toHaveBeenCalled();
});

test('requests of another process are noticed within a second while an operation waits', async () => {
	const clock = createHeldClock();
	const ledger = createMemoryLedger({ msSinceBoot: clock.now });
	const [ours, theirs] = [createHeldPace({ clock, ledger }), createHeldPace({ clock, ledger })];
	const store = createStore();
	const accountStore = createAccountStore('owner', store, clock);
	const wish = { key: 'k', operation: 'stop', computer: 'sb_1' };
	const seen = createCachedBudgets({ pace: ours.pace, clock, store, accountStore });
	const left = () => seen.latest().other.requestsLeft.operation;
	const before = left();
	accountStore.fold({ type: 'operationAsked', wish });
	theirs.ask('other');
	await theirs.flush();
	expect(left()).toBe(before);
	await ours.move(1000);
	expect(left()).toBe(before - 1);
	accountStore.fold({ type: 'operationCancelled', key: 'k' });
	await ours.move(1000);
	theirs.ask('other');
	await ours.move(5000);
	expect(left()).toBe(before - 1);
	expect(clock.waiting).toBe(0);
	accountStore.fold({ type: 'operationAsked', wish });
	expect(clock.waiting).toBe(1);
	seen.close();
	expect(clock.waiting).toBe(0);
});

test('the ledger is read in the turn after the first picture, or when a budget is needed, and only once', () => {
	const clock = createHeldClock();
	const { pace } = createHeldPace({ clock });
	const store = createStore();
	const accountStore = createAccountStore('owner', store, clock);
	const reads = vi.spyOn(pace, 'budgets');
	createCachedBudgets({ pace, clock, store, accountStore });
	const needed = createCachedBudgets({ pace, clock, store, accountStore });
	expect(reads).not.toHaveBeenCalled();
	needed.latest();
	expect(reads).toHaveBeenCalledTimes(1);
	clock.move(0);
	expect(reads).toHaveBeenCalledTimes(2);
	needed.latest();
	expect(reads).toHaveBeenCalledTimes(2);
});
