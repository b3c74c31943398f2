import { isAscii, transcode } from 'node:buffer';
import { createJsonMeasure } from './json-measure.ts';
import { failureOf, PlatformError } from './platform-error.ts';

type ResponseBody = Response['body'];

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

/**
 * Reads a body to its end as text. If the body has too many bytes, too many pieces or too complex JSON, this
 * throws at once.
 */
export async function readBodyText(
	body: ResponseBody,
	maxBytes: number = responseLimits.fleet,
): Promise<string> {
	const measure = createJsonMeasure();
	const decoder = createDecoder();
	let bytes = 0;
	let chunkCount = 0;
	for await (const chunk of body ?? []) {
		bytes += chunk.length;
		// Throwing leaves the loop, which cancels the body.
		if (bytes > maxBytes) throw tooLargeError(`at most ${sizeText(maxBytes)}`);
		if (chunkCount === maxChunks) throw tooLargeError(`at most ${maxChunks} pieces`);
		chunkCount += 1;
		const exceededLimit = measure.add(chunk);
		if (exceededLimit !== undefined) throw tooLargeError(exceededLimit);
		decoder.add(chunk);
	}
	return decoder.end();
}

export const sizeText = (bytes: number) =>
	bytes < megabyte ? `${Math.round(bytes / kilobyte)} kB` : `${Math.round(bytes / megabyte)} MB`;

// TextDecoder takes ten times as long as `transcode` for text beyond ASCII, but only TextDecoder replaces
// invalid UTF-8. So TextDecoder gets only the slices in which `transcode` fails.
const sliceBytes = 64 * kilobyte;
const maxFaultySlices = 64;
const byteOrderMark = 0xfeff;

export function decodeUtf8(bytes: Uint8Array): string {
	const decoder = createDecoder();
	decoder.add(bytes);
	return decoder.end();
}

/** Decodes bytes while they arrive, so that memory never holds a long body twice, as bytes and as text. */
function createDecoder() {
	const texts: string[] = [];
	let faultySlices = 0;
	/** The bytes that are not decoded yet: at most one slice, until the byte after it has arrived. */
	let pendingChunks: Uint8Array[] = [];
	let pendingBytes = 0;

	function decode(slice: Uint8Array) {
		const text = isAscii(slice) ? decodeLatin1(slice) : transcodeUtf8(slice);
		if (text === undefined && ++faultySlices > maxFaultySlices) throw tooLargeError('UTF-8');
		texts.push(text ?? new TextDecoder('utf-8', { ignoreBOM: true }).decode(slice));
	}

	return {
		add(chunk: Uint8Array) {
			pendingChunks.push(chunk);
			pendingBytes += chunk.length;
			if (pendingBytes <= sliceBytes) return;
			let rest = concatenate(pendingChunks, pendingBytes);
			while (rest.length > sliceBytes) {
				const end = sliceEnd(rest, sliceBytes);
				decode(rest.subarray(0, end));
				rest = rest.subarray(end);
			}
			pendingChunks = [rest];
			pendingBytes = rest.length;
		},
		end(): string {
			if (pendingBytes > 0) decode(concatenate(pendingChunks, pendingBytes));
			const text = texts.join('');
			return text.charCodeAt(0) === byteOrderMark ? text.slice(1) : text;
		},
	};
}

function concatenate(chunks: readonly Uint8Array[], totalBytes: number): Uint8Array {
	const [only, ...others] = chunks;
	if (only && others.length === 0) return only;
	const joined = new Uint8Array(totalBytes);
	let offset = 0;
	for (const chunk of chunks) {
		joined.set(chunk, offset);
		offset += chunk.length;
	}
	return joined;
}

// A slice must not end within a character. Invalid UTF-8 may be cut anywhere.
function sliceEnd(bytes: Uint8Array, maxLength: number): number {
	let end = maxLength;
	while (end > maxLength - 4 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
	return end;
}

const decodeLatin1 = (bytes: Uint8Array) =>
	Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');

function transcodeUtf8(bytes: Uint8Array): string | undefined {
	try {
		return transcode(bytes, 'utf8', 'utf16le').toString('utf16le');
	} catch {
		return undefined;
	}
}

/** Cancels a body that nothing needs. Errors of the connection do not matter any more. */
export async function discardBody(body: ResponseBody): Promise<void> {
	await body?.cancel().catch(() => {});
}

// The outcome is unknown, because the unread part of the response would have said whether the request was
// carried out.
function tooLargeError(limitText: string): PlatformError {
	const message = `the answer: expected ${limitText}`;
	return new PlatformError(failureOf('unreadable', message, { isOutcomeUnknown: true }));
}
