import { expect, test } from 'vitest';
import { stopReasonOf } from '../../source/fleet/computers/stop-reason.ts';
import { uptimeOf } from '../../source/fleet/computers/uptime.ts';
import { compareVersions, isOutdated } from '../../source/fleet/computers/version.ts';

const minute = 60_000;
const hour = 60 * minute;

const stop = {
	phaseBefore: 'active',
	status: 'stopped',
	isOperationUnderWay: false,
	idleForMs: 30 * minute,
	plan: 'pro',
	canRun: true,
} as const;

type Stop = Parameters<typeof stopReasonOf>[0];

test.each<[string, Partial<Stop>, ReturnType<typeof stopReasonOf>]>([
	['idle for as long as the plan pro allows', {}, 'asleep'],
	['idle for as long as the plan free allows', { plan: 'free', idleForMs: 15 * minute }, 'asleep'],
	['idle for as long as the plan power allows', { plan: 'power', idleForMs: hour }, 'asleep'],
	['stopping before', { phaseBefore: 'stopping' }, 'asleep'],
	['idle for a little longer', { idleForMs: 34 * minute }, 'asleep'],
	['idle for less', { idleForMs: 28 * minute }, 'unknown'],
	['idle for longer', { idleForMs: 36 * minute }, 'unknown'],
	['idle for hours', { idleForMs: 8 * hour }, 'unknown'],
	['idle for as long as another plan allows', { plan: 'power' }, 'unknown'],
	['idle for an unknown time', { idleForMs: undefined }, 'unknown'],
	[
		'sleeping, in the words of the platform',
		{ status: 'Sleeping', idleForMs: undefined },
		'asleep',
	],
	['of a plan without sleep', { plan: 'ultra', idleForMs: 9 * hour }, 'unknown'],
	['of an unknown plan', { plan: 'galactic' }, 'unknown'],
	['of no plan', { plan: undefined }, 'unknown'],
	['stopped by an operation', { isOperationUnderWay: true }, 'asked'],
	['without credits', { canRun: false }, 'credits'],
	['in error before', { phaseBefore: 'error' }, 'unknown'],
	['in an unknown status before', { phaseBefore: 'unknown' }, 'unknown'],
])('the reason for the stop of a computer: %s', (_, how, reason) => {
	expect(stopReasonOf({ ...stop, ...how })).toBe(reason);
});

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

test('versions are ordered by the numbers in them', () => {
	const ordered = [
		'0.9',
		'1.0.0-beta',
		'1.0.0-rc.1',
		'1.0.0-rc.2',
		'1.0.0',
		'1.2',
		'1.2.1',
		'1.10.0',
	];
	const shuffled = [...ordered].reverse();
	expect(shuffled.sort(compareVersions)).toEqual(ordered);
});

test('the comparison of versions ignores a leading v and the build number', () => {
	expect(compareVersions('v1.4.2', '1.4.2')).toBe(0);
	expect(compareVersions('1.4.2+build7', '1.4.2')).toBe(0);
});

test('versions without numbers are ordered alphabetically', () => {
	expect(compareVersions('edge', 'stable')).toBeLessThan(0);
	expect(compareVersions('stable', 'edge')).toBeGreaterThan(0);
	expect(compareVersions('', '')).toBe(0);
});

test('only a version that is known to be older is outdated', () => {
	expect(isOutdated('1.3.9', '1.4.2')).toBe(true);
	expect(isOutdated('1.4.2', '1.4.2')).toBe(false);
	expect(isOutdated('1.5.0', '1.4.2')).toBe(false);
	expect(isOutdated(null, '1.4.2')).toBe(false);
	expect(isOutdated('1.3.9', undefined)).toBe(false);
});
