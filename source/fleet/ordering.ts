import { type FieldName, fields, type Subject } from './field.ts';
import { compareVersions } from './version.ts';

export type Ordering = { by: FieldName; isReversed: boolean };

// What wants attention comes first, what is calm after it.
const phases = [
	...['error', 'unknown', 'creating', 'updating', 'restarting', 'starting', 'stopping'],
	...['active', 'stopped', 'pooled', 'archived'],
];

/** A text taken to pieces, so that numbers in names count as numbers: web-9 before web-10. */
type Pieces = readonly string[];

type Keyed<T> = { subject: T; value: string | number | Pieces | undefined; name: Pieces };

/**
 * Computers in the wanted order. Those of which nothing is known stand last, whichever way round;
 * equal ones by name and then by id, so that no row moves without a reason.
 */
export function inOrder<T extends Subject>(
	subjects: Iterable<T>,
	{ by, isReversed }: Ordering,
	now: number,
): T[] {
	const direction = isReversed ? -1 : 1;
	const compare = by === 'version' ? compareVersionKeys : compareKeys;
	const keyed = Array.from(subjects, subject => keyOf(subject, by, now));
	keyed.sort((a, b) => {
		if (a.value === undefined || b.value === undefined) {
			if (a.value !== b.value) return a.value === undefined ? 1 : -1;
		} else {
			const order = compare(a.value, b.value) * direction;
			if (order !== 0) return order;
		}
		return comparePieces(a.name, b.name) || (a.subject.reading.id < b.subject.reading.id ? -1 : 1);
	});
	return keyed.map(({ subject }) => subject);
}

function keyOf<T extends Subject>(subject: T, by: FieldName, now: number): Keyed<T> {
	const { reading, phase } = subject;
	const name = piecesOf(reading.name ?? reading.id);
	if (by === 'name') return { subject, value: name, name };
	if (by === 'status') return { subject, value: phases.indexOf(phase), name };
	const [value] = fields[by].values(subject, now);
	const isText = fields[by].kind === 'text' && value !== undefined;
	return { subject, value: isText ? piecesOf(String(value)) : value, name };
}

type Key = NonNullable<Keyed<Subject>['value']>;

function compareKeys(a: Key, b: Key): number {
	return typeof a === 'object' && typeof b === 'object'
		? comparePieces(a, b)
		: Number(a) - Number(b);
}

const compareVersionKeys = (a: Key, b: Key) => compareVersions(String(a), String(b));

function piecesOf(text: string): Pieces {
	const lower = text.toLowerCase();
	return /\d/.test(lower) ? (lower.match(/\d+|\D+/g) ?? []) : [lower];
}

// Nothing of a locale is loaded for this: that would cost more than all the rest.
function comparePieces(a: Pieces, b: Pieces): number {
	for (let at = 0; at < a.length && at < b.length; at++) {
		const one = a[at] ?? '';
		const other = b[at] ?? '';
		if (one === other) continue;
		const difference = Number(one) - Number(other);
		if (difference) return difference;
		return one < other ? -1 : 1;
	}
	return a.length - b.length;
}
