import { expect, test } from 'vitest';
import type { Phase } from '../../../source/fleet/computers/computer.ts';
import type { OperationId } from '../../../source/fleet/operations/operation.ts';
import {
	allowanceInPhase,
	allPhases,
	existingPhases,
} from '../../../source/fleet/operations/operation-table.ts';

const allowedPhases: Readonly<Record<string, readonly Phase[]>> = {
	start: ['stopped', 'error', 'unknown'],
	stop: ['active', 'unknown'],
	restart: ['active', 'error', 'unknown'],
	update: ['active', 'unknown'],
	publish: ['active', 'unknown'],
	delete: existingPhases,
	create: allPhases,
};

test.each(Object.entries(allowedPhases))(
	'the operation “%s” is allowed in the phases “%s”, and in no other',
	(operation, phases) => {
		const allowed = allPhases.filter(phase => allowanceInPhase(operation, phase).isAllowed);
		expect([...allowed].sort()).toEqual([...phases].sort());
	},
);

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
