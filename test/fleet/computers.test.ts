import { expect, test } from 'vitest';
import type { Phase } from '../../source/fleet/computers/computer.ts';
import { stopReasonOf } from '../../source/fleet/computers/stop-reason.ts';
import { uptimeOf } from '../../source/fleet/computers/uptime.ts';
import { compareVersions, isBehind } from '../../source/fleet/filters/order.ts';
import { hour, minute } from '../durations.ts';

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
	['stopping before', { phaseBefore: 'stopping' }, 'asleep'],
	['idle for a little longer', { idleForMs: 34 * minute }, 'asleep'],
	['idle for less', { idleForMs: 28 * minute }, 'unknown'],
	['idle for longer', { idleForMs: 36 * minute }, 'unknown'],
	['idle for an unknown time', { idleForMs: undefined }, 'unknown'],
	['sleeping, as the platform says', { status: 'Sleeping', idleForMs: undefined }, 'asleep'],
	['of a plan without sleep', { plan: 'ultra', idleForMs: 9 * hour }, 'unknown'],
	['of an unknown plan', { plan: 'galactic' }, 'unknown'],
	['stopped by an operation', { isOperationUnderWay: true }, 'asked'],
	['without credits', { canRun: false }, 'credits'],
	['in error before', { phaseBefore: 'error' }, 'unknown'],
])('the reason for the stop of a computer: %s', (_, how, reason) => {
	expect(stopReasonOf({ ...stop, ...how })).toBe(reason);
});

test('the uptime counts from the start that the platform tells, else from when it was first seen active', () => {
	const uptime = (
		startedAt: number | null,
		isLowerBound: boolean,
		now = 10_000,
		phase: Phase = 'active',
	) =>
		uptimeOf(
			{ phase, reading: { id: 'sb_1', startedAt }, since: { at: 9_000, isLowerBound } },
			now,
		);
	expect(uptime(2_000, true)).toEqual({ milliseconds: 8_000, isLowerBound: false });
	expect(uptime(null, true)).toEqual({ milliseconds: 1_000, isLowerBound: true });
	expect(uptime(null, false)).toEqual({ milliseconds: 1_000, isLowerBound: false });
	expect(uptime(null, false, 1_000)?.milliseconds, 'never negative').toBe(0);
	expect(uptime(2_000, false, 10_000, 'stopped')).toBeUndefined();
});

test('versions are ordered by the numbers in them, without a leading v and the build number', () => {
	const ordered = [
		'0.9',
		'1.0.0-beta',
		'1.0.0-rc.1',
		'1.0.0-rc.2',
		'1.0.0',
		'1.2',
		'1.2.1',
		'1.10.0',
		'edge',
		'stable',
	];
	expect(ordered.toReversed().sort(compareVersions)).toEqual(ordered);
	for (const same of ['v1.4.2', '1.4.2+build7']) expect(compareVersions(same, '1.4.2')).toBe(0);
	const older = ['1.3.9', '1.4.2', '1.5.0', null].map(version => isBehind(version, '1.4.2'));
	expect(older, 'only what is known to be older is behind').toEqual([true, false, false, false]);
	expect(isBehind('1.3.9', undefined)).toBe(false);
});
