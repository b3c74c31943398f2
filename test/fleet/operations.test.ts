import { expect, test } from 'vitest';
import { allPhases, existingPhases, type Phase } from '../../source/fleet/computers/computer.ts';
import type { OperationId } from '../../source/fleet/operations/operation.ts';
import { type Strictness, strictnessOf } from '../../source/fleet/operations/operation-row.ts';
import {
	type BuiltInOperationId,
	obstacleInPhase,
	operationIds,
	operationRowOf,
} from '../../source/fleet/operations/operation-table.ts';

type Case = {
	setting?: Strictness;
	count?: number;
	isProduction?: boolean;
};

const asks = (operation: string, { setting, count = 1, isProduction = false }: Case = {}) =>
	strictnessOf(operationRowOf(operation), count, [{ setting, isProduction }]);

const table: Readonly<Record<string, Strictness>> = {
	create: 'ask',
	start: 'ask',
	stop: 'ask',
	publish: 'ask',
	restart: 'wait',
	update: 'wait',
	unpublish: 'wait',
	delete: 'type',
};

test('how grave an operation is decides what its question asks for, up to five computers', () => {
	expect(Object.fromEntries(operationIds().map(id => [id, asks(id)]))).toEqual(table);
	expect(Object.fromEntries(operationIds().map(id => [id, asks(id, { count: 5 })]))).toEqual(table);
});

test('anything on more than five computers is typed, whatever the settings say', () => {
	for (const id of operationIds()) expect(asks(id, { count: 6 })).toBe('type');
	expect(asks('start', { count: 6, setting: 'off' })).toBe('type');
});

test.each<[operation: string, setting: Strictness, is: Strictness]>([
	['stop', 'wait', 'wait'],
	['stop', 'type', 'type'],
	['restart', 'ask', 'wait'],
	['restart', 'type', 'type'],
	['delete', 'ask', 'type'],
	['start', 'off', 'off'],
	['start', 'wait', 'wait'],
	['stop', 'off', 'ask'],
	['restart', 'off', 'wait'],
])('of the table and the setting, the stricter holds: %s with %s is %s', (id, setting, is) => {
	expect(asks(id, { setting })).toBe(is);
});

test('in production, what ends processes is typed', () => {
	const typed = operationIds().filter(id => asks(id, { isProduction: true }) === 'type');
	expect(typed).toEqual(['stop', 'restart', 'update', 'delete']);
});

test('a question about several accounts is as strict as the strictest of them', () => {
	const row = operationRowOf('start');
	const off = { setting: 'off', isProduction: false } as const;
	expect(strictnessOf(row, 2, [off, off])).toBe('off');
	expect(strictnessOf(row, 2, [off, { setting: undefined, isProduction: false }])).toBe('ask');
	expect(strictnessOf(row, 2, [off, { setting: 'wait', isProduction: false }])).toBe('wait');
});

const allowedPhases: Readonly<Record<BuiltInOperationId, readonly Phase[]>> = {
	start: ['stopped', 'error', 'unknown'],
	stop: ['active', 'unknown'],
	restart: ['active', 'error', 'unknown'],
	update: ['active', 'unknown'],
	publish: ['active', 'unknown'],
	unpublish: existingPhases,
	delete: existingPhases,
	create: allPhases,
};

test.each(Object.entries(allowedPhases))(
	'the operation “%s” is allowed in the phases “%s”, and in no other',
	(operation, phases) => {
		const allowed = allPhases.filter(phase => !obstacleInPhase(operation, phase));
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
		expect(obstacleInPhase(operation, phase)?.reason).toBe(reason);
	},
);
