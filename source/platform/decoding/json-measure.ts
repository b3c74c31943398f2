import {
	beginName,
	countName,
	createNameCounter,
	extendName,
	type NameBounds,
	type NameCounter,
} from './name-counter.ts';

/** Measures JSON while it arrives, so that a response that is too complex is refused before parsing. */
type JsonMeasure = {
	/**
	 * Measures the next bytes. Returns the exceeded limit in words, or undefined if no limit is exceeded so far.
	 */
	add(chunk: Uint8Array): string | undefined;
	/** Where the lists of the last chunk begin and end, so that a long list can be parsed in slices. */
	readonly listPositions: ListPositions;
};

/**
 * The outermost lists in the part of the JSON text that has arrived. A position is an index into the last chunk, or
 * -1 if the character is not in that chunk.
 */
type ListPositions = {
	/** The nesting depth of the list that has begun but not ended; -1 if no list is open. */
	openDepth: number;
	/** The position of the bracket that begins the open list. */
	openedAt: number;
	/** The position of the last comma between two elements of the open list. */
	lastCommaAt: number;
	/** The number of elements before this comma. The reader resets the number after it has parsed them. */
	elementCount: number;
	/** The position of the bracket that ends a list from an earlier chunk. */
	closedAt: number;
	/** The number of elements of the ended list that have not been parsed as a slice yet. */
	closedElementCount: number;
};

/** Platforms send lists at most this deep: `{data: {sandboxes: […]}}`. */
export const maxListDepth = 3;

type JsonBounds = NameBounds & {
	/** The total number of values, at any depth. */
	maxValues: number;
	/** The number of fields in a single object. */
	maxFields: number;
	/** The nesting depth of arrays and objects. */
	maxDepth: number;
};

// Ten thousand computers with all their fields make 350,000 values, with under a hundred fields per record and
// under ten levels. These counts decide how long parsing takes; the number of bytes hardly matters. A megabyte
// of brackets takes longer than sixteen of text, and a new field name ten times as long as a repeated one.
export const jsonBounds: JsonBounds = {
	maxValues: 400_000,
	maxFields: 200,
	maxNames: 20_000,
	maxNameLength: 1_000,
	maxDepth: 64,
};

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a];
const [bracket, bracketEnd, brace, braceEnd] = [0x5b, 0x5d, 0x7b, 0x7d];
const [space, angle] = [0x20, 0x3c];

// Starting a native search for a quote takes as long as a loop over this number of bytes, so a loop looks at these
// bytes first.
const maxLoopSearchBytes = 64;

/** The state is in an object and not in closures, because V8 would compile closures again for each response. */
type MeasureState = {
	bounds: JsonBounds;
	nameCounter: NameCounter;
	valueCount: number;
	depth: number;
	/** The number of commas so far in the object at each depth. Commas in arrays are not counted. */
	commaCounts: Float64Array;
	isInText: boolean;
	/** Whether the previous chunk ended with a backslash, so that the next byte is escaped. */
	isEscaped: boolean;
	/** Where the last string began and ended in this chunk. */
	textStart: number;
	textEnd: number;
	/** Whether the text may be JSON; false for a web page, and undefined until the first character has arrived. */
	isJson: boolean | undefined;
	listPositions: ListPositions;
};

export function createJsonMeasure(bounds: JsonBounds = jsonBounds): JsonMeasure {
	const state: MeasureState = {
		bounds,
		nameCounter: createNameCounter(),
		valueCount: 1,
		depth: 0,
		commaCounts: new Float64Array(bounds.maxDepth + 1),
		isInText: false,
		isEscaped: false,
		textStart: 0,
		textEnd: 0,
		isJson: undefined,
		listPositions: {
			openDepth: -1,
			openedAt: -1,
			lastCommaAt: -1,
			elementCount: 0,
			closedAt: -1,
			closedElementCount: 0,
		},
	};
	return { add: chunk => countValuesAndLevels(state, chunk), listPositions: state.listPositions };
}

