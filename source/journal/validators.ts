/** Checks a value that was read from disk. Another version, or a person, may have changed the file. */
export type Check = (value: unknown) => boolean;

export const isText: Check = value => typeof value === 'string';
export const isNumber: Check = value => typeof value === 'number' && Number.isFinite(value);
export const isBoolean: Check = value => typeof value === 'boolean';

export function isNullOr(check: Check): Check {
	return value => value === null || check(value);
}

export function isOneOf(...words: readonly string[]): Check {
	return value => typeof value === 'string' && words.includes(value);
}

export function isListOf(check: Check): Check {
	return value => Array.isArray(value) && value.every(check);
}

/** Checks for an object with these required and optional fields. Other fields are allowed. */
export function isObjectWith(
	required: Readonly<Record<string, Check>>,
	optional: Readonly<Record<string, Check>> = {},
): Check {
	const [needed, possible] = [Object.entries(required), Object.entries(optional)];
	return value => {
		if (!isObject(value)) return false;
		return (
			needed.every(([field, check]) => check(value[field])) &&
			possible.every(([field, check]) => value[field] === undefined || check(value[field]))
		);
	};
}

/** Returns the JSON value of a line; undefined if the line is not JSON. */
export function jsonFrom(line: string): unknown {
	try {
		return JSON.parse(line);
	} catch {
		return undefined;
	}
}

export function isObject(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
