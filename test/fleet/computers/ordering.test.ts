import fc from 'fast-check';
import { expect, test } from 'vitest';
import { phaseOf, type Reading } from '../../../source/fleet/computers/computer.ts';
import type { FieldName } from '../../../source/fleet/computers/field.ts';
import { createSorter, sortComputers } from '../../../source/fleet/computers/ordering.ts';
import { createReadCounter } from '../../read-counter.ts';

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
	sortComputers(fleet, { by, isReversed }, 0)
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
	const ordered = sortComputers(names.map(named), { by: 'name', isReversed: false }, 0);
	expect(ordered.map(({ reading }) => reading.name)).toEqual([
		...['web', 'Web-1', 'web-2', 'web-02a', 'web-10', 'web-99', 'web-123456789012'],
	]);
});

const reading = fc.record({
	id: fc.integer({ min: 0, max: 12 }).map(number => `sb_${number}`),
	name: fc.constantFrom('a', 'A', 'b1', 'b01', 'b10', ''),
	status: fc.constantFrom('active', 'stopped', 'odd'),
	version: fc.constantFrom('1.4', '1.4.0', '1.10', 'v1.4', null),
	cpu: fc.constantFrom(1, 2, null),
});

type Sorted = ReturnType<typeof subject>;

/** Returns the expected order, from a plain comparison of two computers at a time. */
function plainlySorted(all: readonly Sorted[], by: 'name' | 'cpu' | 'id', isReversed: boolean) {
	const nameOf = ({ reading }: Sorted) => (reading.name ?? '').toLowerCase().replace('01', '1');
	const place = ({ reading }: Sorted) => Number(reading.id.slice(3));
	const wanted = (each: Sorted) => {
		if (by === 'name') return nameOf(each);
		return by === 'id' ? place(each) : (each.reading.cpu ?? undefined);
	};
	return [...all].sort((a, b) => {
		const [left, right] = [wanted(a), wanted(b)];
		if (left !== right) {
			if (left === undefined || right === undefined) return left === undefined ? 1 : -1;
			return left < right === isReversed ? 1 : -1;
		}
		if (nameOf(a) !== nameOf(b)) return nameOf(a) < nameOf(b) ? -1 : 1;
		return a.reading.id < b.reading.id ? -1 : 1;
	});
}

test('a sorter that sorts one fleet after another gives each fleet the same order as a new sorter', () => {
	const fleets = fc.array(
		fc.tuple(
			fc.uniqueArray(reading, { selector: ({ id }) => id }),
			fc.constantFrom('name', 'cpu', 'id'),
			fc.boolean(),
		),
	);
	fc.assert(
		fc.property(fleets, steps => {
			const order = createSorter({ fieldSourceOf: (each: Sorted) => each });
			for (const [readings, by, isReversed] of steps) {
				const subjects = readings.map(subject);
				const kept = order(subjects, { by, isReversed }, 0);
				expect(kept).toEqual(plainlySorted(subjects, by, isReversed));
			}
		}),
	);
});

test('a sorter gives the same order as a full sort after a few computers have changed', () => {
	const change = fc.record({ place: fc.nat({ max: 19 }), reading });
	fc.assert(
		fc.property(
			fc.constantFrom<FieldName>('name', 'status', 'version', 'cpu', 'id'),
			fc.boolean(),
			fc.array(fc.array(change, { maxLength: 3 }), { maxLength: 6 }),
			(by, isReversed, steps) => {
				const order = createSorter({ fieldSourceOf: (each: Sorted) => each });
				let all = Array.from({ length: 20 }, (_, at) => subject({ id: `sb_${at}`, name: 'b5' }));
				for (const changes of steps) {
					all = all.map((each, at) => {
						const changed = changes.find(({ place }) => place === at);
						return changed ? subject({ ...changed.reading, id: each.reading.id }) : each;
					});
					const kept = order(all, { by, isReversed }, 0);
					expect(kept).toEqual(sortComputers(all, { by, isReversed }, 0));
				}
			},
		),
	);
});

test('a sorter gives the same order as a new one when a person goes from one order to another and back', () => {
	const by = fc.constantFrom<FieldName>('name', 'status', 'version', 'cpu', 'id', 'uptime');
	const orders = fc.array(fc.tuple(by, fc.boolean()), { maxLength: 8 });
	fc.assert(
		fc.property(fc.array(reading, { maxLength: 20 }), orders, (readings, steps) => {
			const order = createSorter({ fieldSourceOf: (each: Sorted) => each });
			const all = readings.map(subject);
			for (const [by, isReversed] of steps) {
				const ordering = { by, isReversed };
				expect(order(all, ordering, 0)).toEqual(sortComputers(all, ordering, 0));
			}
		}),
	);
});

test.each(['name', 'status', 'version', 'cpu'] as const)(
	'ordering ten thousand computers by “%s” reads each computer a fixed number of times',
	by => {
		const counter = createReadCounter();
		const many = Array.from({ length: 10_000 }, (_, index) =>
			counter.counted(
				subject({
					id: `sb_${index}`,
					name: `web-${(index * 7919) % 10_000}`,
					status: 'active',
					version: '1.4.2',
					cpu: 3,
				}),
			),
		);
		const order = createSorter({ fieldSourceOf: (each: Sorted) => each });
		const [first, second] = order(many, { by, isReversed: false }, 0);
		expect(counter.takeCount()).toBeLessThanOrEqual(7 * many.length);
		expect([first?.reading.name, second?.reading.name]).toEqual(['web-0', 'web-1']);
		counter.takeCount();
		order([...many], { by, isReversed: false }, 0);
		expect(counter.takeCount()).toBe(0);
		const changed = many.with(5, counter.counted(subject({ id: 'sb_5', name: 'web-0', cpu: 7 })));
		order(changed, { by, isReversed: false }, 0);
		expect(counter.takeCount()).toBeLessThanOrEqual(7);
		// Going to another order and back computes nothing again.
		order(changed, { by: 'id', isReversed: true }, 0);
		counter.takeCount();
		order(changed, { by, isReversed: false }, 0);
		expect(counter.takeCount()).toBe(0);
	},
);

test('a sorter keeps no item of an earlier list for an order that nobody uses', () => {
	let reads = 0;
	const order = createSorter({
		fieldSourceOf: (each: Sorted) => {
			reads += 1;
			return each;
		},
	});
	const sorted = (by: FieldName, items: readonly Sorted[]) => {
		reads = 0;
		order(items, { by, isReversed: false }, 0);
		return reads > 0;
	};
	expect(sorted('cpu', fleet)).toBe(true);
	const later = [...fleet];
	expect(sorted('status', later)).toBe(true);
	expect(sorted('cpu', later)).toBe(true);
});

test('an order by age changes as time passes, although no computer has changed', () => {
	const born = (createdAt: number) => subject({ id: `sb_${createdAt}`, createdAt });
	const two = [born(5), born(9)];
	const order = createSorter({ fieldSourceOf: (each: Sorted) => each });
	const byAge = { by: 'age', isReversed: false } as const;
	const orderAt = (now: number) => order(two, byAge, now).map(({ reading }) => reading.createdAt);
	// If the clock is behind, both computers seem to be created in the future. They then have the same age, so the
	// name decides.
	expect([orderAt(0), orderAt(20)]).toEqual([
		[5, 9],
		[9, 5],
	]);
});