function countValuesAndLevels(state: MeasureState, chunk: Uint8Array): string | undefined {
	state.isJson ??= isJsonStart(chunk);
	if (!state.isJson) return undefined;
	const { listPositions: list } = state;
	list.openedAt = -1;
	list.lastCommaAt = -1;
	list.closedAt = -1;
	const { length } = chunk;
	let at = 0;
	while (at < length) {
		if (state.isInText) {
			at = skipText(state, chunk, at);
			continue;
		}
		const byte = chunk[at] ?? 0;
		if (byte === quote) {
			state.isInText = true;
			state.textStart = at + 1;
			beginName(state.nameCounter);
		} else if (isPunctuation[byte] === 1) {
			const exceededLimit = measurePunctuation(state, byte, chunk, at);
			if (exceededLimit !== undefined) return exceededLimit;
		}
		at += 1;
	}
	// The last string may be a field name: the colon that shows this may be in the next chunk.
	extendLastName(state, chunk, state.isInText ? length : state.textEnd);
	state.textStart = 0;
	state.textEnd = 0;
	return undefined;
}

/** Returns undefined if the chunk contains nothing but space. */
function isJsonStart(chunk: Uint8Array): boolean | undefined {
	const first = chunk.find(byte => byte > space);
	return first === undefined ? undefined : first !== angle;
}

/** Skips a string. Returns the position after its closing quote, or the end of the chunk. */
function skipText(state: MeasureState, chunk: Uint8Array, from: number): number {
	const { length } = chunk;
	let at = from + (state.isEscaped ? 1 : 0);
	state.isEscaped = false;
	while (at < length) {
		const loopEnd = Math.min(length, at + maxLoopSearchBytes);
		while (at < loopEnd) {
			const byte = chunk[at] ?? 0;
			if (byte === quote) return endText(state, at);
			at += byte === backslash ? 2 : 1;
		}
		if (at >= length) break;
		const quoteAt = chunk.indexOf(quote, at);
		const end = quoteAt === -1 ? length : quoteAt;
		const isNextEscaped = backslashCountBefore(chunk, end, at) % 2 === 1;
		if (quoteAt !== -1 && !isNextEscaped) return endText(state, end);
		at = isNextEscaped ? end + 1 : end;
	}
	state.isEscaped = at > length;
	return length;
}

function endText(state: MeasureState, quoteAt: number): number {
	state.isInText = false;
	state.textEnd = quoteAt;
	return quoteAt + 1;
}

function backslashCountBefore(chunk: Uint8Array, end: number, start: number): number {
	let at = end;
	while (at > start && chunk[at - 1] === backslash) at -= 1;
	return end - at;
}

// A lookup table is used, because comparing each byte with six others takes twice as long.
const isPunctuation = new Uint8Array(256);
for (const byte of [comma, colon, bracket, bracketEnd, brace, braceEnd]) isPunctuation[byte] = 1;

/** Measures a byte outside strings. Returns the exceeded limit, if any. */
function measurePunctuation(
	state: MeasureState,
	byte: number,
	chunk: Uint8Array,
	at: number,
): string | undefined {
	const { bounds, commaCounts: commas, listPositions: list } = state;
	if (byte === colon) {
		extendLastName(state, chunk, state.textEnd);
		return countName(state.nameCounter, bounds);
	}
	if (byte === bracketEnd || byte === braceEnd) {
		if (state.depth === list.openDepth) endList(list, at);
		state.depth = Math.max(0, state.depth - 1);
		return undefined;
	}
	state.valueCount += 1;
	if (state.valueCount > bounds.maxValues) return `at most ${bounds.maxValues} values`;
	if (byte === comma) {
		if (state.depth === list.openDepth) {
			list.lastCommaAt = at;
			list.elementCount += 1;
		}
		const count = (commas[state.depth] ?? 0) + 1;
		commas[state.depth] = count;
		return count >= bounds.maxFields ? `at most ${bounds.maxFields} fields in a record` : undefined;
	}
	state.depth += 1;
	if (state.depth > bounds.maxDepth) return `at most ${bounds.maxDepth} levels`;
	commas[state.depth] = byte === brace ? 0 : Number.NEGATIVE_INFINITY;
	if (byte === bracket && list.openDepth === -1 && state.depth <= maxListDepth) {
		beginList(list, state.depth, at);
	}
	return undefined;
}

function extendLastName(state: MeasureState, chunk: Uint8Array, to: number) {
	extendName(state.nameCounter, chunk, state.textStart, to, state.bounds);
	state.textStart = to;
}

function beginList(list: ListPositions, depth: number, at: number) {
	list.openDepth = depth;
	list.openedAt = at;
	list.lastCommaAt = -1;
	list.elementCount = 0;
}

function endList(list: ListPositions, at: number) {
	list.openDepth = -1;
	if (list.openedAt === -1) {
		list.closedAt = at;
		list.closedElementCount = list.elementCount + 1;
	}
	list.openedAt = -1;
	list.lastCommaAt = -1;
}
