import { unreadableError } from './platform-error.ts';

/**
 * Reads the fields of a JSON object in any spelling: `stageProgress`, `stage_progress` and `StageProgress` are
 * one field.
 */
export type Fields = {
	/** The path of the object in the response, for error messages. */
	path: string;
	/**
	 * Returns the first value among these names. If there is none, returns null if any of the names is null,
	 * otherwise undefined.
	 */
	get(...names: readonly string[]): unknown;
};

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function fieldsFrom(value: unknown, path: string): Fields {
	if (!isObject(value)) throw unreadableError(path, 'an object');
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

/** The keys of an object in their order, and the keys of each field by its normalised name. */
type FieldNames = { keys: readonly string[]; spellings: ReadonlyMap<string, readonly string[]> };

// The field names are cached by key order, because the records of a list repeat the same thirty keys in only
// two or three orders. The limits bound the memory if a platform sends arbitrary keys.
const recentFieldNames: FieldNames[] = [];
const [maxCached, maxKeys, maxKeyLength] = [16, 100, 100];
let oldestIndex = 0;

function fieldNamesOf(keys: readonly string[]): FieldNames {
	for (const shape of recentFieldNames) if (isSameList(shape.keys, keys)) return shape;
	const shape = { keys, spellings: spellingsOf(keys) };
	if (keys.length <= maxKeys && keys.every(key => key.length <= maxKeyLength)) {
		recentFieldNames[oldestIndex] = shape;
		oldestIndex = (oldestIndex + 1) % maxCached;
	}
	return shape;
}

function isSameList(one: readonly string[], other: readonly string[]): boolean {
	if (one.length !== other.length) return false;
	for (let at = 0; at < one.length; at += 1) if (one[at] !== other[at]) return false;
	return true;
}

function spellingsOf(keys: readonly string[]): ReadonlyMap<string, readonly string[]> {
	const spellings = new Map<string, string[]>();
	for (const key of keys) {
		const plain = key.replace(/[_-]/g, '').toLowerCase();
		const known = spellings.get(plain);
		if (known) known.push(key);
		else spellings.set(plain, [key]);
	}
	return spellings;
}
