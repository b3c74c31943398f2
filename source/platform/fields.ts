import { unreadable } from './platform-error.ts';

/**
 * An object of the wire under the names that matter: `stageProgress`, `stage_progress` and
 * `StageProgress` are one field.
 */
export type Fields = {
	/** Where in the answer it stood, for what is said when it cannot be read. */
	path: string;
	/** The first of these names that holds a value; null if one holds null; else undefined. */
	get(...names: readonly string[]): unknown;
};

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function fieldsFrom(value: unknown, path: string): Fields {
	if (!isObject(value)) throw unreadable(path, 'an object');
	const { spellings } = fieldNamesOf(Object.keys(value));
	return {
		path,
		get(...names) {
			let found: unknown;
			for (const name of names) {
				const spelled = spellings.get(name);
				if (spelled === undefined) continue;
				for (const spelling of spelled) {
					const content = value[spelling];
					if (content !== undefined && content !== null) return content;
					if (content === null) found = null;
				}
			}
			return found;
		},
	};
}

/** The names of an object, in its order, and which of them spell the same field. */
type FieldNames = { keys: readonly string[]; spellings: ReadonlyMap<string, readonly string[]> };

// A list of ten thousand computers has the same thirty names ten thousand times, in two or three
// orders. The bounds keep a service that makes up new names from filling the memory with them.
const recent: FieldNames[] = [];
const [mostShapes, mostKeys, longestKey] = [16, 100, 100];
let oldest = 0;

function fieldNamesOf(keys: readonly string[]): FieldNames {
	for (const shape of recent) if (isSame(shape.keys, keys)) return shape;
	const shape = { keys, spellings: spellingsIn(keys) };
	if (keys.length <= mostKeys && keys.every(key => key.length <= longestKey)) {
		recent[oldest] = shape;
		oldest = (oldest + 1) % mostShapes;
	}
	return shape;
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
	if (one.length !== other.length) return false;
	for (let at = 0; at < one.length; at += 1) if (one[at] !== other[at]) return false;
	return true;
}

function spellingsIn(keys: readonly string[]): ReadonlyMap<string, readonly string[]> {
	const spellings = new Map<string, string[]>();
	for (const key of keys) {
		const plain = key.replace(/[_-]/g, '').toLowerCase();
		const known = spellings.get(plain);
		if (known) known.push(key);
		else spellings.set(plain, [key]);
	}
	return spellings;
}
