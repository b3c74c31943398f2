import { createItemValues } from '../../foundation/item-values.ts';
import { memoize } from '../../foundation/memoize.ts';
import type { FieldSource } from './field.ts';
import type { Ordering } from './order-fields.ts';
import { createSortValues, type SortValue, type SortValueGetters } from './sort-values.ts';

export function sortComputers<T extends FieldSource>(
	computers: Iterable<T>,
	ordering: Ordering,
	now: number,
): readonly T[] {
	return createSorter<T>({ fieldSourceOf: subject => subject })([...computers], ordering, now);
}

/** Sorts by one field, and keeps its results for the next list. */
type SortStep<T> = (items: readonly T[], indexes: Uint32Array, now: number) => Uint32Array;

/**
 * Creates a sort that is fast for large fleets. Unknown values come last in both directions. Equal values are ordered
 * by name and id, so that no row moves without a reason. Most fields have few different
 * values, so only the distinct values are sorted.
 *
 * For the next list, only the values of changed items are computed, and nothing is sorted unless a value has changed.
 */
export function createSorter<T>(getters: SortValueGetters<T>) {
	const sortIndexes = createIndexSorter(getters);
	return (items: readonly T[], ordering: Ordering, now: number): readonly T[] =>
		itemsAt(sortIndexes(items, ordering, now), items);
}

/** Like `createSorter`, but the sort returns the indexes of the items in their order. */
function createIndexSorter<T>(getters: SortValueGetters<T>) {
	const namesOf = createSortValues(getters, 'name');
	const idsOf = createItemValues((item: T) => getters.fieldSourceOf(item).reading.id);
	const indexesOf = memoize(indexesByName);
	const steps = new Map<string, SortStep<T>>();
	let lastItems: readonly T[] = [];

	function stepOf({ by, isReversed }: Ordering): SortStep<T> {
		const valuesOf = by === 'name' ? namesOf : createSortValues(getters, by);
		// The ranks stay the same when a person comes back to this field from another order.
		const ranks = memoize((values: readonly SortValue[]) => ranksOf(values, isReversed));
		const sorted = memoize(indexesSortedBy);
		return (items, indexes, now) => sorted(ranks(valuesOf(items, now)), indexes);
	}

	return (items: readonly T[], ordering: Ordering, now: number): Uint32Array => {
		const byName = indexesOf(namesOf(items, now), idsOf(items));
		const { by, isReversed } = ordering;
		const key = `${by} ${isReversed}`;
		const step = steps.get(key) ?? stepOf(ordering);
		steps.set(key, step);
		// The steps of earlier orders are kept, because a person may go back to one of them. They are dropped when
		// the list changes, because they would keep the items of the old list in memory.
		if (items !== lastItems) for (const each of steps.keys()) if (each !== key) steps.delete(each);
		lastItems = items;
		return by === 'name' && !isReversed ? byName : step(items, byName, now);
	};
}

/** The rank of each value, and how many different ranks there are. */
type Ranks = { ranks: Uint16Array | Uint32Array; count: number };

/** Ranks values in their order. Equal values have the same rank. */
function ranksOf(values: readonly SortValue[], isReversed: boolean): Ranks {
	const { length } = values;
	const ranks = length <= 0x10000 ? new Uint16Array(length) : new Uint32Array(length);
	// At first, the different values are numbered in the order in which they are found.
	const numberOf = new Map<SortValue, number>();
	let number = 0;
	for (let at = 0; at < length; at++) {
		const value = values[at];
		// Neighbours often have the same value, such as computers of one account.
		if (at === 0 || value !== values[at - 1]) {
			number = numberOf.get(value) ?? numberOf.size;
			if (number === numberOf.size) numberOf.set(value, number);
		}
		ranks[at] = number;
	}
	const rankOf = new Uint32Array(numberOf.size);
	let rank = 0;
	for (const value of sortedValuesOf(new Set(numberOf.keys()), isReversed)) {
		rankOf[numberOf.get(value) ?? 0] = rank;
		rank += 1;
	}
	for (let at = 0; at < length; at++) ranks[at] = rankOf[ranks[at] as number] as number;
	return { ranks, count: rank };
}

/** Sorts indexes by the rank at each index. Indexes with equal ranks keep their order. */
function indexesSortedBy({ ranks, count }: Ranks, indexes: Uint32Array): Uint32Array {
	// All computers of a single account have the same account.
	if (count <= 1) return indexes;
	// For each rank, the position at which the next index is written. It begins at the number of indexes with lower
	// ranks.
	const places = new Uint32Array(count + 1);
	for (let at = 0; at < ranks.length; at++) {
		const next = (ranks[at] as number) + 1;
		places[next] = (places[next] as number) + 1;
	}
	for (let rank = 1; rank < count; rank++)
		places[rank] = (places[rank] as number) + (places[rank - 1] as number);
	const sorted = new Uint32Array(indexes.length);
	for (let at = 0; at < indexes.length; at++) {
		const index = indexes[at] as number;
		const rank = ranks[index] as number;
		const place = places[rank] as number;
		sorted[place] = index;
		places[rank] = place + 1;
	}
	return sorted;
}

/** Returns the items in the order of the indexes. */
function itemsAt<T>(indexes: Uint32Array, items: readonly T[]): readonly T[] {
	// The copy has its size at once. An array of ten thousand items that grows would be copied twenty times.
	const found = items.slice();
	for (let at = 0; at < found.length; at++) found[at] = items[indexes[at] ?? at] as T;
	return found;
}

/** Returns the indexes of the items in the order of their names. Items with the same name are in the order of their ids. */
function indexesByName(names: readonly SortValue[], ids: readonly string[]): Uint32Array {
	const keyed = ids.map((id, index) => ({ key: String(names[index]), id, index }));
	keyed.sort((a, b) => {
		if (a.key !== b.key) return a.key < b.key ? -1 : 1;
		// If two accounts have a computer with the same id, the order of the accounts decides.
		if (a.id === b.id) return a.index - b.index;
		return a.id < b.id ? -1 : 1;
	});
	return Uint32Array.from(keyed, ({ index }) => index);
}

/** Returns the values in order, with the unknown value last. */
function sortedValuesOf(distinctValues: Set<SortValue>, isReversed: boolean): readonly SortValue[] {
	const hasUnknown = distinctValues.delete(undefined);
	const numbers = [...distinctValues].filter(value => typeof value === 'number');
	const texts = [...distinctValues].filter(value => typeof value === 'string');
	const sortedValues: SortValue[] = [...Float64Array.from(numbers).sort(), ...texts.sort()];
	if (isReversed) sortedValues.reverse();
	return hasUnknown ? [...sortedValues, undefined] : sortedValues;
}
