import { expect, test } from 'vitest';
import { idleLimitMsOf, stopReasonOf } from '../../../source/fleet/computers/stop-reason.ts';

const stop = {
	phaseBefore: 'active',
	status: 'stopped',
	ranForMs: 24 * 3_600_000,
	isOperationUnderWay: false,
	plan: 'pro',
	canRun: true,
} as const;

test('a stop without an operation is reported as sleep when the plan lets computers sleep', () => {
	for (const plan of ['free', 'pro', 'power']) {
		expect(stopReasonOf({ ...stop, plan })).toBe('asleep');
	}
	expect(stopReasonOf({ ...stop, phaseBefore: 'stopping' })).toBe('asleep');
});

test('a stop is not reported as sleep before the idle limit of the plan is over', () => {
	const minute = 60_000;
	expect(stopReasonOf({ ...stop, ranForMs: 29 * minute })).toBe('unknown');
	expect(stopReasonOf({ ...stop, ranForMs: 30 * minute })).toBe('asleep');
	expect(stopReasonOf({ ...stop, ranForMs: 30 * minute, plan: 'power' })).toBe('unknown');
});

test('a stop of a computer that was busy is not reported as sleep', () => {
	expect(stopReasonOf({ ...stop, busiestCpu: 30 })).toBe('unknown');
	expect(stopReasonOf({ ...stop, busiestCpu: 1 })).toBe('asleep');
	expect(stopReasonOf({ ...stop, busiestCpu: 30, status: 'sleeping' })).toBe('asleep');
});

test('a stop is not reported as sleep when the plan never lets computers sleep or is unknown', () => {
	for (const plan of ['ultra', 'galactic', undefined]) {
		expect(stopReasonOf({ ...stop, plan })).toBe('unknown');
	}
});

test('a stop by an operation is reported with that operation, and a status that the platform calls sleeping as sleep', () => {
	expect(stopReasonOf({ ...stop, isOperationUnderWay: true })).toBe('asked');
	expect(stopReasonOf({ ...stop, status: 'Sleeping', plan: undefined })).toBe('asleep');
});

test('the reason for a stop is missing credits rather than sleep if both are possible', () => {
	expect(stopReasonOf({ ...stop, canRun: false })).toBe('credits');
});

test('a stop is not reported as sleep when the computer was not running before', () => {
	expect(stopReasonOf({ ...stop, phaseBefore: 'error' })).toBe('unknown');
	expect(stopReasonOf({ ...stop, phaseBefore: 'unknown' })).toBe('unknown');
});

test('the idle limit of each plan is the documented time after which the plan puts a computer to sleep', () => {
	const minutes = ['free', 'pro', 'power', 'ultra'].map(
		plan => (idleLimitMsOf(plan) ?? 0) / 60_000,
	);
	expect(minutes).toEqual([15, 30, 60, Number.POSITIVE_INFINITY]);
});
