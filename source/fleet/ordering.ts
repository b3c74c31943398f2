import { type FieldName, type FieldSource, fields } from './field.ts';
import { compareVersions } from './version.ts';

export type Ordering = { by: FieldName; isReversed: boolean };

// The phases in the order that `status` sorts by: computers that need attention come first.
const phasesByUrgency = [
	...['error', 'unknown', 'creating', 'updating', 'restarting', 'starting', 'stopping'],
	...['active', 'stopped', 'pooled', 'archived'],
];

type Value = string | number | undefined;

/** Sorts computers. */
export function sorted<T extends FieldSource>(
	subjects: Iterable<T>,
	ordering: Ordering,
	now: number,
): readonly T[] {
	return createSorter<T>(subject => subject)([...subjects], ordering, now);
}

/**
 * Creates a fast sort. Unknown values come last in both directions. Equal values are ordered by name and id, so
 * that no row moves without a reason. The order by name is cached until a computer is added, removed or
 * renamed. Most other fields have few different values, so only the distinct values are sorted.
 */
export function createSorter<T>(subjectOf: (item: T) => FieldSource) {
	const textKeyOf = createTextKeys();
	let last: { subjects: readonly FieldSource[]; places: readonly number[] } | undefined;

	return (items: readonly T[], { by, isReversed }: Ordering, now: number): readonly T[] => {
		const subjects = items.map(subjectOf);
		const kept = last && haveSameNames(last.subjects, subjects) ? last.places : undefined;
		const places = kept ?? orderByName(subjects, textKeyOf);
		last = { subjects, places };
		if (by === 'name' && !isReversed) return itemsAt(places, items);

		const values = subjects.map(sortValues(by, subjects, now, textKeyOf));
		const piles = new Map<Value, number[]>();
		for (const value of distinctInOrder(values, isReversed)) piles.set(value, []);
		for (const place of places) piles.get(values[place])?.push(place);
		const ordered: number[] = [];
		for (const pile of piles.values()) for (const place of pile) ordered.push(place);
		return itemsAt(ordered, items);
	};
}

function itemsAt<T>(places: readonly number[], items: readonly T[]): readonly T[] {
	const found: T[] = [];
	for (const place of places) {
		const item = items[place];
		if (item !== undefined) found.push(item);
	}
	return found;
}

function haveSameNames(some: readonly FieldSource[], others: readonly FieldSource[]): boolean {
	return (
		some.length === others.length &&
		some.every(({ reading }, place) => {
			const other = others[place]?.reading;
			return reading === other || (reading.id === other?.id && reading.name === other.name);
		})
	);
}

/** The indexes of the computers in order of name. */
function orderByName(
	subjects: readonly FieldSource[],
	textKeyOf: (text: string) => string,
): readonly number[] {
	const named = subjects.map(({ reading: { name, id } }, place) => ({
		key: textKeyOf(name ?? id),
		id,
		place,
	}));
	named.sort((a, b) => {
		if (a.key !== b.key) return a.key < b.key ? -1 : 1;
		return a.id < b.id ? -1 : 1;
	});
	return named.map(({ place }) => place);
}

/** The distinct values in order, with the unknown value last. */
function distinctInOrder(values: readonly Value[], isReversed: boolean): readonly Value[] {
	const different = new Set(values);
	const isUntold = different.delete(undefined);
	const numbers = [...different].filter(value => typeof value === 'number');
	const texts = [...different].filter(value => typeof value === 'string');
	const sorted: Value[] = [...Float64Array.from(numbers).sort(), ...texts.sort()];
	if (isReversed) sorted.reverse();
	return isUntold ? [...sorted, undefined] : sorted;
}

/** The values to sort by, converted so that `<` and `>` order them. */
function sortValues(
	by: FieldName,
	subjects: readonly FieldSource[],
	now: number,
	textKeyOf: (text: string) => string,
): (subject: FieldSource) => Value {
	if (by === 'name') return ({ reading }) => textKeyOf(reading.name ?? reading.id);
	if (by === 'status') return ({ phase }) => phasesByUrgency.indexOf(phase);
	const { kind, values } = fields[by];
	const valueIn = (subject: FieldSource): Value => values(subject, now)[0];
	if (kind === 'version') {
		const rankOf = versionRanksOf(new Set(subjects.map(valueIn)));
		return subject => rankOf.get(valueIn(subject));
	}
	if (kind !== 'text') return valueIn;
	return subject => {
		const value = valueIn(subject);
		return value === undefined ? undefined : textKeyOf(String(value));
	};
}

/**
 * The rank of each distinct version. Each one is parsed only once, because a fleet has few different versions.
 */
function versionRanksOf(versions: ReadonlySet<Value>): ReadonlyMap<Value, number> {
	const known = [...versions].filter(version => version !== undefined).map(String);
	const ranks = new Map<Value, number>();
	let last: string | undefined;
	let rank = 0;
	for (const version of known.sort(compareVersions)) {
		if (last !== undefined && compareVersions(last, version) !== 0) rank += 1;
		ranks.set(version, rank);
		last = version;
	}
	return ranks;
}

// The cache is emptied at this size. No fleet is this large, so most of its texts are old names by then.
const maxCachedKeys = 50_000;

/**
 * Creates sort keys for names in which numbers sort as numbers: web-9 goes before web-10. A collator would do
 * the same, but loading one takes longer than the whole sort.
 */
export function createTextKeys(): (text: string) => string {
	const known = new Map<string, string>();
	return text => {
		let key = known.get(text);
		if (key !== undefined) return key;
		if (known.size >= maxCachedKeys) known.clear();
		key = text.toLowerCase().replace(/\d+/g, number => {
			const digits = number.replace(/^0+(?=.)/, '');
			// The length is put before the digits, because a longer number is larger.
			return String.fromCharCode(0x2f + digits.length) + digits;
		});
		known.set(text, key);
		return key;
	};
}
