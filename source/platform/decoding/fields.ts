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
	return new FieldsOfObject(value, path, fieldNamesOf(Object.keys(value)).keysByName);
}

/** An object without fields. */
export const noFields = (path: string): Fields => new FieldsOfObject({}, path, new Map());

// The list of a command is decoded by code that V8 has not compiled yet. A class and counting loops take half as long
// there as closures and iterators.
class FieldsOfObject implements Fields {
	readonly path: string;
	private readonly value: Readonly<Record<string, unknown>>;
	private readonly keysByName: ReadonlyMap<string, readonly string[]>;

	constructor(
		value: Readonly<Record<string, unknown>>,
		path: string,
		keysByName: ReadonlyMap<string, readonly string[]>,
	) {
		this.path = path;
		this.value = value;
		this.keysByName = keysByName;
	}

	get(...names: readonly string[]): unknown {
		let valueOrNull: unknown;
		for (let at = 0; at < names.length; at += 1) {
			const keysOfField = this.keysByName.get(names[at] as string);
			if (keysOfField === undefined) continue;
			for (let spelling = 0; spelling < keysOfField.length; spelling += 1) {
				const content = this.value[keysOfField[spelling] as string];
				if (content !== undefined && content !== null) return content;
				if (content === null) valueOrNull = null;
			}
		}
		return valueOrNull;
	}
}

/** The keys of an object in their order as one text, and, for each normalised name, the keys that stand for it. */
type FieldNames = { keys: string; keysByName: ReadonlyMap<string, readonly string[]> };

// The field names are cached by key order, because the records of a list repeat the same thirty keys in only
// two or three orders. The limits bound the memory if a platform sends arbitrary keys.
const cachedFieldNames: FieldNames[] = [];
const [maxCachedOrders, maxKeys, maxKeyLength] = [16, 100, 100];
let indexOfOldestEntry = 0;
const separator = ',';

function fieldNamesOf(keys: readonly string[]): FieldNames {
	const joined = keys.join(separator);
	for (let at = 0; at < cachedFieldNames.length; at += 1) {
		const fieldNames = cachedFieldNames[at] as FieldNames;
		if (fieldNames.keys === joined) return fieldNames;
	}
	const fieldNames = { keys: joined, keysByName: keysByNameIn(keys) };
	const isUnambiguous = keys.every(key => key.length <= maxKeyLength && !key.includes(separator));
	if (keys.length <= maxKeys && isUnambiguous) {
		cachedFieldNames[indexOfOldestEntry] = fieldNames;
		indexOfOldestEntry = (indexOfOldestEntry + 1) % maxCachedOrders;
	}
	return fieldNames;
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
