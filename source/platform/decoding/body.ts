import type { FetchResponse } from '../../foundation/network.ts';
import { createJsonReader, type JsonReaderResult } from './json-reader.ts';
import { tooLargeError } from './platform-error.ts';

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

// Parsing and decoding a slice of this size takes a millisecond or two.
const sliceBytes = 16 * kilobyte;

// A slice of tiny records takes much longer. So a body is read in smaller pieces at first, and for as long as its records
// are tiny. A turn also ends after many records.
const smallPieceBytes = 4 * kilobyte;
const maxElementsInLargePieces = 100;
const maxElementsPerTurn = 512;

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
	let parsedCount = 0;
	let pieceBytes = smallPieceBytes;
	for await (const chunk of body ?? []) {
		bytes += chunk.length;
		// An error ends the loop, and leaving the loop cancels the body.
		if (bytes > maxBytes) throw tooLargeError(`at most ${sizeText(maxBytes)}`);
		if (chunkCount === maxChunks) throw tooLargeError(`at most ${maxChunks} pieces`);
		chunkCount += 1;
		for (let at = 0; at < chunk.length; ) {
			const piece = chunk.subarray(at, at + pieceBytes);
			at += piece.length;
			parsedCount += reader.add(piece);
			unpaused += piece.length;
			if (unpaused < sliceBytes && parsedCount < maxElementsPerTurn) continue;
			pieceBytes = parsedCount > maxElementsInLargePieces ? smallPieceBytes : sliceBytes;
			unpaused = 0;
			parsedCount = 0;
			await nextTurn?.();
			signal?.throwIfAborted();
		}
	}
	const result = reader.end();
	// What is done with a long body begins in a turn of its own.
	if (bytes > sliceBytes) await nextTurn?.();
	return { ...result, byteCount: bytes };
}

export const sizeText = (bytes: number) =>
	bytes < megabyte ? `${Math.round(bytes / kilobyte)} kB` : `${Math.round(bytes / megabyte)} MB`;

/** Cancels a body that is not needed, and ignores errors of its connection. */
export async function discardBody(body: ResponseBody): Promise<void> {
	await body?.cancel().catch(() => {});
}
