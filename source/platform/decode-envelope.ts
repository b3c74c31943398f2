import { placeOf, textFrom } from './decode.ts';
import { fieldsFrom, isObject } from './fields.ts';
import { unreadable } from './platform-error.ts';

export type Placed = { value: unknown; place: string };

/** What an answer is about, taken out of `{success, data}` and `{data}`. */
export function contentOf(body: unknown): Placed {
	const isWrapped = isObject(body) && 'data' in body;
	return isWrapped ? { value: body['data'], place: 'data' } : { value: body, place: '' };
}

/** The same, and out of an object of its own under one of these names. */
export function recordIn(body: unknown, ...names: readonly string[]): Placed {
	const content = contentOf(body);
	if (!isObject(content.value)) return content;
	const fields = fieldsFrom(content.value, content.place);
	const inner = fields.get(...names);
	if (isObject(inner)) return { value: inner, place: placeOf(content.place, names[0] ?? '') };
	return content;
}

export type Page = {
	items: readonly Placed[];
	/** Asks for the next page, where there is one. */
	cursor?: string;
};

/**
 * A list in any of its wrappings. An object that `isItem` knows is a list of one: a service with one
 * computer an account answers so. Anything else is unreadable, never an empty list.
 */
export function pageFrom(
	body: unknown,
	names: readonly string[],
	isItem: (value: unknown) => boolean = () => false,
): Page {
	const cursor = cursorIn(body);
	const placed = (list: readonly unknown[], place: string): Page => ({
		items: list.map((value, index) => ({ value, place: placeOf(place, index) })),
		...(cursor && { cursor }),
	});
	for (const { value, place } of [{ value: body, place: '' }, contentOf(body)]) {
		if (Array.isArray(value)) return placed(value, place);
		if (!isObject(value)) continue;
		if (isItem(value)) return { items: [{ value, place }] };
		const fields = fieldsFrom(value, place);
		for (const name of names) {
			const list = fields.get(name);
			if (Array.isArray(list)) return placed(list, placeOf(place, name));
		}
	}
	throw unreadable(contentOf(body).place, 'a list');
}

function cursorIn(body: unknown): string | undefined {
	for (const value of [body, contentOf(body).value]) {
		if (!isObject(value)) continue;
		const cursor = fieldsFrom(value, '').get('nextcursor', 'nextpagetoken');
		const text = textFrom(cursor);
		if (text) return text;
	}
	return undefined;
}
