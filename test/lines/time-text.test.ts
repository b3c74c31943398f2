import { expect, test } from 'vitest';
import { createTimeFormatter } from '../../source/lines/time-text.ts';

const hour = 3_600_000;

test('on a fast line all times are shown to the second', () => {
	const times = createTimeFormatter(false);
	expect([times.age(61_000), times.compactDuration(3 * hour)]).toEqual(['1m', '3h 0m']);
	expect([times.age(59_000), times.age(-4000), times.duration(184_000)]).toEqual([
		'59s',
		'0s',
		'3 min 4 s',
	]);
});

test('on a slow line all times are shown to the minute', () => {
	const times = createTimeFormatter(true);
	expect([times.age(4000), times.compactDuration(59_999), times.compactDuration(60_000)]).toEqual([
		'<1m',
		'<1m',
		'1m',
	]);
	expect([times.duration(4000), times.duration(184_000), times.duration(3 * hour)]).toEqual([
		'<1 min',
		'3 min',
		'3 h',
	]);
});
