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

export function isObject(value: unknown): value is JsonObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function fieldsFrom(value: unknown, path: string): Fields {
	if (!isObject(value)) throw unreadableError(path, 'an object');
	return new FieldsOfObject(value, path, fieldNamesOf(Object.keys(value)));
}

/** An object without fields. */
export const noFields = (path: string): Fields => new FieldsOfObject({}, path, noFieldNames);

class FieldsOfObject implements Fields {
	readonly path: string;
	private readonly value: JsonObject;
	private readonly fieldNames: FieldNames;

	constructor(value: JsonObject, path: string, fieldNames: FieldNames) {
		this.path = path;
		this.value = value;
		this.fieldNames = fieldNames;
	}

	get(...names: readonly string[]): unknown {
		return fieldValue(this.value, keysFor(names, this.fieldNames));
	}
}

export type JsonObject = Readonly<Record<string, unknown>>;

/** The keys of an object that stand for a field, in the order in which they count; undefined if it has none. */
export type Keys = string | readonly string[] | undefined;

/** For each field of a table, the keys that stand for it. */
export type KeysOf<Field extends string> = Readonly<Record<Field, Keys>>;

const noObject: JsonObject = {};

/**
 * Returns a function that finds the keys of an object that stand for the fields of a table. The keys are kept for further
 * objects with the same keys. So of a record in a long list, each field takes one look at the record, which matters
 * because the list of a command is decoded by code that V8 has not compiled yet.
 */
export function createKeyFinder<Field extends string>(
	table: Readonly<Record<Field, readonly string[]>>,
): (value: JsonObject) => KeysOf<Field> {
	/** The keys of the last object as one text, and what was found for them. Most objects of a list have the same keys. */
	let last: { joined: string; found: KeysOf<Field> } | undefined;

	function keysIn(keys: readonly string[]): KeysOf<Field> {
		const fieldNames = fieldNamesOf(keys);
		const known = fieldNames.keysByTable.get(table);
		if (known) return known as KeysOf<Field>;
		const found = Object.fromEntries(
			(Object.keys(table) as Field[]).map(field => [field, keysFor(table[field], fieldNames)]),
		) as KeysOf<Field>;
		fieldNames.keysByTable.set(table, found);
		return found;
	}

	const noKeys = keysIn([]);

	return value => {
		if (value === noObject) return noKeys;
		const keys = Object.keys(value);
		const joined = keys.join(separator);
		if (last?.joined === joined) return last.found;
		const found = keysIn(keys);
		last = isUnambiguous(keys) ? { joined, found } : undefined;
		return found;
	};
}

/** Returns the value of a field, as `get` of `Fields` does. */
export function fieldValue(value: JsonObject, keys: Keys): unknown {
	if (keys === undefined) return undefined;
	if (typeof keys === 'string') return value[keys];
	let valueOrNull: unknown;
	for (const key of keys) {
		const content = value[key];
		if (content !== undefined && content !== null) return content;
		if (content === null) valueOrNull = null;
	}
	return valueOrNull;
}

/** Returns the object in a field; an empty one if there is none. */
export function objectIn(value: JsonObject, keys: Keys): JsonObject {
	const content = fieldValue(value, keys);
	return isObject(content) ? content : noObject;
}

type FieldNames = {
	/** The keys of an object in their order as one text. */
	keys: string;
	/** For each normalised name, the keys that stand for it. */
	keysByName: ReadonlyMap<string, readonly string[]>;
	/** For each table of fields that was looked for, the keys that stand for its fields. */
	keysByTable: Map<object, KeysOf<string>>;
	/**
	 * An object with these keys. V8 drops the shape of objects when none of them is left, and with it the code that it has
	 * optimised for that shape. Without the example, it would have to optimise the decoding again after each garbage collection.
	 */
	example?: JsonObject;
};

const noFieldNames: FieldNames = { keys: '', keysByName: new Map(), keysByTable: new Map() };

function keysFor(names: readonly string[], { keysByName }: FieldNames): Keys {
	const keys = names.flatMap(name => keysByName.get(name) ?? []);
	return keys.length > 1 ? keys : keys[0];
}

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
	const fieldNames: FieldNames = {
		keys: joined,
		keysByName: keysByNameIn(keys),
		keysByTable: new Map(),
	};
	if (isUnambiguous(keys)) {
		fieldNames.example = exampleWith(keys);
		cachedFieldNames[indexOfOldestEntry] = fieldNames;
		indexOfOldestEntry = (indexOfOldestEntry + 1) % maxCachedOrders;
	}
	return fieldNames;
}

/** Whether the keys as one text can be kept, and stand for no other keys. */
const isUnambiguous = (keys: readonly string[]): boolean =>
	keys.length <= maxKeys &&
	keys.every(key => key.length <= maxKeyLength && !key.includes(separator));

// Only an object that comes from JSON has the same shape as the objects of a response.
const exampleWith = (keys: readonly string[]): JsonObject =>
	JSON.parse(JSON.stringify(Object.fromEntries(keys.map(key => [key, null]))));

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
