import type { FetchResponse } from '../../foundation/network.ts';
import { createJsonMeasure, jsonBounds, maxListDepth } from './json-measure.ts';
import { tooLargeError } from './platform-error.ts';
import { redactedJson } from './redact-json.ts';
import { createUtf8Decoder, type FaultySlices, withoutByteOrderMark } from './utf8.ts';

type ResponseBody = FetchResponse['body'];

const kilobyte = 1_024;
const megabyte = 1_024 * kilobyte;

/** The largest accepted response in bytes, for each kind of content. */
export const responseLimits = {
	token: 64 * kilobyte,
	record: 256 * kilobyte,
	catalog: 4 * megabyte,
	/** A list of ten thousand computers takes 6 MB, or 13 MB if every record has all its fields. */
	fleet: 14 * megabyte,
} as const;

// A slow connection delivers about a kilobyte at a time, but a hostile server could send single bytes.
const maxChunks = 20_000;

// Parsing and decoding a slice of this size takes a few milliseconds, or about thirty if the slice consists of
// empty records.
const sliceBytes = 32 * kilobyte;

type ReadBodyOptions = {
	/** The largest accepted body. */
	maxBytes?: number | undefined;
	signal?: AbortSignal | undefined;
	/** Removes secrets from a text. */
	redact?: ((text: string) => string) | undefined;
	/** Converts each element of a long list as soon as it is parsed. Short lists stay as they are. */
	convertElement?: ((element: unknown) => unknown) | undefined;
	/** Resolves in the next turn of the event loop. If absent, a long body is read in one turn. */
	nextTurn?: (() => Promise<void>) | undefined;
};

/**
 * Reads a body to its end. If the body has too many bytes, too many pieces or too complex JSON, this throws at
 * once. Between the slices of a long body, the event loop takes another turn.
 */
export async function readBody(
	body: ResponseBody,
	{
		maxBytes = responseLimits.fleet,
		signal,
		redact,
		convertElement,
		nextTurn,
	}: ReadBodyOptions = {},
): Promise<JsonReaderResult & { byteCount: number }> {
	const reader = createJsonReader({ redact, convertElement, sliceBytes });
	let bytes = 0;
	let chunkCount = 0;
	let unpaused = 0;
	for await (const chunk of body ?? []) {
		bytes += chunk.length;
		// An error ends the loop, and leaving the loop cancels the body.
		if (bytes > maxBytes) throw tooLargeError(`at most ${sizeText(maxBytes)}`);
		if (chunkCount === maxChunks) throw tooLargeError(`at most ${maxChunks} pieces`);
		chunkCount += 1;
		for (let at = 0; at < chunk.length; at += sliceBytes) {
			const slice = chunk.subarray(at, at + sliceBytes);
			reader.add(slice);
			unpaused += slice.length;
			if (unpaused < sliceBytes) continue;
			unpaused = 0;
			await nextTurn?.();
			signal?.throwIfAborted();
		}
	}
	return { ...reader.end(), byteCount: bytes };
}

export const sizeText = (bytes: number) =>
	bytes < megabyte ? `${Math.round(bytes / kilobyte)} kB` : `${Math.round(bytes / megabyte)} MB`;

/** Cancels a body that is not needed, and ignores errors of its connection. */
export async function discardBody(body: ResponseBody): Promise<void> {
	await body?.cancel().catch(() => {});
}

/**
 * Parses JSON while it arrives. The outermost lists are parsed in slices, so that no step takes long and the text
 * of a long list is never in memory as a whole. The result is that of `JSON.parse`.
 */
type JsonReader = {
	/** Adds the next bytes, and parses a slice if one is complete. Throws if the JSON is too complex. */
	add(chunk: Uint8Array): void;
	end(): JsonReaderResult;
};

type JsonReaderResult = {
	/** The text without the elements of the lists that were parsed in slices. */
	text: string;
	/** The parsed value; undefined if the text is not JSON. */
	json: unknown;
};

type JsonReaderOptions = {
	/** Removes secrets from a text. */
	redact?: ((text: string) => string) | undefined;
	/** Converts each element of a list that is parsed in slices. */
	convertElement?: ((element: unknown) => unknown) | undefined;
	/** The minimum length of a slice. A slice ends only between two elements, so it may be longer. */
	sliceBytes: number;
};

