import { expect, test } from 'vitest';
import type { OperationSpec } from '../../source/fleet/operations/operation.ts';
import { createLookUpTimes } from '../../source/operations/look-up-times.ts';
import { createHeldClock } from '../held-clock.ts';

function open() {
	const clock = createHeldClock();
	const start = clock.now();
	const closing = new AbortController();
	const seen: string[] = [];
	const times = createLookUpTimes({
		clock,
		signal: closing.signal,
		lookUp: ({ key }) => seen.push(`${key} ${Math.round((clock.now() - start) / 1000)}`),
	});
	const begin = (key: string) => times.begin({ key, operation: 'stop' } as OperationSpec);
	return { clock, closing, begin, seen };
}

test('the outcome of each operation is looked up at once, after 20 and after 30 seconds', () => {
	const { clock, begin, seen } = open();
	begin('first');
	clock.move(5_000);
	begin('second');
	clock.move(60_000);
	expect(seen).toEqual(['first 0', 'second 5', 'first 20', 'second 25', 'first 30', 'second 35']);
	expect(clock.waiting).toBe(0);
});

test('one timer waits for all operations', () => {
	const { clock, begin } = open();
	for (let count = 0; count < 100; count++) {
		begin(`${count}`);
		clock.move(100);
		expect(clock.waiting).toBe(1);
	}
});

test('an outcome is looked up within 30 seconds after the clock is set back by an hour', () => {
	const { clock, begin, seen } = open();
	begin('first');
	clock.jump(-3_600_000);
	begin('second');
	clock.move(30_000);
	expect(seen.map(each => each.split(' ')[0]).sort()).toEqual([
		...['first', 'first', 'first'],
		...['second', 'second', 'second'],
	]);
});

test('nothing is looked up after the account is closed', () => {
	const { clock, closing, begin, seen } = open();
	begin('first');
	closing.abort();
	begin('second');
	expect(clock.waiting).toBe(0);
	clock.move(60_000);
	expect(seen).toEqual(['first 0']);
});
