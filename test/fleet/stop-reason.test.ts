import { expect, test } from 'vitest';
import { idleLimitMsOf, stopReasonOf } from '../../source/fleet/stop-reason.ts';

const stop = {
	phaseBefore: 'active',
	status: 'stopped',
	ranForMs: 24 * 3_600_000,
	isOperationUnderWay: false,
	plan: 'pro',
	canRun: true,
} as const;

test('reports a stop without an operation as sleep when the plan lets computers sleep', () => {
	for (const plan of ['free', 'pro', 'power']) {
		expect(stopReasonOf({ ...stop, plan })).toBe('asleep');
	}
	expect(stopReasonOf({ ...stop, phaseBefore: 'stopping' })).toBe('asleep');
});

test('does not report a stop as sleep before the idle limit of the plan is over', () => {
	const minute = 60_000;
	expect(stopReasonOf({ ...stop, ranForMs: 29 * minute })).toBe('unknown');
	expect(stopReasonOf({ ...stop, ranForMs: 30 * minute })).toBe('asleep');
	expect(stopReasonOf({ ...stop, ranForMs: 30 * minute, plan: 'power' })).toBe('unknown');
});

test('does not report a stop as sleep when the plan never sleeps or is unknown', () => {
	for (const plan of ['ultra', 'galactic', undefined]) {
		expect(stopReasonOf({ ...stop, plan })).toBe('unknown');
	}
});

test('recognises a stop by an operation, and a status that the platform calls sleeping', () => {
	expect(stopReasonOf({ ...stop, isOperationUnderWay: true })).toBe('asked');
	expect(stopReasonOf({ ...stop, status: 'Sleeping', plan: undefined })).toBe('asleep');
});

test('gives missing credits as the reason rather than sleep if both are possible', () => {
	expect(stopReasonOf({ ...stop, canRun: false })).toBe('credits');
});

test('does not report a stop as sleep when the computer was not running before', () => {
	expect(stopReasonOf({ ...stop, phaseBefore: 'error' })).toBe('unknown');
	expect(stopReasonOf({ ...stop, phaseBefore: 'unknown' })).toBe('unknown');
});

test('uses the documented idle time after which each plan puts a computer to sleep', () => {
	const minutes = ['free', 'pro', 'power', 'ultra'].map(
		plan => (idleLimitMsOf(plan) ?? 0) / 60_000,
	);
	expect(minutes).toEqual([15, 30, 60, Number.POSITIVE_INFINITY]);
});
