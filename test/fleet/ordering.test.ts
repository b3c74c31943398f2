import { expect, test } from 'vitest';
import { phaseOf, type Reading } from '../../source/fleet/computers/computer.ts';
import {
	type FieldName,
	type Ordering,
	sortComputers,
} from '../../source/fleet/computers/fields.ts';

const subject = (reading: Reading) => ({
	reading,
	phase: phaseOf(reading.status),
	since: { at: 0, isLowerBound: true },
});

const ordered = (all: readonly ReturnType<typeof subject>[], by: Ordering, now = 0) =>
	sortComputers(all, by, now, { computerOf: each => each });

const fleet = [
	subject({ id: 'sb_d', name: 'web-10', status: 'active', version: '1.10.0', cpu: 5 }),
	subject({ id: 'sb_c', name: 'web-9', status: 'stopped', version: '1.9.0', cpu: 90 }),
	subject({ id: 'sb_b', name: 'Alpha', status: 'error', version: null }),
	subject({ id: 'sb_a', name: 'alpha', status: 'active', version: '1.9.0', cpu: 5 }),
];

const ids = (by: FieldName, isReversed = false) =>
	ordered(fleet, { by, isReversed })
		.map(({ reading }) => reading.id.slice(3))
		.join('');

test.each([
	['name', 'abcd', 'dcab'],
	['id', 'abcd', 'dcba'],
	['status', 'badc', 'cadb'],
	['version', 'acdb', 'dacb'],
	['cpu', 'adcb', 'cadb'],
] as const)('the fleet can be ordered by “%s” in both directions', (by, forwards, backwards) => {
	expect(ids(by)).toBe(forwards);
	expect(ids(by, true)).toBe(backwards);
});

test('names that contain numbers are ordered by the value of the numbers', () => {
	const named = (name: string) => subject({ id: `sb_${name}`, name });
	const names = ['web-2', 'web-10', 'web-02a', 'Web-1', 'web', 'web-123456789012', 'web-99'];
	const sorted = ordered(names.map(named), { by: 'name', isReversed: false });
	const inOrder = ['web', 'Web-1', 'web-2', 'web-02a', 'web-10', 'web-99', 'web-123456789012'];
	expect(sorted.map(({ reading }) => reading.name)).toEqual(inOrder);
});

test('versions that mean the same are equal in the order', () => {
	const versions = ['1.10', 'v1.4', '1.4.0-rc', '1.4', null, '1.4.0'];
	const all = versions.map((version, at) => subject({ id: `sb_${at}`, version }));
	const sorted = ordered(all, { by: 'version', isReversed: false });
	const inOrder = ['v1.4', '1.4', '1.4.0-rc', '1.4.0', '1.10', null];
	expect(sorted.map(({ reading }) => reading.version)).toEqual(inOrder);
});

test('an order by age changes as time passes, although no computer has changed', () => {
	const born = (createdAt: number) => subject({ id: `sb_${createdAt}`, createdAt });
	const two = [born(5), born(9)];
	const byAge = { by: 'age', isReversed: false } as const;
	const orderAt = (now: number) => ordered(two, byAge, now).map(({ reading }) => reading.createdAt);
	// If the clock is behind, both seem to be created in the future, so they have the same age, and the name decides.
	expect(orderAt(0)).toEqual([5, 9]);
	expect(orderAt(20)).toEqual([9, 5]);
});
