import { expect, test } from 'vitest';
import { createAccountStore } from '../../source/operations/account-store.ts';
import { createCountdowns } from '../../source/operations/countdowns.ts';
import type { OperationMaker } from '../../source/operations/operation-maker.ts';
import { createOperationsState } from '../../source/operations/operations-state.ts';
import { createPendingOperations } from '../../source/operations/pending-operations.ts';
import { createStore } from '../../source/store/store.ts';
import { createHeldClock } from '../held-clock.ts';

const spec = { key: 'k', operation: 'stop', computer: 'sb_1' };
const maker: OperationMaker = {
	account: 'owner',
	operation: 'stop',
	batch: undefined,
	count: 1,
	computerAt: () => 'sb_1',
	make: () => ({ spec, details: {} }),
};

/** Opens countdowns, and describes each fact about them that the store receives. */
function openCountdowns() {
	const clock = createHeldClock();
	const store = createStore();
	const accountStore = createAccountStore('owner', store, clock);
	const pending = createPendingOperations(accountStore);
	const countdowns = createCountdowns({
		clock,
		accountStore,
		state: createOperationsState(),
		pending,
		cancelForgotten() {},
	});
	const events: string[] = [];
	store.onFact(fact => {
		if (fact.type === 'countdownHeld') events.push(`held at ${fact.leftMs}`);
		if (fact.type === 'countdownRestarted') events.push(`until ${fact.endsAt - clock.now()}`);
		if (fact.type === 'countdownEnded') events.push('over');
		if (fact.type === 'operationCancelled') events.push('cancelled');
	});
	const begin = () => {
		const part = pending.add(maker, clock.now() + 4_000);
		countdowns.begin(part, 4_000);
		return part.first();
	};
	return { clock, events, countdowns, pending, begin };
}

test('a visible countdown ends once, when its time is over, and queues its operations', () => {
	const { clock, events, countdowns, pending, begin } = openCountdowns();
	const item = begin();
	countdowns.release();
	clock.move(3_999);
	expect(events).toEqual([]);
	expect(pending.positionOf(item)).toBe(-1);
	clock.move(60_000);
	expect(events).toEqual(['over']);
	expect(pending.positionOf(item)).toBe(0);
});

test('a countdown starts again with its full time after every hold', () => {
	const { clock, events, countdowns, begin } = openCountdowns();
	begin();
	for (const seen of [3_000, 0, 3_999]) {
		clock.move(seen);
		countdowns.hold();
		clock.move(100_000);
		countdowns.release();
	}
	expect(events).toEqual([
		...['held at 1000', 'until 4000'],
		...['held at 4000', 'until 4000'],
		...['held at 1', 'until 4000'],
	]);
	clock.move(4_000);
	expect(events.at(-1)).toBe('over');
	expect(clock.waiting).toBe(0);
});

test('no countdown ends after the countdowns are closed', () => {
	const { clock, events, countdowns, begin } = openCountdowns();
	begin();
	countdowns.hold();
	countdowns.close();
	countdowns.release();
	clock.move(60_000);
	expect(events).toEqual(['held at 4000']);
	expect(clock.waiting).toBe(0);
});

test('a countdown that begins while countdowns are held keeps its full time', () => {
	const { clock, events, countdowns, begin } = openCountdowns();
	countdowns.hold();
	begin();
	clock.move(3_600_000);
	expect(events).toEqual(['held at 4000']);
	countdowns.release();
	clock.move(4_000);
	expect(events).toEqual(['held at 4000', 'until 4000', 'over']);
});

test('a countdown queues nothing after its operations were cancelled', () => {
	const { clock, events, countdowns, pending, begin } = openCountdowns();
	const item = begin();
	pending.cancel([item]);
	countdowns.hold();
	countdowns.release();
	clock.move(60_000);
	expect(events).toEqual(['cancelled', 'over']);
	expect(pending.positionOf(item)).toBe(-1);
});
