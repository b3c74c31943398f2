import { type FieldName, fields, type Subject } from './field.ts';
import { createTextKeys } from './text-key.ts';
import { compareVersions } from './version.ts';

export type Ordering = { by: FieldName; isReversed: boolean };

// What wants attention comes first, what is calm after it.
const phases = [
	...['error', 'unknown', 'creating', 'updating', 'restarting', 'starting', 'stopping'],
	...['active', 'stopped', 'pooled', 'archived'],
];

type Value = string | number | undefined;

type Keyed<T> = { item: T; value: Value; name: string; id: string };

/** Computers in the wanted order. */
export function inOrder<T extends Subject>(
	subjects: Iterable<T>,
	ordering: Ordering,
	now: number,
): readonly T[] {
	return createOrder<T>(subject => subject)([...subjects], ordering, now);
}

/**
 * Brings items into the wanted order. Those of which nothing is known stand last, whichever way round;
 * equal ones by name and then by id, so that no item moves without a reason. In the same ordering as the
 * time before it begins with how they stood then: where little has changed, little is compared.
 */
export function createOrder<T>(subjectOf: (item: T) => Subject) {
	const textKeyOf = createTextKeys();
	let last: Ordered<T> | undefined;

	return (items: readonly T[], { by, isReversed }: Ordering, now: number): readonly T[] => {
		const compare = comparison(isReversed ? -1 : 1);
		const valueIn = valuesBy(by, () => items.map(subjectOf), now, textKeyOf);
		const keyedFrom = (item: T): Keyed<T> => {
			const subject = subjectOf(item);
			const { id, name } = subject.reading;
			return { item, value: valueIn(subject), name: textKeyOf(name ?? id), id };
		};
		const ordering = `${by} ${isReversed}`;
		const before = last?.ordering === ordering ? last : undefined;
		// A version's value is its rank among all others, and ages change with the time.
		const isComparable = before?.now === now && by !== 'version';
		const moved = isComparable ? withMoved(before, items, keyedFrom, compare) : undefined;
		const begin = () => {
			const keyed = items.map(keyedFrom);
			return before ? asBefore(keyed, before.keyed) : keyed;
		};
		const keyed = moved ?? begin().sort(compare);
		last = { ordering, now, items, keyed };
		return keyed.map(({ item }) => item);
	};
}

type Ordered<T> = {
	ordering: string;
	now: number;
	/** As they came. */
	items: readonly T[];
	/** In their order. */
	keyed: readonly Keyed<T>[];
};

type Compare = (a: Keyed<unknown>, b: Keyed<unknown>) => number;

function comparison(direction: 1 | -1): Compare {
	return (a, b) => {
		if (a.value !== b.value) {
			if (a.value === undefined || b.value === undefined) return a.value === undefined ? 1 : -1;
			return (a.value < b.value ? -1 : 1) * direction;
		}
		if (a.name !== b.name) return a.name < b.name ? -1 : 1;
		return a.id < b.id ? -1 : 1;
	};
}

const mostMoved = 50;

/** The same order with the few that changed in their new places; undefined when they are many. */
function withMoved<T>(
	before: Ordered<T>,
	items: readonly T[],
	keyedFrom: (item: T) => Keyed<T>,
	compare: Compare,
): readonly Keyed<T>[] | undefined {
	if (items.length !== before.items.length) return undefined;
	const changed = new Map<T | undefined, T>();
	for (let place = 0; place < items.length; place++) {
		const item = items[place];
		if (item === undefined || item === before.items[place]) continue;
		if (changed.size === mostMoved) return undefined;
		changed.set(before.items[place], item);
	}
	const keyed = before.keyed.filter(({ item }) => !changed.has(item));
	for (const each of [...changed.values()].map(keyedFrom)) {
		let [from, to] = [0, keyed.length];
		while (from < to) {
			const middle = (from + to) >> 1;
			const other = keyed[middle];
			if (other && compare(other, each) < 0) from = middle + 1;
			else to = middle;
		}
		keyed.splice(from, 0, each);
	}
	return keyed.length === items.length ? keyed : undefined;
}

function asBefore<T>(all: readonly Keyed<T>[], ordered: readonly Keyed<T>[]): Keyed<T>[] {
	const places = new Map(ordered.map(({ id }, place) => [id, place]));
	const before = new Array<Keyed<T> | undefined>(places.size);
	const others: Keyed<T>[] = [];
	for (const each of all) {
		const place = places.get(each.id);
		if (place === undefined || before[place]) others.push(each);
		else before[place] = each;
	}
	return [...before.filter(each => each !== undefined), ...others];
}

/** What the subjects are ordered by, as values that compare by themselves. */
function valuesBy(
	by: FieldName,
	subjects: () => readonly Subject[],
	now: number,
	textKeyOf: (text: string) => string,
): (subject: Subject) => Value {
	if (by === 'name') return ({ reading }) => textKeyOf(reading.name ?? reading.id);
	if (by === 'status') return ({ phase }) => phases.indexOf(phase);
	const { kind, values } = fields[by];
	const valueIn = (subject: Subject): Value => values(subject, now)[0];
	if (kind === 'version') {
		const rankOf = ranksOf(new Set(subjects().map(valueIn)));
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
