import { responseLimits, sizeText } from './decoding/body.ts';
import {
	booleanFrom,
	type Page,
	textFrom,
	unwrapEnvelope,
	type WireValue,
	withoutUndefinedFields,
} from './decoding/decode.ts';
import { maxRecords, tooManyRecordsError } from './decoding/decode-list.ts';
import { fieldsFrom, isObject } from './decoding/fields.ts';
import { PlatformError, unreadableError } from './decoding/platform-error.ts';
import type { HttpResponse } from './http.ts';

/** The response to an operation. A platform may omit any of these fields. */
export type Acknowledgement = { message?: string; version?: string; hasStarted?: boolean };

/**
 * Reads a successful response. Any body confirms success, except a web page, which did not come from the
 * platform.
 */
export function acknowledgementFrom(response: HttpResponse): Acknowledgement {
	if (isWebPage(response)) throw webPageError();
	const { value } = unwrapEnvelope(response.json);
	if (!isObject(value)) return {};
	const fields = fieldsFrom(value, '');
	return withoutUndefinedFields<Acknowledgement>({
		message: textFrom(fields.get('message')) ?? undefined,
		version: textFrom(fields.get('targetversion')) ?? undefined,
		hasStarted: booleanFrom(fields.get('started')),
	});
}

/** The outcome is unknown: a web page does not show whether the request reached the platform. */
function webPageError(): PlatformError {
	const { failure } = unreadableError('', 'JSON, got a web page');
	return new PlatformError({ ...failure, isOutcomeUnknown: true });
}

/** Returns the JSON of a response. Throws if the body is not JSON. */
export function jsonBody(response: HttpResponse): unknown {
	if (response.json !== undefined) return response.json;
	if (response.text.trim() === '') throw unreadableError('', 'JSON, got nothing');
	throw unreadableError(
		'',
		isWebPage(response) ? 'JSON, got a web page' : 'JSON, got something else',
	);
}

/**
 * Whether the response is a web page, such as the error page of a proxy. A web page may arrive with any status.
 */
function isWebPage({ text }: HttpResponse): boolean {
	return /^\s*</.test(text);
}

// No account needs as much as these limits or `maxRecords` allow. They keep an endless list from occupying the
// program forever or filling its memory.
const maxPages = 500;
/** The number of pages with at most one record that may come before the last page. */
const maxSmallPages = 2;
const maxBytes = 2 * responseLimits.fleet;

/** Reads all pages of a list. */
export async function readAllPages(
	readPage: (query: string) => Promise<HttpResponse>,
	pageFrom: (body: unknown) => Page,
): Promise<{ items: readonly WireValue[]; requestCount: number }> {
	const items: WireValue[] = [];
	const seenCursors = new Set<string>();
	let query = '';
	let bytes = 0;
	let smallPages = 0;
	let requestCount = 0;
	for (;;) {
		const response = await readPage(query);
		requestCount += 1;
		bytes += response.byteCount;
		if (bytes > maxBytes) throw unreadableError('the list', `at most ${sizeText(maxBytes)}`);
		const page = pageFrom(jsonBody(response));
		if (items.length + page.items.length > maxRecords) {
			throw tooManyRecordsError();
		}
		for (const item of page.items) items.push(item);
		if (page.cursor === undefined) return { items, requestCount };
		if (page.items.length <= 1) smallPages += 1;
		seenCursors.add(page.cursor);
		if (seenCursors.size >= maxPages) {
			throw unreadableError('next_cursor', `a list of at most ${maxPages} pages`);
		}
		if (seenCursors.size < requestCount || smallPages > maxSmallPages) {
			throw unreadableError('next_cursor', 'a list that ends');
		}
		query = `?cursor=${encodeURIComponent(page.cursor)}`;
	}
}
