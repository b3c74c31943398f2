import type { Page, Placed } from './decode-envelope.ts';
import type { Answer } from './exchange.ts';
import { unreadable } from './platform-error.ts';
import { readable } from './readable.ts';

// More pages than any account has, and twice the computers that this program is made for. A service that
// never ends its list must not keep us for ever, nor fill the memory.
const mostPages = 500;
const mostItems = 20_000;

/** A list to its end, page after page. */
export async function readAll(
	read: (query: string) => Promise<Answer>,
	pageFrom: (body: unknown) => Page,
): Promise<{ items: readonly Placed[]; requests: number }> {
	const items: Placed[] = [];
	const seen = new Set<string>();
	let query = '';
	for (;;) {
		const page = pageFrom(readable(await read(query)));
		if (items.length + page.items.length > mostItems) {
			throw unreadable('the list', `at most ${mostItems} records`);
		}
		for (const item of page.items) items.push(item);
		if (page.cursor === undefined) return { items, requests: seen.size + 1 };
		if (seen.has(page.cursor) || seen.size >= mostPages) {
			throw unreadable('next_cursor', 'an end of the pages');
		}
		seen.add(page.cursor);
		query = `?cursor=${encodeURIComponent(page.cursor)}`;
	}
}
