import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createItemValues } from '../../source/foundation/item-values.ts';

type Item = { value: number | undefined };

const items = fc.array(fc.record({ value: fc.option(fc.nat({ max: 2 }), { nil: undefined }) }), {
	maxLength: 6,
});

test('every list gets the values of its own items, whichever items it shares with earlier lists', () => {
	const edit = fc.record({ place: fc.nat({ max: 6 }), removed: fc.nat({ max: 2 }), added: items });
	fc.assert(
		fc.property(items, fc.array(edit), (first, edits) => {
			const valuesOf = createItemValues(({ value }: Item) => value);
			let list = first;
			for (const { place, removed, added } of edits) {
				expect(valuesOf(list)).toEqual(list.map(({ value }) => value));
				list = list.toSpliced(place, removed, ...added);
			}
		}),
	);
});

test('only items at a new position are computed, and the array stays the same while no value changes', () => {
	const computed: Item[] = [];
	const valuesOf = createItemValues((item: Item) => {
		computed.push(item);
		return item.value;
	});
	const list = [{ value: 1 }, { value: 2 }, { value: 3 }];
	const values = valuesOf(list);
	const same = { value: 2 };
	computed.length = 0;
	expect(valuesOf(list.with(1, same))).toBe(values);
	expect(computed).toEqual([same]);
	expect(valuesOf(list.with(1, { value: 5 }))).toEqual([1, 5, 3]);
	expect(values).toEqual([1, 2, 3]);
});
