import { expect, test } from 'vitest';
import { ageOf } from '../../source/store/age.ts';

const now = Date.UTC(2026, 10, 21, 8);
const second = 1_000;
const minute = 60 * second;

const after = (time: number, every?: number) =>
	ageOf({ at: now - time, ...(every !== undefined && { every }) }, now);

test.each([
	['the interval of its reads', 10 * second, 10 * second],
	['five seconds where it is read more often', second, 5 * second],
	['a minute where it is read less often', 15 * minute, minute],
	['a minute where nothing says how often it is read', undefined, minute],
])('is late after two intervals, and old after four: %s', (_, every, interval) => {
	expect(after(2 * interval, every)).toBe('fresh');
	expect(after(2 * interval + 1, every)).toBe('late');
	expect(after(4 * interval, every)).toBe('late');
	expect(after(4 * interval + 1, every)).toBe('old');
});
