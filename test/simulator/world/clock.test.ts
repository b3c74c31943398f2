import { expect, test } from 'vitest';
import { acceleratedClock, forwardOnlyClock } from '../../../source/simulator/world/clock.ts';
import { createHeldClock } from '../../held-clock.ts';

test('a sped-up clock starts at the time of the other clock and runs faster', () => {
	const held = createHeldClock(1_000);
	const fast = acceleratedClock(held, 60);
	expect(fast.now()).toBe(1_000);

	let called = 0;
	fast.after(60_000, () => called++);
	held.move(999);
	expect([fast.now(), called]).toEqual([1_000 + 59_940, 0]);
	held.move(1);
	expect([fast.now(), called]).toEqual([61_000, 1]);
});

test('a timer of a sped-up clock can be cancelled', () => {
	const held = createHeldClock();
	acceleratedClock(held, 2).after(10, () => expect.unreachable())();
	held.move(10);
	expect(held.waiting).toBe(0);
});

test.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY])(
	'a clock cannot be sped up by the factor %d',
	factor => {
		expect(() => acceleratedClock(createHeldClock(), factor)).toThrow('number above 0');
	},
);

test('the time in the simulated world never goes back', () => {
	let now = 5_000.7;
	const clock = forwardOnlyClock({ now: () => now, after: () => () => {} });
	expect(clock.now()).toBe(5_000);
	now = 4_000;
	expect(clock.now()).toBe(5_000);
	now = 6_000;
	expect(clock.now()).toBe(6_000);
});
