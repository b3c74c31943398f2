import { pathTo, textFrom } from './decode.ts';
import { fieldsFrom, isObject } from './fields.ts';
import { unreadableError } from './platform-error.ts';

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
