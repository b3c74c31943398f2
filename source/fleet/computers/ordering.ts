import { type FieldSource, fields } from './field.ts';
import { type OrderField, type Ordering, orderingWithTies } from './order-fields.ts';
import { compareVersions } from './version.ts';

// The phases in the order that `status` sorts by: computers that need attention come first.
export const phasesByUrgency: readonly string[] = [
	...['error', 'unknown', 'creating', 'updating', 'restarting', 'starting', 'stopping'],
	...['active', 'stopped', 'pooled', 'archived'],
];

type SortValue = string | number | undefined;

export function sortComputers<T extends FieldSource>(
	computers: Iterable<T>,
	ordering: Ordering,
	now: number,
): readonly T[] {
	return createSorter<T>({ fieldSourceOf: subject => subject })([...computers], ordering, now);
}

type SorterOptions<T> = {
	fieldSourceOf: (item: T) => FieldSource;
	accountOf?: (item: T) => string | undefined;
	/** Returns the place of an item in the order by trouble: the lower, the sooner. */
	troubleOrderOf?: (item: T) => number;
};

/**
 * Creates a sort that is fast for large fleets. Unknown values come last in both directions. Equal values are ordered by
 * the order of ties, and then by name and id, so that no row moves without a reason. The order by name is cached until a computer is added, removed or
 * renamed. Most other fields have few different values, so only the distinct values are sorted.
 */
export function createSorter<T>({ fieldSourceOf, ...getters }: SorterOptions<T>) {
	const sortKeyOf = createSortKeys();
	let lastSort: { subjects: readonly FieldSource[]; indexes: readonly number[] } | undefined;

	return (items: readonly T[], ordering: Ordering, now: number): readonly T[] => {
		const subjects = items.map(fieldSourceOf);
		const cachedIndexes =
			lastSort && haveSameNames(lastSort.subjects, subjects) ? lastSort.indexes : undefined;
		const indexes = cachedIndexes ?? indexesByName(subjects, sortKeyOf);
		lastSort = { subjects, indexes };
		const getValue = { account: getters.accountOf, trouble: getters.troubleOrderOf };
		const valuesOf = (by: OrderField): readonly SortValue[] =>
			by === 'account' || by === 'trouble'
				? items.map(item => getValue[by]?.(item))
				: subjects.map(sortValueGetter(by, subjects, now, sortKeyOf));
		// Each sort keeps the order of equal values, so the order that decides is the last one.
		let sortedIndexes = indexes;
		for (const { by, isReversed } of orderingWithTies(ordering).toReversed()) {
			sortedIndexes =
				by === 'name' && !isReversed
					? indexes
					: indexesSortedBy(valuesOf(by), isReversed, sortedIndexes);
		}
		return itemsAt(sortedIndexes, items);
	};
}

/** Sorts the indexes by the value of each. Indexes with the same value stay in their order. */
function indexesSortedBy(
	values: readonly SortValue[],
	isReversed: boolean,
	indexes: readonly number[],
): readonly number[] {
	const indexesByValue = new Map<SortValue, number[]>();
	for (const value of distinctSortedValues(values, isReversed)) indexesByValue.set(value, []);
	for (const index of indexes) indexesByValue.get(values[index])?.push(index);
	const sortedIndexes: number[] = [];
	for (const group of indexesByValue.values()) for (const index of group) sortedIndexes.push(index);
	return sortedIndexes;
}

function itemsAt<T>(indexes: readonly number[], items: readonly T[]): readonly T[] {
	const foundItems: T[] = [];
	for (const index of indexes) {
		const item = items[index];
		if (item !== undefined) foundItems.push(item);
	}
	return foundItems;
}

function haveSameNames(
	subjects: readonly FieldSource[],
	otherSubjects: readonly FieldSource[],
): boolean {
	return (
		subjects.length === otherSubjects.length &&
		subjects.every(({ reading }, index) => {
			const otherReading = otherSubjects[index]?.reading;
			return (
				reading === otherReading ||
				(reading.id === otherReading?.id && reading.name === otherReading.name)
			);
		})
	);
}

