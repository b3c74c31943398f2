import { expect, test } from 'vitest';
import { uptimeOf } from '../../../source/fleet/computers/uptime.ts';

const reading = { id: 'sb_1', status: 'active' };

test('the uptime counts from the start time that the platform reports', () => {
	const since = { at: 9_000, isLowerBound: true };
	const started = { ...reading, startedAt: 2_000 };
	expect(uptimeOf({ phase: 'active', reading: started, since }, 10_000)).toEqual({
		milliseconds: 8_000,
		isLowerBound: false,
	});
});

test('without a start time, the uptime counts from when the computer was first seen active', () => {
	for (const isLowerBound of [true, false]) {
		const since = { at: 9_000, isLowerBound };
		const withoutStart = { ...reading, startedAt: null };
		expect(uptimeOf({ phase: 'active', reading: withoutStart, since }, 10_000)).toEqual({
			milliseconds: 1_000,
			isLowerBound,
		});
	}
});

test('a stopped computer has no uptime, and an uptime is never negative', () => {
	const since = { at: 9_000, isLowerBound: false };
	expect(uptimeOf({ phase: 'stopped', reading, since }, 10_000)).toBeUndefined();
	expect(uptimeOf({ phase: 'active', reading, since }, 1_000)?.milliseconds).toBe(0);
});
