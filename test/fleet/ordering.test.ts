import fc from 'fast-check';
import { expect, test } from 'vitest';
import { phaseOf, type Reading } from '../../source/fleet/computers/computer.ts';
import type { FieldName } from '../../source/fleet/computers/field.ts';
import { type Ordering, sortComputers } from '../../source/fleet/computers/order-fields.ts';
import { runs } from '../runs.ts';

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
	expect(sorted.map(({ reading }) => reading.name)).toEqual([
		...['web', 'Web-1', 'web-2', 'web-02a', 'web-10', 'web-99', 'web-123456789012'],
	]);
});

test('computers that are equal in the order follow by name and id, and those without a value come last', () => {
	const reading = fc.record({
		id: fc.integer({ min: 0, max: 99 }).map(number => `sb_${String(number).padStart(2, '0')}`),
		name: fc.constantFrom('a', 'A', 'b1', 'b01', 'b10', ''),
		cpu: fc.constantFrom(1, 2, null),
	});
	const readings = fc.uniqueArray(reading, { selector: ({ id }) => id });
	const nameOf = ({ reading: { name } }: ReturnType<typeof subject>) =>
		(name ?? '').toLowerCase().replace('01', '1');
	fc.assert(
		fc.property(readings, fc.boolean(), (all, isReversed) => {
			const sorted = ordered(all.map(subject), { by: 'cpu', isReversed });
			const pairs = sorted.slice(1).map((each, at) => [sorted[at] ?? each, each] as const);
			for (const [one, other] of pairs) {
				const [left, right] = [one.reading.cpu ?? undefined, other.reading.cpu ?? undefined];
				if (left === undefined) expect(right).toBeUndefined();
				else if (left !== right)
					expect(right === undefined || left < right !== isReversed).toBe(true);
				if (left !== right) continue;
				expect(nameOf(one) <= nameOf(other)).toBe(true);
				if (nameOf(one) === nameOf(other)) expect(one.reading.id < other.reading.id).toBe(true);
			}
		}),
		runs(100),
	);
});

test('versions that mean the same are equal in the order', () => {
	const versions = ['1.10', 'v1.4', '1.4.0-rc', '1.4', null, '1.4.0'];
	const all = versions.map((version, at) => subject({ id: `sb_${at}`, version }));
	const sorted = ordered(all, { by: 'version', isReversed: false });
	expect(sorted.map(({ reading }) => reading.version)).toEqual([
		'v1.4',
		'1.4',
		'1.4.0-rc',
		'1.4.0',
		'1.10',
		null,
	]);
});

test('an order by age changes as time passes, although no computer has changed', () => {
	const born = (createdAt: number) => subject({ id: `sb_${createdAt}`, createdAt });
	const two = [born(5), born(9)];
	const byAge = { by: 'age', isReversed: false } as const;
	const orderAt = (now: number) => ordered(two, byAge, now).map(({ reading }) => reading.createdAt);
	// If the clock is behind, both computers seem to be created in the future. They then have the same age, so the
	// name decides.
	expect([orderAt(0), orderAt(20)]).toEqual([
		[5, 9],
		[9, 5],
	]);
});
