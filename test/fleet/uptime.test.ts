import { expect, test } from 'vitest';
import { uptimeOf } from '../../source/fleet/uptime.ts';

const reading = { id: 'sb_1', status: 'active' };

test('the platform tells the uptime best', () => {
	const since = { at: 9_000, isLowerBound: true };
	const told = { ...reading, startedAt: 2_000 };
	expect(uptimeOf({ phase: 'active', reading: told, since }, 10_000)).toEqual({
		milliseconds: 8_000,
		isLowerBound: false,
	});
});

test('else it counts from when it was seen to become active', () => {
	for (const isLowerBound of [true, false]) {
		const since = { at: 9_000, isLowerBound };
		const told = { ...reading, startedAt: null };
		expect(uptimeOf({ phase: 'active', reading: told, since }, 10_000)).toEqual({
			milliseconds: 1_000,
			isLowerBound,
		});
	}
});

test('what does not run has none, and no clock makes it negative', () => {
	const since = { at: 9_000, isLowerBound: false };
	expect(uptimeOf({ phase: 'stopped', reading, since }, 10_000)).toBeUndefined();
	expect(uptimeOf({ phase: 'active', reading, since }, 1_000)?.milliseconds).toBe(0);
});
