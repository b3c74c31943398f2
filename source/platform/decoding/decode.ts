import { isSafeForSecrets } from '../../foundation/network.ts';
import { largestNumber } from '../../foundation/schema.ts';
import { isObject } from '../../foundation/validate.ts';
import { cleanText, maxLabelLength, maxTextLength } from './clean.ts';
import { unreadableError } from './platform-error.ts';

/**
 * The first of these fields that has a value; null if none has, and one is null. `stageProgress`, `stage_progress` and
 * `StageProgress` are one field.
 */
export type Fields = (...names: readonly string[]) => unknown;

/** `what` is expected to be an object. */
export function fieldsFrom(value: unknown, what = ''): Fields {
	if (!isObject(value)) throw unreadableError(what, 'an object');
	const values: Record<string, unknown> = {};
	for (const key in value) {
		const name = key.replace(/[_-]/g, '').toLowerCase();
		values[name] = values[name] ?? value[key];
	}
	return (...names) => {
		let found: unknown;
		for (const name of names) {
			const value = values[name];
			if (value !== undefined && value !== null) return value;
			if (value === null) found = null;
		}
		return found;
	};
}

/** Without any field if it is not an object. */
export const optionalFieldsFrom = (value: unknown): Fields =>
	fieldsFrom(isObject(value) ? value : {});

/** Null means that the response reports no value; undefined means that the response lacks the field. */
export type Maybe<T> = T | null | undefined;

/** Undefined for a whole number beyond 2^53: parsing rounds it, and a rounded id could be the id of another computer. */
export const textFrom = (value: unknown) => cleanedFrom(value, maxTextLength);

export const labelFrom = (value: unknown) => cleanedFrom(value, maxLabelLength);

function cleanedFrom(value: unknown, maxLength: number): Maybe<string> {
	if (typeof value === 'string') return cleanText(value, maxLength) || null;
	if (value === null || value === undefined) return value;
	if (typeof value === 'boolean') return String(value);
	if (typeof value !== 'number') return undefined;
	return Number.isInteger(value) && !Number.isSafeInteger(value) ? undefined : String(value);
}

/** Undefined if the number is too large to show. */
export function numberFrom(value: unknown): Maybe<number> {
	if (value === null || value === undefined) return value;
	if (typeof value === 'number') return Math.abs(value) <= largestNumber ? value : undefined;
	if (typeof value !== 'string' || value.length > 40) return undefined;
	const digits = value.trim().replace(/\s*%$/, '');
	const isNumber = /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d{1,2})?$/i.test(digits);
	return isNumber ? numberFrom(Number(digits)) : undefined;
}

export function integerFrom(value: unknown, min: number, max: number): Maybe<number> {
	const number = numberFrom(value);
	if (number === null || number === undefined) return number;
	const rounded = Math.round(number);
	return rounded >= min && rounded <= max ? rounded : undefined;
}

export function booleanFrom(value: unknown): boolean | undefined {
	if (typeof value === 'boolean') return value;
	if (value === 1 || value === 'true') return true;
	return value === 0 || value === 'false' ? false : undefined;
}

const minTimeMs = Date.UTC(2000, 0);
const maxTimeMs = Date.UTC(2200, 0);

export function timeFrom(value: unknown): Maybe<number> {
	if (value === null) return null;
	const isDate = typeof value === 'string' && /^\d{4}-\d/.test(value);
	const number = isDate ? undefined : numberFrom(value);
	const time =
		typeof number === 'number'
			? number * (number < minTimeMs ? 1000 : 1)
			: timeFromDateText(typeof value === 'string' && value.length <= 40 ? value.trim() : '');
	return time >= minTimeMs && time <= maxTimeMs ? time : undefined;
}

// A date without a zone is in UTC, but Date.parse would assume the local zone.
const timeFromDateText = (text: string) =>
	Date.parse(/[T ]\d\d?(:\d\d)+(\.\d+)?$/.test(text) ? `${text}Z` : text);

export function addressFrom(value: unknown): string | undefined {
	if (typeof value !== 'string' || value.length > 2000 || !URL.canParse(value)) return undefined;
	const url = new URL(value);
	return isSafeForSecrets(url) ? cleanText(url.href) : undefined;
}

export function presentFields<T extends object>(
	values: { [K in keyof Required<T>]: T[K] | null | undefined },
): T {
	const present = Object.entries(values).filter(
		([, value]) => value !== undefined && value !== null,
	);
	return Object.fromEntries(present) as T;
}

/** The envelope is `{success, data}` or `{data}`. */
export const unwrapEnvelope = (body: unknown): unknown =>
	isObject(body) && 'data' in body ? body['data'] : body;

export function unwrapRecord(body: unknown, ...recordNames: readonly string[]): unknown {
	const content = unwrapEnvelope(body);
	const record = optionalFieldsFrom(content)(...recordNames);
	return isObject(record) ? record : content;
}

export type Page = {
	items: readonly unknown[];
	cursor?: string | undefined;
};

/**
 * One object counts as a list where a platform has one computer per account. Anything else throws; it is never an empty
 * list.
 */
export function pageFrom(
	body: unknown,
	listNames: readonly string[],
	isItem: (fields: Fields) => boolean = () => false,
): Page {
	const contents = [body, unwrapEnvelope(body)];
	const cursors = contents.map(content =>
		textFrom(optionalFieldsFrom(content)('nextcursor', 'nextpagetoken')),
	);
	const cursor = cursors.find(each => typeof each === 'string');
	for (const content of contents) {
		if (Array.isArray(content)) return { items: content, cursor };
		const fields = optionalFieldsFrom(content);
		if (isItem(fields)) return { items: [content] };
		const list = listNames.map(name => fields(name)).find(Array.isArray);
		if (list) return { items: list, cursor };
	}
	throw unreadableError('', 'a list');
}

/** Whether a text, once encoded, is exactly one segment of a path. */
export function isPathSegment(text: string): boolean {
	// A lone surrogate cannot be encoded.
	if (/^[\w-]+$/.test(text)) return true;
	if (text === '' || /\p{Cs}/u.test(text)) return false;
	const path = `/one/${encodeURIComponent(text)}/two`;
	return new URL(path, 'https://platform.invalid').pathname === path;
}
