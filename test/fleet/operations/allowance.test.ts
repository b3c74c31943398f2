import { expect, test } from 'vitest';
import type { Phase } from '../../../source/fleet/computers/computer.ts';
import type { OperationId } from '../../../source/fleet/operations/operation.ts';
import { allowanceInPhase } from '../../../source/fleet/operations/operation-table.ts';

const documented: readonly [OperationId, Phase][] = [
	['create', 'unknown'],
	['start', 'stopped'],
	['stop', 'active'],
	['restart', 'active'],
	['update', 'active'],
	['publish', 'active'],
	['delete', 'creating'],
	['delete', 'active'],
	['delete', 'stopped'],
	['delete', 'error'],
];

const allowedPhases: Readonly<Record<string, readonly Phase[]>> = {
	start: ['stopped', 'error', 'unknown'],
	stop: ['active', 'unknown'],
	restart: ['active', 'error', 'unknown'],
	update: ['active', 'unknown'],
	publish: ['active', 'unknown'],
};

test.each(Object.entries(allowedPhases))(
	'the operation “%s” is allowed in the phases “%s”, and in no other',
	(operation, phases) => {
		const all: readonly Phase[] = [
			...(['creating', 'active', 'stopped', 'error', 'stopping', 'starting'] as const),
			...(['restarting', 'updating', 'archived', 'pooled', 'unknown'] as const),
		];
		const allowed = all.filter(phase => allowanceInPhase(operation, phase).isAllowed);
		expect([...allowed].sort()).toEqual([...phases].sort());
	},
);

test.each(documented)('the operation “%s” is allowed in the phase “%s”', (operation, phase) => {
	expect(allowanceInPhase(operation, phase)).toEqual({ isAllowed: true });
});

const refused: readonly [OperationId, Phase, string][] = [
	['start', 'active', 'already running'],
	['stop', 'stopped', 'already stopped'],
	['restart', 'stopped', 'stopped, must be started first'],
	['update', 'error', 'in error'],
	['stop', 'creating', 'still being created'],
	['start', 'stopping', 'stopping now'],
	['delete', 'archived', 'removed, only its record is kept'],
];

test.each(refused)(
	'the operation “%s” is refused in the phase “%s”, and the reason is reported',
	(operation, phase, reason) => {
		expect(allowanceInPhase(operation, phase)).toMatchObject({ isAllowed: false, reason });
	},
);

test('every operation is allowed while the status of the computer is unknown', () => {
	const all: readonly OperationId[] = ['start', 'stop', 'restart', 'update', 'publish', 'delete'];
	for (const operation of all) expect(allowanceInPhase(operation, 'unknown').isAllowed).toBe(true);
});
