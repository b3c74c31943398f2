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
const maxDepth = 64;

const [quote, backslash, comma, space, angle] = [0x22, 0x5c, 0x2c, 0x20, 0x3c];
const [bracket, bracketEnd, brace, braceEnd] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Throws if a JSON text is too complex to be parsed within a moment. A web page is never parsed. */
export function checkJson(text: Uint8Array): void {
	if (text.find(byte => byte > space) === angle) return;
	let values = 1;
	/** The fields of each open record, and nothing to count in an open array. */
	const open: number[] = [];
	for (let at = 0; at < text.length; at += 1) {
		const byte = text[at];
		if (byte === quote) {
			at += 1;
			while (at < text.length && text[at] !== quote) at += text[at] === backslash ? 2 : 1;
		} else if (byte === comma || byte === bracket || byte === brace) {
			values += 1;
			if (values > maxValues) throw tooLargeError(`at most ${maxValues} values`);
			if (byte !== comma) open.push(byte === brace ? 1 : Number.NEGATIVE_INFINITY);
			else if (open.length > 0) open.push((open.pop() ?? 0) + 1);
			if (open.length > maxDepth) throw tooLargeError(`at most ${maxDepth} levels`);
			if ((open.at(-1) ?? 0) > maxFields)
				throw tooLargeError(`at most ${maxFields} fields in a record`);
		} else if (byte === bracketEnd || byte === braceEnd) open.pop();
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