/** Returns the indexes of the computers, sorted by name. */
function indexesByName(
	subjects: readonly FieldSource[],
	sortKeyOf: (text: string) => string,
): readonly number[] {
	const keyedSubjects = subjects.map(({ reading: { name, id } }, index) => ({
		key: sortKeyOf(name ?? id),
		id,
		index,
	}));
	keyedSubjects.sort((a, b) => {
		if (a.key !== b.key) return a.key < b.key ? -1 : 1;
		// Two accounts may have the same id. Their order is that of the accounts.
		if (a.id === b.id) return a.index - b.index;
		return a.id < b.id ? -1 : 1;
	});
	return keyedSubjects.map(({ index }) => index);
}

/** Returns the distinct values in order, with the unknown value last. */
function distinctSortedValues(
	values: readonly SortValue[],
	isReversed: boolean,
): readonly SortValue[] {
	const distinctValues = new Set(values);
	const hasUnknown = distinctValues.delete(undefined);
	const numbers = [...distinctValues].filter(value => typeof value === 'number');
	const texts = [...distinctValues].filter(value => typeof value === 'string');
	const sortedValues: SortValue[] = [...Float64Array.from(numbers).sort(), ...texts.sort()];
	if (isReversed) sortedValues.reverse();
	return hasUnknown ? [...sortedValues, undefined] : sortedValues;
}

/** Returns a function that gets the value to sort a computer by, converted so that `<` and `>` order the values. */
function sortValueGetter(
	by: Exclude<OrderField, 'trouble'>,
	subjects: readonly FieldSource[],
	now: number,
	sortKeyOf: (text: string) => string,
): (subject: FieldSource) => SortValue {
	if (by === 'name') return ({ reading }) => sortKeyOf(reading.name ?? reading.id);
	if (by === 'status') return ({ phase }) => phasesByUrgency.indexOf(phase);
	const { kind, values } = fields[by];
	const valueIn = (subject: FieldSource): SortValue => values(subject, now, undefined)[0];
	if (kind === 'version') {
		const rankOf = rankByVersion(new Set(subjects.map(valueIn)));
		return subject => rankOf.get(valueIn(subject));
	}
	if (kind !== 'text') return valueIn;
	return subject => {
		const value = valueIn(subject);
		return value === undefined ? undefined : sortKeyOf(String(value));
	};
}

/** Returns the rank of each distinct version, so that sorting parses no version twice. */
function rankByVersion(versions: ReadonlySet<SortValue>): ReadonlyMap<SortValue, number> {
	const knownVersions = [...versions].filter(version => version !== undefined).map(String);
	const ranks = new Map<SortValue, number>();
	let lastVersion: string | undefined;
	let rank = 0;
	for (const version of knownVersions.sort(compareVersions)) {
		if (lastVersion !== undefined && compareVersions(lastVersion, version) !== 0) rank += 1;
		ranks.set(version, rank);
		lastVersion = version;
	}
	return ranks;
}

// The cache is emptied at this size. No fleet is this large, so most of its texts are old names by then.
const maxCachedKeys = 50_000;

/**
 * Creates sort keys for names in which numbers sort as numbers: web-9 goes before web-10. A collator would do
 * the same, but loading one takes longer than the whole sort.
 */
function createSortKeys(): (text: string) => string {
	const cachedKeys = new Map<string, string>();
	return text => {
		let key = cachedKeys.get(text);
		if (key !== undefined) return key;
		if (cachedKeys.size >= maxCachedKeys) cachedKeys.clear();
		key = text.toLowerCase().replace(/\d+/g, number => {
			const digits = number.replace(/^0+(?=.)/, '');
			// The length is put before the digits, because a longer number is larger.
			return String.fromCharCode(0x2f + digits.length) + digits;
		});
		cachedKeys.set(text, key);
		return key;
	};
}
