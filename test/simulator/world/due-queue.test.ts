import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createDueQueue } from '../../../source/simulator/world/world-state.ts';
import { createReadCounter } from '../../read-counter.ts';

const anyDue = fc.record({ dueAt: fc.nat(50), number: fc.nat(50) });

test('the queue returns the earliest item first, and of two items at the same time the one with the smaller number', () => {
	fc.assert(
		fc.property(fc.array(anyDue), fc.array(anyDue), (early, late) => {
			const queue = createDueQueue<null>();
			for (const due of early) queue.add({ ...due, item: null });
			const half = Math.floor(early.length / 2);
			const taken = Array.from({ length: half }, () => queue.takeEarliest());
			for (const due of late) queue.add({ ...due, item: null });
			const rest = Array.from({ length: early.length - half + late.length }, () =>
				queue.takeEarliest(),
			);

			expect(keys(taken)).toEqual(sorted(early).slice(0, half));
			expect(keys(rest)).toEqual(sorted([...sorted(early).slice(half), ...late]));
			expect([queue.takeEarliest(), queue.nextDueTime()]).toEqual([
				undefined,
				Number.POSITIVE_INFINITY,
			]);
		}),
	);
});

test('the queue returns ten thousand items in order with a logarithmic number of comparisons for each', () => {
	const counter = createReadCounter();
	const queue = createDueQueue<null>();
	const count = 10_000;
	for (let number = 0; number < count; number++) {
		queue.add(counter.counted({ dueAt: (number * 7919) % count, number, item: null }));
	}
	while (queue.takeEarliest());
	expect(counter.takeCount()).toBeLessThanOrEqual(5 * count * Math.log2(count));
});

type Key = { dueAt: number; number: number };

const keys = (taken: readonly (Key | undefined)[]) =>
	taken.map(due => ({ dueAt: due?.dueAt, number: due?.number }));

const sorted = (dues: readonly Key[]) =>
	dues.toSorted((one, other) => one.dueAt - other.dueAt || one.number - other.number);
