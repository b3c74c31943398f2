import { randomInt } from 'node:crypto';
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
	return { byteCount, text: new TextDecoder().decode(bytes) };
}

// These counts decide how long parsing takes. Ten thousand computers with all their fields make 350,000 values. Parsing is
// slow where records have far more fields than a computer, or each has other fields, or the same in another order.
const maxValues = 400_000;
const maxFields = 100;
const maxLayouts = 20_000;
const maxDepth = 64;

const [quote, backslash, comma, colon, space, angle] = [0x22, 0x5c, 0x2c, 0x3a, 0x20, 0x3c];
const [bracket, bracketEnd, brace, braceEnd] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Random, so that nobody can make texts that have the same hash. */
const hashFactor = randomInt(2 ** 31) | 1;

/** Throws if a JSON text is too complex to be parsed within a moment. A web page is never parsed. */
export function checkJson(text: Uint8Array): void {
	if (text.find(byte => byte > space) === angle) return;
	let values = 1;
	/** The fields so far of each open record. In an array there is nothing to count. */
	const open: { count: number; layout: number }[] = [];
	const layouts = new Set<number>();
	let hash = 0;
	for (let at = 0; at < text.length; at += 1) {
		const byte = text[at];
		if (byte === quote) {
			hash = 0;
			for (at += 1; at < text.length && text[at] !== quote; at += 1) {
				if (text[at] === backslash) at += 1;
				hash = Math.imul(hash, hashFactor) + (text[at] ?? 0);
			}
		} else if (byte === colon) {
			const innermost = open.at(-1);
			if (!innermost) continue;
			innermost.layout = Math.imul(innermost.layout, hashFactor) ^ hash;
			layouts.add(innermost.layout);
			if (layouts.size > maxLayouts)
				throw tooLargeError(`at most ${maxLayouts} different layouts of records`);
		} else if (byte === comma || byte === bracket || byte === brace) {
			values += 1;
			if (values > maxValues) throw tooLargeError(`at most ${maxValues} values`);
			if (byte === bracket) open.push({ count: Number.NEGATIVE_INFINITY, layout: 0 });
			if (byte === brace) open.push({ count: 0, layout: 0 });
			if (open.length > maxDepth) throw tooLargeError(`at most ${maxDepth} levels`);
			const innermost = open.at(-1);
			if (!innermost) continue;
			innermost.count += 1;
			if (innermost.count > maxFields)
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
