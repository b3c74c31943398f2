import { expect, test, vi } from 'vitest';
import { openOperations, order } from './open-operations.ts';

test('asking what waits, and for how long, reads no ledger', async () => {
	const rig = await openOperations();
	const ids = Array.from({ length: 40 }, () => rig.world.add({ state: 'active' }).id);
	await rig.watched();
	const wishes = order(rig, 'restart', ids);
	const { batch = '' } = wishes[0] ?? {};
	await rig.until(() => rig.operations.picture().batches[0]?.counts.waiting !== 40);
	const reads = vi.spyOn(rig.pace, 'budgets');
	for (let picture = 0; picture < 10; picture++) {
		const waitingFor = rig.operations.waiting();
		expect(wishes.some(({ key }) => waitingFor(key)?.for === 'turn')).toBe(true);
		expect(rig.operations.timeLeft(batch)).toBeGreaterThan(0);
	}
	expect(reads).not.toHaveBeenCalled();
});
