import type { Clock } from '../../foundation/clock.ts';
import type { Fetch, FetchResponse, ResponseHeaders } from '../../foundation/network.ts';
import { checkJson, jsonFrom } from '../../platform/decoding/answer.ts';
import { cleanText } from '../../platform/decoding/clean.ts';
import { isObject } from '../../platform/decoding/decode.ts';

/** A request and its response, without the data of the account. Times are in milliseconds since 1970. */
export type HttpExchange = {
	status: number;
	headers: ResponseHeaders;
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
		wrapFetch: fetch => async (address, init) => {
			const sentAt = clock.now();
			lastExchange = undefined;
			const { status, headers, body } = await fetch(address, init);
			const exchange = { status, headers, sentAt, answeredAt: clock.now() };
			lastExchange = { ...exchange, shape: undefined };
			const tapped = tappedBody(body, json => {
				lastExchange = { ...exchange, shape: json === undefined ? undefined : jsonShapeOf(json) };
			});
			return { status, headers, body: tapped };
		},
		lastExchange: () => lastExchange,
	};
}

/** Returns the same body. When it has been read to its end, `onRead` gets its JSON; undefined if it is not JSON. */
function tappedBody(
	body: FetchResponse['body'],
	onRead: (json: unknown) => void,
): FetchResponse['body'] {
	if (body === null) return null;
	return {
		async *[Symbol.asyncIterator]() {
			const chunks: Uint8Array[] = [];
			for await (const chunk of body) {
				chunks.push(chunk);
				yield chunk;
			}
			const bytes = Buffer.concat(chunks);
			checkJson(bytes);
			onRead(jsonFrom(bytes.toString('utf8')));
		},
		cancel: () => body.cancel(),
	};
}

const maxDepth = 4;
const maxFields = 40;

/** Describes the names and types in a JSON value without any of its data: `{data: [24 × {id: text}]}`. */
export function jsonShapeOf(value: unknown, depth = 0): string {
	if (value === null) return 'null';
	if (Array.isArray(value)) {
		if (value.length === 0) return '[]';
		return depth === maxDepth ? '[…]' : `[${value.length} × ${jsonShapeOf(value[0], depth + 1)}]`;
	}
	if (isObject(value)) return objectShape(value, depth);
	return typeof value === 'string' ? 'text' : typeof value;
}

function objectShape(value: Readonly<Record<string, unknown>>, depth: number): string {
	if (depth === maxDepth) return '{…}';
	const entries = Object.entries(value);
	const fields = entries
		.slice(0, maxFields)
		.map(([name, inner]) => `${safeFieldName(name)}: ${jsonShapeOf(inner, depth + 1)}`);
	if (entries.length > maxFields) fields.push('…');
	return `{${fields.join(', ')}}`;
}

// Some services use ids or even secrets as field names, so a name that is not plain letters is hidden.
function safeFieldName(name: string): string {
	return /^[A-Za-z][A-Za-z_-]{0,39}$/.test(name) ? cleanText(name) : '…';
}
