const replacement = '\uFFFD';

/** The smallest code point of each length; a smaller one in so many bytes is malformed. */
const minCodePoint = [0, 0x80, 0x800, 0x10000];

/**
 * Decodes UTF-8 that arrives in any pieces. Stray bytes 80 to 9F stay control characters, as on terminals
 * without UTF-8. Node's decoder would turn them into U+FFFD: the introducer of an 8-bit control sequence
 * would be lost, and the rest would be read as keys.
 */
export function createDecoder(): (bytes: Uint8Array | string) => string {
	let code = 0;
	let length = 0;
	let missing = 0;

	function begin(byte: number): string {
		if (byte < 0xa0) return String.fromCharCode(byte);
		if (byte < 0xc2 || byte > 0xf4) return replacement;
		length = byte < 0xe0 ? 1 : byte < 0xf0 ? 2 : 3;
		missing = length;
		code = byte & (0x3f >> length);
		return '';
	}

	function end(): string {
		const isSurrogate = code >= 0xd800 && code <= 0xdfff;
		const isRight = code >= (minCodePoint[length] ?? 0) && code <= 0x10ffff && !isSurrogate;
		return isRight ? String.fromCodePoint(code) : replacement;
	}

	function next(byte: number): string {
		if (missing === 0) return begin(byte);
		if ((byte & 0xc0) !== 0x80) {
			missing = 0;
			return replacement + begin(byte);
		}
		code = (code << 6) | (byte & 0x3f);
		missing -= 1;
		return missing === 0 ? end() : '';
	}

	return bytes => {
		// Another reader may have set an encoding, which a stream keeps.
		if (typeof bytes === 'string') return bytes;
		let text = '';
		for (const byte of bytes) text += next(byte);
		return text;
	};
}
