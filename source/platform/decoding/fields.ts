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
	const { keysByName } = fieldNamesOf(Object.keys(value));
	return {
		path,
		get(...names) {
			let valueOrNull: unknown;
			for (const name of names) {
				const keysOfField = keysByName.get(name);
				if (keysOfField === undefined) continue;
				for (const spelling of keysOfField) {
					const content = value[spelling];
					if (content !== undefined && content !== null) return content;
					if (content === null) valueOrNull = null;
				}
			}
			return valueOrNull;
		},
	};
}

/** The keys of an object in their order, and, for each normalised name, the keys that stand for it. */
type FieldNames = { keys: readonly string[]; keysByName: ReadonlyMap<string, readonly string[]> };

// The field names are cached by key order, because the records of a list repeat the same thirty keys in only
// two or three orders. The limits bound the memory if a platform sends arbitrary keys.
const cachedFieldNames: FieldNames[] = [];
const [maxCachedOrders, maxKeys, maxKeyLength] = [16, 100, 100];
let indexOfOldestEntry = 0;

function fieldNamesOf(keys: readonly string[]): FieldNames {
	for (const fieldNames of cachedFieldNames)
		if (isSameList(fieldNames.keys, keys)) return fieldNames;
	const fieldNames = { keys, keysByName: keysByNameIn(keys) };
	if (keys.length <= maxKeys && keys.every(key => key.length <= maxKeyLength)) {
		cachedFieldNames[indexOfOldestEntry] = fieldNames;
		indexOfOldestEntry = (indexOfOldestEntry + 1) % maxCachedOrders;
	}
	return fieldNames;
}

function isSameList(one: readonly string[], other: readonly string[]): boolean {
	if (one.length !== other.length) return false;
	for (let at = 0; at < one.length; at += 1) if (one[at] !== other[at]) return false;
	return true;
}

function keysByNameIn(keys: readonly string[]): ReadonlyMap<string, readonly string[]> {
	const keysByName = new Map<string, string[]>();
	for (const key of keys) {
		const fieldName = key.replace(/[_-]/g, '').toLowerCase();
		const keysOfField = keysByName.get(fieldName);
		if (keysOfField) keysOfField.push(key);
		else keysByName.set(fieldName, [key]);
	}
	return keysByName;
}
