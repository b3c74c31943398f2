import { expect, test } from 'vitest';
import { createTimeFormatter } from '../../source/drawing/time-text.ts';

const hour = 3_600_000;

test('on a fast line all times are shown to the second', () => {
	const times = createTimeFormatter(false);
	expect([times.age(61_000), times.duration(3 * hour)]).toEqual(['1m', '3h 0m']);
	expect([times.age(59_000), times.age(-4000), times.wait(184_000)]).toEqual([
		'59s',
		'0s',
		'3 m 04 s',
	]);
	expect(times.remainingSeconds(4001)).toBe(5);
});

test('on a slow line countdowns are shown to the second and all other times to the minute', () => {
	const times = createTimeFormatter(true);
	expect([times.age(4000), times.duration(59_999), times.duration(60_000)]).toEqual([
		'<1m',
		'<1m',
		'1m',
	]);
	expect([times.wait(4000), times.wait(184_000), times.wait(3 * hour)]).toEqual([
		'<1 m',
		'3 m',
		'3h 0m',
	]);
	expect(times.remainingSeconds(4001)).toBe(5);
});
