import { expect, test } from 'vitest';
import { idleLimitMsOf, stopReasonOf } from '../../../source/fleet/computers/stop-reason.ts';

const minute = 60_000;

const stop = {
	phaseBefore: 'active',
	status: 'stopped',
	isOperationUnderWay: false,
	idleForMs: 30 * minute,
	plan: 'pro',
	canRun: true,
} as const;

test('a stop without an operation is reported as sleep if the computer was idle for as long as its plan allows', () => {
	for (const [plan, minutes] of [
		['free', 15],
		['pro', 30],
		['power', 60],
	] as const)
		expect(stopReasonOf({ ...stop, plan, idleForMs: minutes * minute })).toBe('asleep');
	expect(stopReasonOf({ ...stop, phaseBefore: 'stopping' })).toBe('asleep');
	expect(stopReasonOf({ ...stop, idleForMs: 34 * minute })).toBe('asleep');
});

test('a stop before the idle limit of the plan, or long after it, is not reported as sleep, because a person may have stopped the computer', () => {
	expect(stopReasonOf({ ...stop, idleForMs: 28 * minute })).toBe('unknown');
	expect(stopReasonOf({ ...stop, idleForMs: 36 * minute })).toBe('unknown');
	expect(stopReasonOf({ ...stop, idleForMs: 8 * 60 * minute })).toBe('unknown');
	expect(stopReasonOf({ ...stop, plan: 'power' })).toBe('unknown');
});

test('a stop is not reported as sleep if it is not known for how long the computer was idle, unless the platform says so', () => {
	const { idleForMs: _, ...unseen } = stop;
	expect(stopReasonOf(unseen)).toBe('unknown');
	expect(stopReasonOf({ ...unseen, status: 'sleeping' })).toBe('asleep');
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
