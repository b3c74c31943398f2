const replacementCharacter = '\uFFFD';

/** The smallest code point that may take each number of further bytes. A smaller code point is malformed. */
const minCodePointsByLength = [0, 0x80, 0x800, 0x10000];

/**
 * Decodes UTF-8 that arrives in any pieces. Bytes 80 to 9F outside a character become control characters,
 * as on terminals without UTF-8. Node's decoder would turn them into U+FFFD: the introducer of an 8-bit
 * control sequence would be lost, and the rest would be read as keys.
 */
export function createUtf8Decoder(): (bytes: Uint8Array | string) => string {
	let code = 0;
	let length = 0;
	let missing = 0;

	function begin(byte: number): string {
		if (byte < 0xa0) return String.fromCharCode(byte);
		if (byte < 0xc2 || byte > 0xf4) return replacementCharacter;
		length = byte < 0xe0 ? 1 : byte < 0xf0 ? 2 : 3;
		missing = length;
		code = byte & (0x3f >> length);
		return '';
	}

	function end(): string {
		const isSurrogate = code >= 0xd800 && code <= 0xdfff;
		const isRight =
			code >= (minCodePointsByLength[length] ?? 0) && code <= 0x10ffff && !isSurrogate;
		return isRight ? String.fromCodePoint(code) : replacementCharacter;
	}

	function next(byte: number): string {
		if (missing === 0) return begin(byte);
		if ((byte & 0xc0) !== 0x80) {
			missing = 0;
			return replacementCharacter + begin(byte);
		}
		code = (code << 6) | (byte & 0x3f);
		missing -= 1;
		return missing === 0 ? end() : '';
	}

	return bytes => {
		// The stream returns strings if another reader has set an encoding.
		if (typeof bytes === 'string') return bytes;
		let text = '';
		for (const byte of bytes) text += next(byte);
		return text;
	};
}
