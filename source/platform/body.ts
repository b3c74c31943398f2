import { isAscii, transcode } from 'node:buffer';
import { createJsonMeasure } from './json-measure.ts';
import { failureOf, PlatformError } from './platform-error.ts';

type Body = Response['body'];

const kilobyte = 1_024;
const megabyte = 1_024 * kilobyte;

/** How many bytes an answer may have, by what it is about. */
export const byteBounds = {
	token: 64 * kilobyte,
	record: 256 * kilobyte,
	catalog: 4 * megabyte,
	/** A list of ten thousand computers is 6 MB, and 13 MB where each record has every field. */
	fleet: 14 * megabyte,
} as const;

// A slow line brings about a kilobyte at a time, and a hostile server one byte at a time.
const mostPieces = 20_000;

/**
 * Reads a body to its end as text. A body that is too large for an answer, in bytes, in pieces or as
 * JSON, is cancelled as soon as that is certain.
 */
export async function textFrom(body: Body, most: number = byteBounds.fleet): Promise<string> {
	const measure = createJsonMeasure();
	const decoder = createDecoder();
	let bytes = 0;
	let pieces = 0;
	for await (const chunk of body ?? []) {
		bytes += chunk.length;
		// Leaving the loop cancels the body.
		if (bytes > most) throw tooMuch(`at most ${sizeText(most)}`);
		if (pieces === mostPieces) throw tooMuch(`at most ${mostPieces} pieces`);
		pieces += 1;
		const excess = measure.add(chunk);
		if (excess !== undefined) throw tooMuch(excess);
		decoder.add(chunk);
	}
	return decoder.end();
}

export const sizeText = (bytes: number) =>
	bytes < megabyte ? `${Math.round(bytes / kilobyte)} kB` : `${Math.round(bytes / megabyte)} MB`;

// TextDecoder takes ten times as long as `transcode` for text beyond ASCII, but only TextDecoder puts a
// replacement character where the bytes are not UTF-8. So it decodes only the slices that need it.
const sliceBytes = 64 * kilobyte;
const mostFaultySlices = 64;
const byteOrderMark = 0xfeff;

/** The text that UTF-8 bytes stand for. */
export function decoded(bytes: Uint8Array): string {
	const decoder = createDecoder();
	decoder.add(bytes);
	return decoder.end();
}

/** Decodes bytes while they arrive, so that a long body is not kept as bytes and as text. */
function createDecoder() {
	const parts: string[] = [];
	let faulty = 0;
	/** Less than a slice and the byte after it, which decides where the slice ends. */
	let chunks: Uint8Array[] = [];
	let bytes = 0;

	function decode(slice: Uint8Array) {
		const part = isAscii(slice) ? asLatin1(slice) : transcoded(slice);
		if (part === undefined && ++faulty > mostFaultySlices) throw tooMuch('UTF-8');
		parts.push(part ?? new TextDecoder('utf-8', { ignoreBOM: true }).decode(slice));
	}

	return {
		add(chunk: Uint8Array) {
			chunks.push(chunk);
			bytes += chunk.length;
			if (bytes <= sliceBytes) return;
			let rest = joined(chunks, bytes);
			while (rest.length > sliceBytes) {
				const end = sliceEnd(rest, sliceBytes);
				decode(rest.subarray(0, end));
				rest = rest.subarray(end);
			}
			chunks = [rest];
			bytes = rest.length;
		},
		end(): string {
			if (bytes > 0) decode(joined(chunks, bytes));
			const text = parts.join('');
			return text.charCodeAt(0) === byteOrderMark ? text.slice(1) : text;
		},
	};
}

function joined(chunks: readonly Uint8Array[], bytes: number): Uint8Array {
	const [only, ...others] = chunks;
	if (only && others.length === 0) return only;
	const whole = new Uint8Array(bytes);
	let at = 0;
	for (const chunk of chunks) {
		whole.set(chunk, at);
		at += chunk.length;
	}
	return whole;
}

// A slice ends before a byte that begins a character, unless the bytes are not UTF-8 anyway.
function sliceEnd(bytes: Uint8Array, most: number): number {
	let end = most;
	while (end > most - 4 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
	return end;
}

const asLatin1 = (bytes: Uint8Array) =>
	Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');

function transcoded(bytes: Uint8Array): string | undefined {
	try {
		return transcode(bytes, 'utf8', 'utf16le').toString('utf16le');
	} catch {
		return undefined;
	}
}

/** Cancels a body that is not needed. It does not matter if the body breaks by itself meanwhile. */
export async function dropBody(body: Body): Promise<void> {
	await body?.cancel().catch(() => {});
}

// The part of the answer that was not read would have said whether the request was carried out.
function tooMuch(bound: string): PlatformError {
	const message = `the answer: expected ${bound}`;
	return new PlatformError(failureOf('unreadable', message, { isOutcomeUnknown: true }));
}
