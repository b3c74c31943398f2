import { createJsonMeasure, jsonBounds, maxListDepth } from './json-measure.ts';
import { tooLargeError } from './platform-error.ts';
import { createRecordSearch, type RecordSearch } from './record-search.ts';
import { redactedJson } from './redact-json.ts';
import { createUtf8Decoder, type FaultySlices, withoutByteOrderMark } from './utf8.ts';

const bracket = 0x5b;

// In a program that has just started, measuring takes ten times as long as parsing. The first bytes of a response need no
// measuring: this many bytes cannot hold more values than a response may have, and any slice of them is parsed within a few
// milliseconds.
const maxUnmeasuredBytes = 2 * jsonBounds.maxValues;

/**
 * Parses JSON while it arrives. The outermost lists are parsed in slices, so that no step takes long and the text
 * of a long list is never in memory as a whole. The result is that of `JSON.parse`.
 */
type JsonReader = {
	/**
	 * Adds the next bytes, and parses a slice if one is complete. Returns how many elements it has parsed. Throws if the
	 * JSON is too complex.
	 */
	add(chunk: Uint8Array): number;
	end(): JsonReaderResult;
};

export type JsonReaderResult = {
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
	/** The minimum length of a slice with few elements, which ends between two of them. Infinite if lists are not sliced. */
	sliceBytes: number;
};

// Many small elements take longer than the same bytes in a few, so a slice with this many is not filled any further.
const maxSliceElements = 512;

// The first slice is shorter, because it shows whether the records are tiny: it then has more elements than this.
const firstSliceBytes = 4_096;
const maxFirstElements = 100;

// Parsing more at once takes longer than a key should wait. No record of a platform is nearly as long.
const maxRecordMegabytes = 1;
const maxRecordBytes = maxRecordMegabytes * 1_048_576;

//  {"data": {"items": [ {…},{…},{…}  ,  {…},{…}  ,  {…} ], "next_cursor": "…"}}
//  └─── the frame ────┘ └─ slice ─┘ └── slice ─┘  └───┘ └──── the frame ─────┘
//
// In the frame, a placeholder stands for the elements of the list. The whole text is valid JSON if and only if the
// frame and all slices are.

export function createJsonReader(options: JsonReaderOptions): JsonReader {
	const { redact, convertElement = element => element, sliceBytes } = options;
	const hasSlices = Number.isFinite(sliceBytes);
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
	/** Finds whole records while the bytes of the first list are not measured. */
	let recordSearch: RecordSearch | undefined;
	/** Whether the first list of the body has been searched for records. Only this list is. */
	let isSearched = !hasSlices;
	let unmeasuredBytes = 0;
	let parsedCount = 0;

	function parseSlice(elements: number) {
		const text = slice.takeText();
		const values = isValid ? redacted(parsedJson(`[${text}]`), text) : undefined;
		// The elements are counted to find two commas in a row: the empty slice between them is valid but has no
		// element.
		isValid = Array.isArray(values) && values.length === elements;
		addToList(Array.isArray(values) ? values : []);
	}

	function addToList(values: readonly unknown[]) {
		if (!cutList) {
			cutList = [];
			lists.push(cutList);
		}
		for (const value of values) cutList.push(convertElement(value));
		parsedCount += values.length;
	}

	/** Parses the records that have arrived. If the search finds none, the rest of the list is measured. */
	function addUnmeasured(search: RecordSearch, chunk: Uint8Array) {
		search.add(chunk);
		if (!search.mayFindRecords()) return measureRest(search);
		const isFull = search.byteCount >= sliceBytes;
		const isFirst = parsedCount === 0 && search.byteCount >= firstSliceBytes;
		if (!isFull && !isFirst) return;
		const isFound = parseRecords(search);
		const areTiny = isFirst && parsedCount > maxFirstElements;
		if ((isFull && !isFound) || areTiny || unmeasuredBytes > maxUnmeasuredBytes)
			measureRest(search);
	}

	function parseRecords(search: RecordSearch): boolean {
		const records = search.wholeRecords();
		if (records === undefined) return false;
		slice.add(records);
		const text = slice.takeText();
		const values = redacted(parsedJson(`[${text}]`), text);
		if (!Array.isArray(values)) return false;
		addToList(values);
		search.dropRecords(records);
		unmeasuredBytes += records.length;
		return true;
	}

	function measureRest(search: RecordSearch) {
		recordSearch = undefined;
		addMeasured(search.bytes());
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

	function addMeasured(chunk: Uint8Array) {
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
		const isLong =
			slice.byteCount + list.lastCommaAt - at >= sliceBytes ||
			(hasSlices && list.elementCount >= maxSliceElements);
		if (list.lastCommaAt !== -1 && isLong) {
			slice.add(chunk.subarray(at, list.lastCommaAt));
			parseSlice(list.elementCount);
			list.elementCount = 0;
			at = list.lastCommaAt + 1;
		}
		slice.add(chunk.subarray(at));
		if (hasSlices && slice.byteCount > maxRecordBytes) throw tooLongRecordError();
	}

	/** Measures the beginning of a body up to its first list, and then searches that list for records. */
	function addBeginning(chunk: Uint8Array) {
		const listAt = chunk.indexOf(bracket) + 1;
		addMeasured(listAt === 0 ? chunk : chunk.subarray(0, listAt));
		if (listAt === 0) return;
		isSearched = true;
		const rest = chunk.subarray(listAt);
		if (!isInList) return addMeasured(rest);
		recordSearch = createRecordSearch();
		addUnmeasured(recordSearch, rest);
	}

	return {
		add(chunk) {
			const countBefore = parsedCount;
			if (recordSearch) addUnmeasured(recordSearch, chunk);
			else if (isSearched) addMeasured(chunk);
			else addBeginning(chunk);
			return parsedCount - countBefore;
		},
		end() {
			if (recordSearch) {
				parseRecords(recordSearch);
				measureRest(recordSearch);
			}
			const text = withoutByteOrderMark(
				frameText + (isInList ? slice.takeText() : frame.takeText()),
			);
			// A long web page takes no time to parse, and has an error of its own.
			const isWebPage = text.trimStart().startsWith('<');
			if (hasSlices && text.length > maxRecordBytes && !isWebPage) throw tooLongRecordError();
			const json = isValid ? redacted(parsedJson(text), text) : undefined;
			return { text, json: lists.length > 0 ? withRestoredLists(json, lists) : json };
		},
	};
}

const tooLongRecordError = () => tooLargeError(`at most ${maxRecordMegabytes} MB in a record`);

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
