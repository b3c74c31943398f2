import { expect, test } from 'vitest';
import { createAccountStore } from '../../source/operations/account-store.ts';
import type { OperationMaker } from '../../source/operations/operation-maker.ts';
import { createPendingOperations } from '../../source/operations/pending-operations.ts';
import { createStore } from '../../source/store/store.ts';
import { createHeldClock } from '../held-clock.ts';

/** Opens the pending operations of an account, and counts the operations that are made. */
function openPending() {
	const clock = createHeldClock();
	const accountStore = createAccountStore('owner', createStore(), clock);
	const pending = createPendingOperations(accountStore);
	let madeCount = 0;
	const makerOf = (name: string, count: number) => {
		const batch = count > 1 ? name : undefined;
		const maker: OperationMaker = {
			account: 'owner',
			operation: 'restart',
			batch,
			count,
			computerAt: index => `sb_${name}_${index}`,
			make(index) {
				madeCount += 1;
				const spec = { key: `${name} ${index}`, operation: 'restart' };
				const computer = `sb_${name}_${index}`;
				return { spec: { ...spec, computer, ...(batch !== undefined && { batch }) }, details: {} };
			},
		};
		return maker;
	};
	/** Sends the next operation, so that it no longer waits in the store. */
	const sendNext = () => {
		const item = pending.takeNext('other');
		if (item) {
			pending.addToStore([item]);
			accountStore.fold({ type: 'operationSent', key: item.spec.key });
			pending.fillStore();
		}
		return item?.spec.key;
	};
	return { clock, accountStore, pending, makerOf, sendNext, madeCount: () => madeCount };
}

test('beginning a batch of 10,000 makes only the operations that the store shows', () => {
	const { clock, accountStore, pending, makerOf, madeCount } = openPending();
	const part = pending.add(makerOf('large', 10_000), clock.now() + 4_000);
	expect(madeCount()).toBe(500);
	expect(accountStore.state().operations.size).toBe(500);
	expect(pending.operationsOutsideStore().size).toBe(9_500);
	pending.enqueue(part);
	expect(madeCount()).toBe(500);
});

test('each operation that is sent makes one further operation of its batch', () => {
	const { pending, makerOf, sendNext, madeCount } = openPending();
	pending.add(makerOf('large', 1_000), undefined);
	for (let sent = 1; sent <= 20; sent += 1) {
		sendNext();
		expect(madeCount()).toBe(500 + sent);
	}
});

test('the operations of two batches are sent in the order of their questions, and a single operation before them', () => {
	const { pending, makerOf, sendNext } = openPending();
	pending.add(makerOf('first', 700), undefined);
	const second = pending.add(makerOf('second', 600), undefined);
	pending.add(makerOf('single', 1), undefined);
	const inOrder = [
		'single 0',
		...Array.from({ length: 700 }, (_, index) => `first ${index}`),
		...Array.from({ length: 600 }, (_, index) => `second ${index}`),
	];
	const [last] = second.all().slice(-1);
	if (!last) throw new Error('the second batch has no operation');
	expect(pending.positionOf(last)).toBe(inOrder.length - 1);
	expect(Array.from(inOrder, sendNext)).toEqual(inOrder);
	expect(sendNext()).toBeUndefined();
});

test('an operation that is cancelled before it is made is never sent', () => {
	const { pending, makerOf, sendNext } = openPending();
	const part = pending.add(makerOf('large', 600), undefined);
	const cancelled = part.all().filter(({ spec }) => spec.key === 'large 550');
	pending.cancel(cancelled);
	expect(pending.unsent()).toHaveLength(599);
	const sent = Array.from({ length: 599 }, sendNext);
	expect(sent).not.toContain('large 550');
	expect(sent.at(-1)).toBe('large 599');
	expect(sendNext()).toBeUndefined();
});

test('cancelling all operations of a batch cancels those that were not made yet as well', () => {
	const { pending, makerOf, sendNext } = openPending();
	pending.add(makerOf('large', 600), undefined);
	const unsent = pending.unsent();
	expect(unsent).toHaveLength(600);
	pending.cancel(unsent);
	expect(pending.unsent()).toEqual([]);
	expect(pending.operationsOutsideStore().size).toBe(0);
	expect(sendNext()).toBeUndefined();
});

test('the countdown of a batch can be seen and cancelled while the store is full of another batch', () => {
	const { clock, accountStore, pending, makerOf } = openPending();
	pending.add(makerOf('first', 600), undefined);
	pending.add(makerOf('second', 80), clock.now() + 4_000);
	expect([...pending.countingDown()]).toEqual(['second']);
	expect(accountStore.state().operations.size).toBe(550);
});
