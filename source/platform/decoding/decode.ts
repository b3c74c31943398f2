import { isPlainAddress, isSafeForSecrets } from '../../foundation/network.ts';
import { largestNumber } from '../../foundation/schema.ts';
import { cleanText, maxLabelLength, maxTextLength } from './clean.ts';
import { type Fields, fieldsFrom, isObject, noFields } from './fields.ts';
import { unreadableError } from './platform-error.ts';

/**
 * Finds the first of the named fields that holds an object, and returns the fields of that object. Returns no
 * fields if there is no such object.
 */
export function nestedFields(fields: Fields, ...names: readonly string[]): Fields {
	const nested = fields.get(...names);
	const path = pathTo(fields.path, names[0] ?? '');
	return isObject(nested) ? fieldsFrom(nested, path) : noFields(path);
}

export function pathTo(path: string, name: string | number): string {
	if (typeof name === 'number') return `${path}[${name}]`;
	return path === '' ? name : `${path}.${name}`;
}

/** Null means that the response reports no value; undefined means that the response lacks the field. */
export type Maybe<T> = T | null | undefined;

/**
 * Returns the cleaned text of a string or a number; null for an empty string, undefined for any other type.
 * Also returns undefined for a whole number beyond 2^53: parsing rounds such a number, and a rounded id could
 * be the id of another computer.
 */
export function textFrom(value: unknown): Maybe<string> {
	return cleanedTextFrom(value, maxTextLength);
}

/** Like `textFrom`, for a field that holds only a few words. */
export function labelFrom(value: unknown): Maybe<string> {
	return cleanedTextFrom(value, maxLabelLength);
}

/** The labels that many computers have, by how the platform writes them. */
const sharedLabels = new Map<unknown, string>();

// A fleet has fewer different ones. The limit bounds the memory if a platform sends arbitrary texts.
const maxSharedLabels = 500;

/**
 * Like `labelFrom`, for a field whose label many computers have. A label is cleaned once, and equal labels are the same
 * object. V8 does the latter itself for texts of at most ten characters.
 */
export function sharedLabelFrom(value: unknown): Maybe<string> {
	const known = sharedLabels.get(value);
	if (known !== undefined) return known;
	const label = labelFrom(value);
	if (typeof value !== 'string' || value.length > maxLabelLength || !label) return label;
	if (sharedLabels.size >= maxSharedLabels) sharedLabels.clear();
	sharedLabels.set(value, label);
	return label;
}

function cleanedTextFrom(value: unknown, maxLength: number): Maybe<string> {
	if (typeof value === 'string') return cleanText(value, maxLength) || null;
	if (value === null || value === undefined) return value;
	if (typeof value === 'boolean') return String(value);
	if (typeof value !== 'number') return undefined;
	return Number.isInteger(value) && !Number.isSafeInteger(value) ? undefined : String(value);
}

/**
 * Reads a number, or text that contains a number, with or without a percent sign; undefined if the number is
 * too large to show.
 */
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

// Most dates have this form. They are parsed without looking for other forms.
const usualDateLength = '2026-11-21T08:00:00.000Z'.length;
const isoDateStart = /^\d{4}-\d/;
const minTimeMs = Date.UTC(2000, 0);
const maxTimeMs = Date.UTC(2200, 0);

/** Returns milliseconds since 1970 from an ISO date, from seconds or from milliseconds. */
export function timeFrom(value: unknown): Maybe<number> {
	if (value === null) return null;
	if (typeof value === 'string' && value.length === usualDateLength && value.endsWith('Z')) {
		const time = Date.parse(value);
		if (time >= minTimeMs && time <= maxTimeMs) return time;
	}
	const number =
		typeof value === 'string' && isoDateStart.test(value) ? undefined : numberFrom(value);
	const time =
		typeof number === 'number'
			? number * (number < minTimeMs ? 1000 : 1)
			: typeof value === 'string' && value.length <= 40
				? timeFromDateText(value.trim())
				: Number.NaN;
	return time >= minTimeMs && time <= maxTimeMs ? time : undefined;
}

// A date without a zone is in UTC, but Date.parse would assume the local zone.
function timeFromDateText(text: string): number {
	if (text.endsWith('Z')) return Date.parse(text);
	return Date.parse(/[T ]\d\d?(:\d\d)+(\.\d+)?$/.test(text) ? `${text}Z` : text);
}

/** Returns an address only if it is safe to open: https anywhere, or http on this machine. */
export function addressFrom(value: unknown): string | undefined {
	if (typeof value !== 'string' || value.length > 2000) return undefined;
	if (isPlainAddress(value)) return value;
	if (!URL.canParse(value)) return undefined;
	const url = new URL(value);
	return isSafeForSecrets(url) ? cleanText(url.href) : undefined;
}

/** Removes undefined fields, so that merging two responses does not overwrite a value with undefined. */
export function withoutUndefinedFields<T extends object>(
	values: { [K in keyof Required<T>]: T[K] | undefined },
): T {
	const defined: Partial<T> = {};
	for (const name in values) {
		const value = values[name];
		if (value !== undefined) defined[name] = value;
	}
	return defined as T;
}

/** A value in a response, and its path, such as `data.sandboxes[3]`, for error messages. */
export type WireValue = { value: unknown; path: string };

/** Returns the content of a response without the envelope `{success, data}` or `{data}`. */
export function unwrapEnvelope(body: unknown): WireValue {
	const isWrapped = isObject(body) && 'data' in body;
	return isWrapped ? { value: body['data'], path: 'data' } : { value: body, path: '' };
}

/**
 * Returns the record in a response, without the envelope and without a wrapping object such as `{sandbox: …}`.
 */
export function unwrapRecord(body: unknown, ...recordNames: readonly string[]): WireValue {
	const content = unwrapEnvelope(body);
	if (!isObject(content.value)) return content;
	const fields = fieldsFrom(content.value, content.path);
	const record = fields.get(...recordNames);
	if (isObject(record)) return { value: record, path: pathTo(content.path, recordNames[0] ?? '') };
	return content;
}

export type Page = {
	items: readonly WireValue[];
	/** The cursor that the request for the next page must contain; absent on the last page. */
	cursor?: string;
};

/**
 * Reads a list in any envelope that platforms use. An object that `isItem` accepts counts as a list of one,
 * because a platform with one computer per account may respond that way. Anything else throws; it never counts
 * as an empty list.
 */
export function pageFrom(
	body: unknown,
	listNames: readonly string[],
	isItem: (value: unknown) => boolean = () => false,
): Page {
	const cursor = cursorIn(body);
	const pageOf = (list: readonly unknown[], path: string): Page => ({
		items: list.map((value, index) => ({ value, path: pathTo(path, index) })),
		...(cursor && { cursor }),
	});
	for (const { value, path } of [{ value: body, path: '' }, unwrapEnvelope(body)]) {
		if (Array.isArray(value)) return pageOf(value, path);
		if (!isObject(value)) continue;
		if (isItem(value)) return { items: [{ value, path }] };
		const fields = fieldsFrom(value, path);
		for (const name of listNames) {
			const list = fields.get(name);
			if (Array.isArray(list)) return pageOf(list, pathTo(path, name));
		}
	}
	throw unreadableError(unwrapEnvelope(body).path, 'a list');
}

function cursorIn(body: unknown): string | undefined {
	for (const value of [body, unwrapEnvelope(body).value]) {
		if (!isObject(value)) continue;
		const cursor = fieldsFrom(value, '').get('nextcursor', 'nextpagetoken');
		const text = textFrom(cursor);
		if (text) return text;
	}
	return undefined;
}
