import { expect, test } from 'vitest';
import { phaseOf, type Reading } from '../../source/fleet/computer.ts';
import type { FieldName } from '../../source/fleet/field.ts';
import { inOrder } from '../../source/fleet/ordering.ts';

const subject = (reading: Reading) => ({
	reading,
	phase: phaseOf(reading.status),
	since: { at: 0, isLowerBound: true },
});

const fleet = [
	subject({ id: 'sb_d', name: 'web-10', status: 'active', version: '1.10.0', cpu: 5 }),
	subject({ id: 'sb_c', name: 'web-9', status: 'stopped', version: '1.9.0', cpu: 90 }),
	subject({ id: 'sb_b', name: 'Alpha', status: 'error', version: null }),
	subject({ id: 'sb_a', name: 'alpha', status: 'active', version: '1.9.0', cpu: 5 }),
];

const ids = (by: FieldName, isReversed = false) =>
	inOrder(fleet, { by, isReversed }, 0)
		.map(({ reading }) => reading.id.slice(3))
		.join('');

test.each([
	['name', 'abcd', 'dcab'],
	['id', 'abcd', 'dcba'],
	['status', 'badc', 'cadb'],
	['version', 'acdb', 'dacb'],
	['cpu', 'adcb', 'cadb'],
] as const)('by %s', (by, forwards, backwards) => {
	expect(ids(by)).toBe(forwards);
	expect(ids(by, true)).toBe(backwards);
});

test('ten thousand are ordered within a moment', () => {
	const many = Array.from({ length: 10_000 }, (_, index) =>
		subject({ id: `sb_${index}`, name: `web-${(index * 7919) % 10_000}`, status: 'active' }),
	);
	const begin = performance.now();
	const [first, second] = inOrder(many, { by: 'status', isReversed: false }, 0);
	expect(performance.now() - begin).toBeLessThan(400);
	expect([first?.reading.name, second?.reading.name]).toEqual(['web-0', 'web-1']);
});