//  {"data": {"items": [ {…},{…},{…}  ,  {…},{…}  ,  {…} ], "next_cursor": "…"}}
//  └─── the frame ────┘ └─ slice ─┘ └── slice ─┘  └───┘ └──── the frame ─────┘
//
// In the frame, a placeholder stands for the elements of the list. The whole text is valid JSON if and only if the
// frame and all slices are.

/** The function is over 60 lines because its steps share the state of one text. */
export function createJsonReader(options: JsonReaderOptions): JsonReader {
	const { redact, convertElement = element => element, sliceBytes } = options;
	const measure = createJsonMeasure();
	const faults: FaultySlices = { count: 0 };
	const frame = createUtf8Decoder(faults);
	/** The text of the frame so far, up to the list that is open. */
	let frameText = '';
	const slice = createUtf8Decoder(faults);
	/** Whether the added bytes go to the slice, because a list is open. */
	let isInList = false;
	/** The elements of each list that is parsed in slices. The last of these lists may still be open. */
	const lists: unknown[][] = [];
	/** The elements of the open list, once its first slice has been parsed. */
	let cutList: unknown[] | undefined;
	let isValid = true;

	function parseSlice(elements: number) {
		if (!cutList) {
			cutList = [];
			lists.push(cutList);
		}
		const text = slice.takeText();
		const values = isValid ? redacted(parsedJson(`[${text}]`), text) : undefined;
		// The elements are counted to find two commas in a row: the empty slice between them is valid but has no
		// element.
		isValid = Array.isArray(values) && values.length === elements;
		if (Array.isArray(values)) for (const value of values) cutList.push(convertElement(value));
	}

	const redacted = (values: unknown, text: string) =>
		redact ? redactedJson(values, text, redact) : values;

	function endList(elements: number) {
		isInList = false;
		if (!cutList) {
			frameText += slice.takeText();
			return;
		}
		parseSlice(elements);
		frameText += placeholderOf(lists.length - 1);
		cutList = undefined;
	}

	return {
		add(chunk) {
			const exceededLimit = measure.add(chunk);
			if (exceededLimit !== undefined) throw tooLargeError(exceededLimit);
			const { listPositions: list } = measure;
			let at = 0;
			if (isInList && list.closedAt !== -1) {
				slice.add(chunk.subarray(0, list.closedAt));
				endList(list.closedElementCount);
				at = list.closedAt;
			}
			if (list.openedAt !== -1) {
				frame.add(chunk.subarray(at, list.openedAt + 1));
				frameText += frame.takeText();
				isInList = true;
				at = list.openedAt + 1;
			}
			if (!isInList) {
				frame.add(chunk.subarray(at));
				return;
			}
			if (list.lastCommaAt !== -1 && slice.byteCount + list.lastCommaAt - at >= sliceBytes) {
				slice.add(chunk.subarray(at, list.lastCommaAt));
				parseSlice(list.elementCount);
				list.elementCount = 0;
				at = list.lastCommaAt + 1;
			}
			slice.add(chunk.subarray(at));
		},
		end() {
			const text = withoutByteOrderMark(
				frameText + (isInList ? slice.takeText() : frame.takeText()),
			);
			const json = isValid ? redacted(parsedJson(text), text) : undefined;
			return { text, json: lists.length > 0 ? withRestoredLists(json, lists) : json };
		},
	};
}

function parsedJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

// A placeholder is a list with deeper nesting than any accepted response has, so no response can contain a
// placeholder.
const placeholderOf = (index: number) =>
	`${'['.repeat(jsonBounds.maxDepth)}${index}${']'.repeat(jsonBounds.maxDepth)}`;

/** Replaces each placeholder with the list that was parsed in slices. */
function withRestoredLists(value: unknown, lists: readonly unknown[][], depth = 1): unknown {
	if (Array.isArray(value)) return lists[placeholderIndexOf(value) ?? -1] ?? value;
	if (depth === maxListDepth || typeof value !== 'object' || value === null) return value;
	const fields = value as Record<string, unknown>;
	for (const name of Object.keys(fields))
		fields[name] = withRestoredLists(fields[name], lists, depth + 1);
	return fields;
}

function placeholderIndexOf(list: readonly unknown[]): number | undefined {
	let inner: unknown = list;
	for (let level = 0; level <= jsonBounds.maxDepth; level += 1) {
		if (!Array.isArray(inner) || inner.length !== 1) return undefined;
		inner = inner[0];
	}
	return typeof inner === 'number' ? inner : undefined;
}
