import { expect, test } from 'vitest';
import { operationIds, operationRowOf } from '../../source/fleet/operations/operation-table.ts';
import type { Strictness } from '../../source/fleet/operations/strictness.ts';
import { strictnessOf, strictnessRows } from '../../source/fleet/operations/strictness.ts';

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

test('Esc can cancel for four seconds, except what one key undoes', () => {
	expect(Object.values(strictnessRows).map(({ countdownMs }) => countdownMs)).toEqual([
		0, 0, 4_000, 4_000,
	]);
});
