import { expect, test } from 'vitest';
import type { Phase } from '../../source/fleet/computer.ts';
import type { OperationId } from '../../source/fleet/operation.ts';
import { allowedIn } from '../../source/operations/allowance.ts';

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

test.each(documented)('%s is allowed in %s', (operation, phase) => {
	expect(allowedIn(operation, phase)).toEqual({ isAllowed: true });
});

const refused: readonly [OperationId, Phase, string][] = [
	['start', 'active', 'it is running already'],
	['stop', 'stopped', 'it is stopped already'],
	['restart', 'stopped', 'it is stopped: start it first'],
	['update', 'error', 'it is in error'],
	['stop', 'creating', 'it is still being created'],
	['start', 'stopping', 'it is just stopping'],
	['delete', 'archived', 'it was removed, only its record is kept'],
];

test.each(refused)('%s is refused in %s, with the reason', (operation, phase, reason) => {
	expect(allowedIn(operation, phase)).toEqual({ isAllowed: false, reason });
});

test('a status that nobody has heard of hinders nothing', () => {
	const all: readonly OperationId[] = ['start', 'stop', 'restart', 'update', 'publish', 'delete'];
	for (const operation of all) expect(allowedIn(operation, 'unknown').isAllowed).toBe(true);
});
