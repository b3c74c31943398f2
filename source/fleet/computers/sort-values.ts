import { createItemValues } from '../../foundation/item-values.ts';
import { memoize } from '../../foundation/memoize.ts';
import { type FieldSource, fields } from './field.ts';
import type { OrderField } from './order-fields.ts';
import { compareVersions } from './version.ts';

// The phases in the order that `status` sorts by: computers that need attention come first.
export const phasesByUrgency: readonly string[] = [
	...['error', 'unknown', 'creating', 'updating', 'restarting', 'starting', 'stopping'],
	...['active', 'stopped', 'pooled', 'archived'],
];

/** The value that an item is sorted by, converted so that `<` and `>` order the values; undefined if it is unknown. */
export type SortValue = string | number | undefined;

export type SortValueGetters<T> = {
	fieldSourceOf: (item: T) => FieldSource;
	accountOf?: (item: T) => string | undefined;
	/** Returns the place of an item in the order by trouble: the lower, the sooner. */
	troubleOrderOf?: (item: T) => number;
};

/**
 * Creates a function for the values of a field. The values of items that have not changed are not computed again, and
 * the same array is returned until a value changes.
 */
export function createSortValues<T>(
	{ fieldSourceOf, accountOf, troubleOrderOf }: SortValueGetters<T>,
	by: OrderField,
): (items: readonly T[], now: number) => readonly SortValue[] {
	if (by === 'trouble') return createItemValues(item => troubleOrderOf?.(item));
	if (by === 'account') return createItemValues(item => accountOf?.(item));
	if (by === 'name') {
		// Most names belong to one computer, so their keys are kept by place. A map would take a megabyte with 10,000.
		const namesOf = createItemValues((item: T) => {
			const { reading } = fieldSourceOf(item);
			return reading.name ?? reading.id;
		});
		const keysOf = createItemValues(sortKeyOf);
		return items => keysOf(namesOf(items));
	}
	if (by === 'status')
		return createItemValues(item => phasesByUrgency.indexOf(fieldSourceOf(item).phase));
	const { kind, values } = fields[by];
	const valueAt = (item: T, now: number): SortValue =>
		values(fieldSourceOf(item), now, undefined)[0];
	if (kind === 'duration') {
		const createValues = memoize((now: number) =>
			createItemValues((item: T) => valueAt(item, now)),
		);
		return (items, now) => createValues(now)(items);
	}
	const firstValue = (item: T) => valueAt(item, 0);
	if (kind === 'number') return createItemValues(firstValue);
	if (kind === 'version') {
		const versionsOf = createItemValues(firstValue);
		const ranksOf = memoize(versionRanks);
		return items => ranksOf(versionsOf(items));
	}
	const keyOf = createSortKeys();
	return createItemValues(item => {
		const value = firstValue(item);
		return value === undefined ? undefined : keyOf(String(value));
	});
}

/** Returns the rank of each version. No version is parsed twice. */
function versionRanks(versions: readonly SortValue[]): readonly SortValue[] {
	const knownVersions = [...new Set(versions)].filter(version => version !== undefined);
	const ranks = new Map<SortValue, number>();
	let lastVersion: string | undefined;
	let rank = 0;
	for (const version of knownVersions.map(String).sort(compareVersions)) {
		if (lastVersion !== undefined && compareVersions(lastVersion, version) !== 0) rank += 1;
		ranks.set(version, rank);
		lastVersion = version;
	}
	return versions.map(version => ranks.get(version));
}

/**
 * Returns a sort key for a name in which numbers sort as numbers: web-9 goes before web-10. A collator would do the
 * same, but loading one takes longer than the whole sort.
 */
export function sortKeyOf(text: string): string {
	return text.toLowerCase().replace(/\d+/g, number => {
		const digits = number.startsWith('0') ? number.replace(/^0+(?=.)/, '') : number;
		// The length is put before the digits, because a longer number is larger.
		return String.fromCharCode(0x2f + digits.length) + digits;
	});
}

// The cache is emptied at this size. No fleet is this large, so most of its texts are old by then.
const maxCachedKeys = 50_000;

/** Creates a function for the sort keys of texts that many computers have. */
function createSortKeys(): (text: string) => string {
	const cachedKeys = new Map<string, string>();
	return text => {
		let key = cachedKeys.get(text);
		if (key !== undefined) return key;
		if (cachedKeys.size >= maxCachedKeys) cachedKeys.clear();
		key = sortKeyOf(text);
		cachedKeys.set(text, key);
		return key;
	};
}
