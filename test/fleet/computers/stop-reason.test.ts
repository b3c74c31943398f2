import { expect, test } from 'vitest';
import { stopReasonOf } from '../../../source/fleet/computers/stop-reason.ts';

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
