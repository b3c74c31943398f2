import { randomInt } from 'node:crypto';
import type { FetchResponse } from '../../foundation/network.ts';
import { isObject } from '../../foundation/schema.ts';
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
const maxPieces = 20_000;

/** Checks and decodes each piece as it comes, so that a long answer holds no key. */
export async function readText(body: FetchResponse['body'], maxBytes: number) {
	const check = createJsonCheck();
	const decoder = new TextDecoder();
	let [text, byteCount, pieces] = ['', 0, 0];
	for await (const piece of body ?? []) {
		byteCount += piece.length;
		if (byteCount > maxBytes) throw tooLargeError(`at most ${sizeText(maxBytes)}`);
		if (pieces === maxPieces) throw tooLargeError(`at most ${maxPieces} pieces`);
		pieces += 1;
		check(piece);
		text += decoder.decode(piece, { stream: true });
	}
	return { byteCount, text: text + decoder.decode() };
}

// Parsing is slow where records have many fields, or each has others. A record or a list counts as two values, and ten
// thousand computers with all their fields make 410,000.
const maxValues = 420_000;
const maxFields = 100;
const maxLayouts = 20_000;
const maxDepth = 64;

const [quote, backslash, comma, colon, angle] = [0x22, 0x5c, 0x2c, 0x3a, 0x3c];
const [bracket, bracketEnd, brace, braceEnd] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Random, so that nobody can make texts that have the same hash. */
const hashFactor = randomInt(2 ** 31) | 1;

export function createJsonCheck() {
	let values = 0;
	/** In an array there is nothing to count. */
	const open: { count: number; layout: number }[] = [];
	const layouts = new Set<number>();
	let hash = 0;
	let within: 'values' | 'text' | 'escape' | 'page' = 'values';

	function passText(piece: Uint8Array, from: number): number {
		for (let at = from; at < piece.length; at += 1) {
			const byte = piece[at] ?? 0;
			if (within === 'escape') within = 'text';
			else if (byte === backslash) within = 'escape';
			else if (byte === quote) {
				within = 'values';
				return at;
			}
			hash = Math.imul(hash, hashFactor) + byte;
		}
		return piece.length;
	}

	return (piece: Uint8Array): void => {
		if (within === 'page') return;
		for (let at = within === 'values' ? 0 : passText(piece, 0) + 1; at < piece.length; at += 1) {
			const byte = piece[at];
			if (byte === quote) {
				hash = 0;
				within = 'text';
				at = passText(piece, at + 1);
			} else if (byte === colon) {
				const innermost = open.at(-1);
				if (!innermost) continue;
				innermost.layout = Math.imul(innermost.layout, hashFactor) ^ hash;
				layouts.add(innermost.layout);
				if (layouts.size > maxLayouts)
					throw tooLargeError(`at most ${maxLayouts} different layouts of records`);
			} else if (byte === comma || byte === bracket || byte === brace) {
				values += byte === comma ? 1 : 2;
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
			else if (byte === angle) {
				within = 'page';
				return;
			}
		}
	};
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
