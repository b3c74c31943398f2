import { responseLimits, sizeText } from './decoding/body.ts';
import type { Page, WireValue } from './decoding/decode-envelope.ts';
import { unreadableError } from './decoding/platform-error.ts';
import type { HttpResponse } from './http.ts';
import { jsonBody } from './json-body.ts';

// These limits are more than any account needs: twice the computers that this program supports. They keep an
// endless list from occupying the program for ever or filling its memory.
const maxPages = 500;
const maxItems = 20_000;
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
	for (;;) {
		const response = await readPage(query);
		bytes += response.byteCount;
		if (bytes > maxBytes) throw unreadableError('the list', `at most ${sizeText(maxBytes)}`);
		const page = pageFrom(jsonBody(response));
		if (items.length + page.items.length > maxItems) {
			throw unreadableError('the list', `at most ${maxItems} records`);
		}
		for (const item of page.items) items.push(item);
		if (page.cursor === undefined) return { items, requestCount: seenCursors.size + 1 };
		if (seenCursors.has(page.cursor) || seenCursors.size >= maxPages) {
			throw unreadableError('next_cursor', 'a list that ends');
		}
		seenCursors.add(page.cursor);
		query = `?cursor=${encodeURIComponent(page.cursor)}`;
	}
}
