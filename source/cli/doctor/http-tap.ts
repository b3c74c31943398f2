import type { Clock } from '../../foundation/clock.ts';
import type { Fetch } from '../../foundation/network.ts';
import { readBody } from '../../platform/decoding/body.ts';
import { cleanText } from '../../platform/decoding/clean.ts';
import { isObject } from '../../platform/decoding/fields.ts';

/** A request and its response, without the data of the account. Times are in milliseconds since 1970. */
export type HttpExchange = {
	status: number;
	headers: Headers;
	sentAt: number;
	answeredAt: number;
	/** The names and types in the JSON body; undefined if the body was not JSON. */
	shape: string | undefined;
};

/** Wraps a `fetch` function and keeps its most recent exchange. */
export type HttpTap = {
	wrapFetch(fetch: Fetch): Fetch;
	lastExchange(): HttpExchange | undefined;
};

export function createHttpTap(clock: Clock): HttpTap {
	let lastExchange: HttpExchange | undefined;
	return {
		wrapFetch: fetch => async (input, init) => {
			const sentAt = clock.now();
			lastExchange = undefined;
			const response = await fetch(input, init);
			const answeredAt = clock.now();
			const { status, headers } = response;
			// A response over the size limit has no shape to report: the program itself refuses to read it.
			const body = await readBody(response.clone().body).catch(() => undefined);
			const shape = body?.json === undefined ? undefined : shapeOf(body.json);
			lastExchange = { status, headers, sentAt, answeredAt, shape };
			return response;
		},
		lastExchange: () => lastExchange,
	};
}

const maxDepth = 4;
const maxFields = 40;

/** Describes the names and types in a JSON value without any of its data: `{data: [24 × {id: text}]}`. */
export function shapeOf(value: unknown, depth = 0): string {
	if (value === null) return 'null';
	if (Array.isArray(value)) {
		if (value.length === 0) return '[]';
		return depth === maxDepth ? '[…]' : `[${value.length} × ${shapeOf(value[0], depth + 1)}]`;
	}
	if (isObject(value)) return objectShape(value, depth);
	return typeof value === 'string' ? 'text' : typeof value;
}

function objectShape(value: Readonly<Record<string, unknown>>, depth: number): string {
	if (depth === maxDepth) return '{…}';
	const entries = Object.entries(value);
	const fields = entries
		.slice(0, maxFields)
		.map(([name, inner]) => `${safeFieldName(name)}: ${shapeOf(inner, depth + 1)}`);
	if (entries.length > maxFields) fields.push('…');
	return `{${fields.join(', ')}}`;
}

// Some services use ids or even secrets as field names, so a name that is not plain letters is hidden.
function safeFieldName(name: string): string {
	return /^[A-Za-z][A-Za-z_-]{0,39}$/.test(name) ? cleanText(name) : '…';
}
