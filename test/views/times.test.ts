import { expect, test } from 'vitest';
import { createTimes } from '../../source/views/time-text.ts';

test('it is told whether the next second changes anything', () => {
	const times = createTimes(false);
	expect(times.takeSeconds()).toBe(false);
	expect([times.age(61_000), times.span(3 * 3_600_000)]).toEqual(['1m', '3h 0m']);
	expect(times.takeSeconds()).toBe(false);
	expect([times.age(59_000), times.age(-4000)]).toEqual(['59s', '0s']);
	expect(times.takeSeconds()).toBe(true);
	expect(times.takeSeconds()).toBe(false);
	times.exact('still stopping after 61 s');
	expect(times.takeSeconds()).toBe(true);
});

test('where little may change only a countdown is told to the second', () => {
	const times = createTimes(true);
	expect([times.age(4000), times.span(59_999), times.span(60_000)]).toEqual(['<1m', '<1m', '1m']);
	times.exact('still stopping after 61 s');
	expect(times.takeSeconds()).toBe(false);
	expect(times.countdown(4001)).toBe(5);
	expect(times.takeSeconds()).toBe(true);
});
