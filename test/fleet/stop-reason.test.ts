import { expect, test } from 'vitest';
import { idleLimitOf, stopReasonOf } from '../../source/fleet/stop-reason.ts';

const stop = {
	from: 'active',
	status: 'stopped',
	ranFor: 24 * 3_600_000,
	isOperationUnderWay: false,
	plan: 'pro',
	canRun: true,
} as const;

test('a computer that stops by itself under a plan that sleeps is likely asleep', () => {
	for (const plan of ['free', 'pro', 'power']) {
		expect(stopReasonOf({ ...stop, plan })).toBe('asleep');
	}
	expect(stopReasonOf({ ...stop, from: 'stopping' })).toBe('asleep');
});

test('nothing falls asleep before its plan lets it', () => {
	const minute = 60_000;
	expect(stopReasonOf({ ...stop, ranFor: 29 * minute })).toBe('unknown');
	expect(stopReasonOf({ ...stop, ranFor: 30 * minute })).toBe('asleep');
	expect(stopReasonOf({ ...stop, ranFor: 30 * minute, plan: 'power' })).toBe('unknown');
});

test('nobody guesses at sleep where the plan does not sleep or is unknown', () => {
	for (const plan of ['ultra', 'galactic', undefined]) {
		expect(stopReasonOf({ ...stop, plan })).toBe('unknown');
	}
});

test('what we asked for is known, and so is what the platform calls sleeping', () => {
	expect(stopReasonOf({ ...stop, isOperationUnderWay: true })).toBe('asked');
	expect(stopReasonOf({ ...stop, status: 'Sleeping', plan: undefined })).toBe('asleep');
});

test('without credits that is the likelier reason', () => {
	expect(stopReasonOf({ ...stop, canRun: false })).toBe('credits');
});

test('what was not running did not fall asleep', () => {
	expect(stopReasonOf({ ...stop, from: 'error' })).toBe('unknown');
	expect(stopReasonOf({ ...stop, from: 'unknown' })).toBe('unknown');
});

test('the plans sleep as documented', () => {
	const minutes = ['free', 'pro', 'power', 'ultra'].map(plan => (idleLimitOf(plan) ?? 0) / 60_000);
	expect(minutes).toEqual([15, 30, 60, Number.POSITIVE_INFINITY]);
});
