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
	/**
	 * Like `get`, for a list of names that is a constant: which keys stand for the names is kept for further objects with
	 * the same keys.
	 */
	getAny(names: readonly string[]): unknown;
};

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function fieldsFrom(value: unknown, path: string): Fields {
	if (!isObject(value)) throw unreadableError(path, 'an object');
	return new FieldsOfObject(value, path, fieldNamesOf(Object.keys(value)));
}

/** An object without fields. */
export const noFields = (path: string): Fields => new FieldsOfObject({}, path, noFieldNames);

// The list of a command is decoded by code that V8 has not compiled yet. A class and counting loops take half as long
// there as closures and iterators.
class FieldsOfObject implements Fields {
	readonly path: string;
	private readonly value: Readonly<Record<string, unknown>>;
	private readonly fieldNames: FieldNames;

	constructor(value: Readonly<Record<string, unknown>>, path: string, fieldNames: FieldNames) {
		this.path = path;
		this.value = value;
		this.fieldNames = fieldNames;
	}

	get(...names: readonly string[]): unknown {
		return this.valueAt(keysFor(names, this.fieldNames));
	}

	getAny(names: readonly string[]): unknown {
		const { keysByNames } = this.fieldNames;
		let keys = keysByNames.get(names);
		if (keys === undefined) {
			keys = keysFor(names, this.fieldNames);
			keysByNames.set(names, keys);
		}
		return this.valueAt(keys);
	}

	private valueAt(keys: readonly string[]): unknown {
		let valueOrNull: unknown;
		for (let at = 0; at < keys.length; at += 1) {
			const content = this.value[keys[at] as string];
			if (content !== undefined && content !== null) return content;
			if (content === null) valueOrNull = null;
		}
		return valueOrNull;
	}
}

type FieldNames = {
	/** The keys of an object in their order as one text. */
	keys: string;
	/** For each normalised name, the keys that stand for it. */
	keysByName: ReadonlyMap<string, readonly string[]>;
	/** For each list of names that was looked for, the keys that stand for any of them, in the order of the list. */
	keysByNames: Map<readonly string[], readonly string[]>;
	/**
	 * An object with these keys. V8 drops the shape of objects when none of them is left, and with it the code that it has
	 * optimised for that shape. Without the example, it would optimise the decoding anew after each garbage collection.
	 */
	example?: Fields;
};

const noFieldNames: FieldNames = { keys: '', keysByName: new Map(), keysByNames: new Map() };

const keysFor = (names: readonly string[], { keysByName }: FieldNames): readonly string[] =>
	names.flatMap(name => keysByName.get(name) ?? []);

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
		keysByNames: new Map(),
	};
	const isUnambiguous = keys.every(key => key.length <= maxKeyLength && !key.includes(separator));
	if (keys.length <= maxKeys && isUnambiguous) {
		fieldNames.example = exampleWith(keys, fieldNames);
		cachedFieldNames[indexOfOldestEntry] = fieldNames;
		indexOfOldestEntry = (indexOfOldestEntry + 1) % maxCachedOrders;
	}
	return fieldNames;
}

// Only an object that comes from JSON has the same shape as the objects of a response.
function exampleWith(keys: readonly string[], fieldNames: FieldNames): Fields {
	const value = JSON.parse(JSON.stringify(Object.fromEntries(keys.map(key => [key, null]))));
	return new FieldsOfObject(value, '', fieldNames);
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
