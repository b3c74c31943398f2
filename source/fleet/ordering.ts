import { type FieldName, type FieldSource, fields } from './field.ts';
import { compareVersions } from './version.ts';

export type Ordering = { by: FieldName; isReversed: boolean };

// What wants attention comes first, what is calm after it.
const phases = [
	...['error', 'unknown', 'creating', 'updating', 'restarting', 'starting', 'stopping'],
	...['active', 'stopped', 'pooled', 'archived'],
];

type Value = string | number | undefined;

/** Computers in the wanted order. */
export function sorted<T extends FieldSource>(
	subjects: Iterable<T>,
	ordering: Ordering,
	now: number,
): readonly T[] {
	return createSorter<T>(subject => subject)([...subjects], ordering, now);
}

/**
 * Brings items into the wanted order. Those of which nothing is known stand last, whichever way round;
 * equal ones by name and then by id, so that no item moves without a reason. The order by name is kept
 * for as long as nobody comes, goes or is renamed. Of other values most fleets have few: only the
 * different ones are compared, and the items are dealt out to them.
 */
export function createSorter<T>(subjectOf: (item: T) => FieldSource) {
	const textKeyOf = createTextKeys();
	let last: { subjects: readonly FieldSource[]; places: readonly number[] } | undefined;

	return (items: readonly T[], { by, isReversed }: Ordering, now: number): readonly T[] => {
		const subjects = items.map(subjectOf);
		const kept = last && haveSameNames(last.subjects, subjects) ? last.places : undefined;
		const places = kept ?? orderByName(subjects, textKeyOf);
		last = { subjects, places };
		if (by === 'name' && !isReversed) return at(places, items);

		const values = subjects.map(sortValues(by, subjects, now, textKeyOf));
		const piles = new Map<Value, number[]>();
		for (const value of distinctInOrder(values, isReversed)) piles.set(value, []);
		for (const place of places) piles.get(values[place])?.push(place);
		const ordered: number[] = [];
		for (const pile of piles.values()) for (const place of pile) ordered.push(place);
		return at(ordered, items);
	};
}

function at<T>(places: readonly number[], items: readonly T[]): readonly T[] {
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

/** Where they stand among the others when they are ordered by name. */
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

/** Each value once, in order, with what is not known behind all others. */
function distinctInOrder(values: readonly Value[], isReversed: boolean): readonly Value[] {
	const different = new Set(values);
	const isUntold = different.delete(undefined);
	const numbers = [...different].filter(value => typeof value === 'number');
	const texts = [...different].filter(value => typeof value === 'string');
	const sorted: Value[] = [...Float64Array.from(numbers).sort(), ...texts.sort()];
	if (isReversed) sorted.reverse();
	return isUntold ? [...sorted, undefined] : sorted;
}

/** What the subjects are ordered by, as values that compare by themselves. */
function sortValues(
	by: FieldName,
	subjects: readonly FieldSource[],
	now: number,
	textKeyOf: (text: string) => string,
): (subject: FieldSource) => Value {
	if (by === 'name') return ({ reading }) => textKeyOf(reading.name ?? reading.id);
	if (by === 'status') return ({ phase }) => phases.indexOf(phase);
	const { kind, values } = fields[by];
	const valueIn = (subject: FieldSource): Value => values(subject, now)[0];
	if (kind === 'version') {
		const rankOf = ranksOf(new Set(subjects.map(valueIn)));
		return subject => rankOf.get(valueIn(subject));
	}
	if (kind !== 'text') return valueIn;
	return subject => {
		const value = valueIn(subject);
		return value === undefined ? undefined : textKeyOf(String(value));
	};
}

/** There are few versions in a fleet, and each is taken to pieces once. */
function ranksOf(versions: ReadonlySet<Value>): ReadonlyMap<Value, number> {
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

// No fleet has so many: they are this many only when most are names that nobody has now.
const mostKnown = 50_000;

/**
 * Makes keys that compare, letter by letter, as texts do in which numbers count as numbers: web-9 goes
 * before web-10. Nothing of a locale is loaded for it: that would cost more than all the rest.
 */
export function createTextKeys(): (text: string) => string {
	const known = new Map<string, string>();
	return text => {
		let key = known.get(text);
		if (key !== undefined) return key;
		if (known.size >= mostKnown) known.clear();
		key = text.toLowerCase().replace(/\d+/g, number => {
			const digits = number.replace(/^0+(?=.)/, '');
			// A longer number is a larger one: its length stands before it, where digits stand.
			return String.fromCharCode(0x2f + digits.length) + digits;
		});
		known.set(text, key);
		return key;
	};
}
