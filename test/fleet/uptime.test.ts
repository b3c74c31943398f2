import { expect, test } from 'vitest';
import { uptimeOf } from '../../source/fleet/uptime.ts';

const reading = { id: 'sb_1', status: 'active' };

test('uses the start time from the platform if there is one', () => {
	const since = { at: 9_000, isLowerBound: true };
	const started = { ...reading, startedAt: 2_000 };
	expect(uptimeOf({ phase: 'active', reading: started, since }, 10_000)).toEqual({
		milliseconds: 8_000,
		isLowerBound: false,
	});
});

test('otherwise counts from when the computer was first seen active', () => {
	for (const isLowerBound of [true, false]) {
		const since = { at: 9_000, isLowerBound };
		const withoutStart = { ...reading, startedAt: null };
		expect(uptimeOf({ phase: 'active', reading: withoutStart, since }, 10_000)).toEqual({
			milliseconds: 1_000,
			isLowerBound,
		});
	}
});

test('returns no uptime for a stopped computer, and never a negative one', () => {
	const since = { at: 9_000, isLowerBound: false };
	expect(uptimeOf({ phase: 'stopped', reading, since }, 10_000)).toBeUndefined();
	expect(uptimeOf({ phase: 'active', reading, since }, 1_000)?.milliseconds).toBe(0);
});
