import { isUtf8 } from 'node:buffer';
import type { FetchResponse } from '../../foundation/network.ts';
import { isObject } from './decode.ts';
import { tooLargeError } from './platform-error.ts';

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

export const sizeText = (bytes: number) =>
	bytes < megabyte ? `${Math.round(bytes / kilobyte)} kB` : `${Math.round(bytes / megabyte)} MB`;

// A slow connection delivers about a kilobyte at a time, but a hostile server could send single bytes.
const maxChunks = 20_000;

/** More text than this is refused if it is not UTF-8. In less, the wrong bytes are replaced. */
const maxRepairedBytes = 4 * megabyte;

/** Reads a body to its end. Throws, and so cancels the body, as soon as it is too long or its JSON too complex. */
export async function readText(body: FetchResponse['body'], maxBytes: number) {
	const checkJson = createJsonCheck();
	const chunks: Uint8Array[] = [];
	let byteCount = 0;
	for await (const chunk of body ?? []) {
		byteCount += chunk.length;
		if (byteCount > maxBytes) throw tooLargeError(`at most ${sizeText(maxBytes)}`);
		if (chunks.length === maxChunks) throw tooLargeError(`at most ${maxChunks} pieces`);
		checkJson(chunk);
		chunks.push(chunk);
	}
	const bytes = Buffer.concat(chunks);
	if (byteCount > maxRepairedBytes && !isUtf8(bytes)) throw tooLargeError('UTF-8');
	return { byteCount, text: withoutByteOrderMark(bytes.toString('utf8')) };
}

const withoutByteOrderMark = (text: string) => (text.startsWith('\ufeff') ? text.slice(1) : text);

// These counts decide how long parsing takes; the number of bytes hardly matters. Ten thousand computers with all their
// fields make 350,000 values, with under a hundred fields in a record and under ten levels.
const maxValues = 400_000;
const maxFields = 200;
const maxNames = 20_000;
const maxNameBytes = 1_000;
export const maxDepth = 64;

const [quote, backslash, comma, colon, space, angle] = [0x22, 0x5c, 0x2c, 0x3a, 0x20, 0x3c];
const [bracket, bracketEnd, brace, braceEnd] = [0x5b, 0x5d, 0x7b, 0x7d];

// Names are told apart by this many bits of a hash.
const hashBits = 18;

/** Returns a function that takes the bytes of a JSON text piece by piece, and throws once it is too complex to parse. */
export function createJsonCheck(): (chunk: Uint8Array) => void {
	let isPage: boolean | undefined;
	let values = 1;
	let depth = 0;
	/** The commas so far in the object at each depth. Those in arrays are not counted. */
	const commas = new Float64Array(maxDepth + 1);
	const seenNames = new Uint8Array(2 ** hashBits);
	let names = 0;
	let isInText = false;
	let isEscaped = false;
	let textBytes = 0;
	let textHash = 0;

	function countName() {
		if (textBytes > maxNameBytes) throw tooLargeError(`at most ${maxNameBytes} bytes in a name`);
		const place = (textHash ^ (textHash >>> hashBits)) & (2 ** hashBits - 1);
		if (seenNames[place] === 1) return;
		seenNames[place] = 1;
		names += 1;
		if (names > maxNames) throw tooLargeError(`at most ${maxNames} names of fields`);
	}

	function countValue(byte: number) {
		values += 1;
		if (values > maxValues) throw tooLargeError(`at most ${maxValues} values`);
		if (byte === comma) {
			commas[depth] = (commas[depth] ?? 0) + 1;
			if ((commas[depth] ?? 0) >= maxFields)
				throw tooLargeError(`at most ${maxFields} fields in a record`);
			return;
		}
		depth += 1;
		if (depth > maxDepth) throw tooLargeError(`at most ${maxDepth} levels`);
		commas[depth] = byte === brace ? 0 : Number.NEGATIVE_INFINITY;
	}

	return chunk => {
		if (isPage === undefined) {
			const first = chunk.find(byte => byte > space);
			if (first !== undefined) isPage = first === angle;
		}
		// A web page is never parsed.
		if (isPage) return;
		for (let at = 0; at < chunk.length; at += 1) {
			const byte = chunk[at] ?? 0;
			if (isInText) {
				if (byte === quote && !isEscaped) isInText = false;
				isEscaped = byte === backslash && !isEscaped;
				textBytes += 1;
				textHash = Math.imul(textHash ^ byte, 0x01000193);
			} else if (byte === quote) {
				isInText = true;
				textBytes = -1;
				textHash = 0x811c9dc5;
			} else if (byte === colon) countName();
			else if (byte === comma || byte === bracket || byte === brace) countValue(byte);
			else if (byte === bracketEnd || byte === braceEnd) depth = Math.max(0, depth - 1);
		}
	};
}

/** Returns the value of a JSON text; undefined if the text is not JSON. */
export function jsonFrom(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

type Redact = (text: string) => string;

/** The text that replaces a secret, and the end of a text that was cut. */
export const redactionMark = '…';

/** Removes secrets from the JSON of a response, in case the platform quotes one. */
export function redactedJson(json: unknown, text: string, redact: Redact): unknown {
	if (json === undefined) return undefined;
	// JSON has several ways of writing a character, which could hide a secret in the text.
	const plainText = text.includes('\\') ? JSON.stringify(json) : text;
	return redact(plainText) === plainText ? json : redactedValue(json, redact);
}

function redactedValue(value: unknown, redact: Redact): unknown {
	if (typeof value === 'string') return redact(value);
	if (Array.isArray(value)) return value.map(item => redactedValue(item, redact));
	if (!isObject(value)) return value;
	return Object.fromEntries(
		Object.entries(value).map(([name, each]) => [
			redact(name),
			isStatusWord(name, each) ? each : redactedValue(each, redact),
		]),
	);
}

// A password may be an ordinary word such as `running`. Redacting it must not change the status of a computer.
function isStatusWord(name: string, value: unknown): boolean {
	return /^(status|state)$/i.test(name) && typeof value === 'string' && /^[a-z_]+$/i.test(value);
}
