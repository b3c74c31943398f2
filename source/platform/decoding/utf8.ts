import { isAscii, transcode } from 'node:buffer';
import { tooLargeError } from './platform-error.ts';

// TextDecoder takes ten times as long as `transcode` for text beyond ASCII, but only TextDecoder replaces
// invalid UTF-8. So TextDecoder gets only the slices in which `transcode` fails.
const sliceBytes = 64 * 1_024;
const maxFaultySlices = 64;
const byteOrderMark = 0xfeff;

/** Removes the byte order mark, with which some programs begin a text in UTF-8. */
export const withoutByteOrderMark = (text: string) =>
	text.charCodeAt(0) === byteOrderMark ? text.slice(1) : text;

type Utf8Decoder = {
	add(bytes: Uint8Array): void;
	/** Returns the text of all bytes since the last call. The last byte must end a character. */
	takeText(): string;
	/** The number of bytes since the last call of `take`. */
	readonly byteCount: number;
};

/** The number of slices with invalid UTF-8, counted by all decoders of one body together. */
export type FaultySlices = { count: number };

/** Decodes bytes while they arrive, so that memory never holds a long body twice, as bytes and as text. */
export function createUtf8Decoder(faults: FaultySlices = { count: 0 }): Utf8Decoder {
	let texts: string[] = [];
	let length = 0;
	/**
	 * The bytes that are not decoded yet, at most one slice. A full slice waits for its next byte, which shows
	 * whether the slice ends within a character.
	 */
	let pendingChunks: Uint8Array[] = [];
	let pendingBytes = 0;

	function decode(slice: Uint8Array) {
		const text = isAscii(slice) ? decodeLatin1(slice) : transcodeUtf8(slice);
		if (text === undefined) faults.count += 1;
		if (faults.count > maxFaultySlices) throw tooLargeError('UTF-8');
		texts.push(text ?? new TextDecoder('utf-8', { ignoreBOM: true }).decode(slice));
	}

	return {
		get byteCount() {
			return length;
		},
		add(chunk) {
			length += chunk.length;
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
		takeText() {
			if (pendingBytes > 0) decode(concatenate(pendingChunks, pendingBytes));
			const text = texts.length === 1 ? (texts[0] ?? '') : texts.join('');
			texts = [];
			pendingChunks = [];
			pendingBytes = 0;
			length = 0;
			return text;
		},
	};
}

function concatenate(chunks: readonly Uint8Array[], byteCount: number): Uint8Array {
	const [only, ...others] = chunks;
	if (only && others.length === 0) return only;
	const whole = new Uint8Array(byteCount);
	let at = 0;
	for (const chunk of chunks) {
		whole.set(chunk, at);
		at += chunk.length;
	}
	return whole;
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
