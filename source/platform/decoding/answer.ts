import { isAscii, isUtf8, transcode } from 'node:buffer';
import type { FetchResponse } from '../../foundation/network.ts';
import { isObject } from '../../foundation/validate.ts';
import { tooLargeError } from './platform-error.ts';

const kilobyte = 1_024;
const megabyte = 1_024 * kilobyte;

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

export async function readText(body: FetchResponse['body'], maxBytes: number) {
	const chunks: Uint8Array[] = [];
	let byteCount = 0;
	for await (const chunk of body ?? []) {
		byteCount += chunk.length;
		if (byteCount > maxBytes) throw tooLargeError(`at most ${sizeText(maxBytes)}`);
		if (chunks.length === maxChunks) throw tooLargeError(`at most ${maxChunks} pieces`);
		chunks.push(chunk);
	}
	const bytes = Buffer.concat(chunks);
	checkJson(bytes);
	return { byteCount, text: withoutByteOrderMark(textOf(bytes)) };
}

function textOf(bytes: Buffer): string {
	if (isAscii(bytes)) return bytes.toString('latin1');
	if (isUtf8(bytes)) return transcode(bytes, 'utf8', 'utf16le').toString('utf16le');
	if (bytes.length > maxRepairedBytes) throw tooLargeError('UTF-8');
	return bytes.toString('utf8');
}

const withoutByteOrderMark = (text: string) => (text.startsWith('\ufeff') ? text.slice(1) : text);

// These counts decide how long parsing takes. Ten thousand computers with all their fields make 350,000 values.
const maxValues = 400_000;
const maxFields = 200;
const maxNames = 20_000;
const maxNameBytes = 1_000;
const maxDepth = 64;

const [quote, backslash, comma, colon, space, angle] = [0x22, 0x5c, 0x2c, 0x3a, 0x20, 0x3c];
const [bracket, bracketEnd, brace, braceEnd] = [0x5b, 0x5d, 0x7b, 0x7d];

const hashBits = 18;

/** Throws if a JSON text is too complex to be parsed within a moment. A web page is never parsed. */
export function checkJson(text: Uint8Array): void {
	const commas = new Float64Array(maxDepth + 1);
	let seenNames: Uint8Array | undefined;
	let [values, fields, names, depth] = [1, 0, 0, 0];
	let [start, end] = [0, 0];
	const { length } = text;
	if (text.find(byte => byte > space) === angle) return;
	for (let at = 0; at < length; at += 1) {
		const byte = text[at];
		if (byte === quote) {
			at += 1;
			start = at;
			while (at < length && text[at] !== quote) at += text[at] === backslash ? 2 : 1;
			end = at;
		} else if (byte === colon) {
			if (end - start > maxNameBytes)
				throw tooLargeError(`at most ${maxNameBytes} bytes in a name`);
			fields += 1;
			// Fewer fields than that cannot have too many names.
			if (fields <= maxNames) continue;
			seenNames ??= new Uint8Array(2 ** hashBits);
			let hash = 0;
			for (let from = start; from < end; from += 1)
				hash = Math.imul(hash ^ (text[from] as number), 0x01000193);
			const place = (hash ^ (hash >>> hashBits)) & (2 ** hashBits - 1);
			names += 1 - (seenNames[place] as number);
			seenNames[place] = 1;
			if (names > maxNames) throw tooLargeError(`at most ${maxNames} names of fields`);
		} else if (byte === comma || byte === bracket || byte === brace) {
			values += 1;
			if (values > maxValues) throw tooLargeError(`at most ${maxValues} values`);
			if (byte === comma) {
				// Commas in arrays are not counted.
				commas[depth] = (commas[depth] as number) + 1;
				if ((commas[depth] as number) >= maxFields)
					throw tooLargeError(`at most ${maxFields} fields in a record`);
			} else {
				depth += 1;
				if (depth > maxDepth) throw tooLargeError(`at most ${maxDepth} levels`);
				commas[depth] = byte === brace ? 0 : Number.NEGATIVE_INFINITY;
			}
		} else if (byte === bracketEnd || byte === braceEnd) depth = Math.max(0, depth - 1);
	}
}

type Redact = (text: string) => string;

export const redactionMark = '…';

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
