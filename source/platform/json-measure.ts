import { createNameCount } from './name-count.ts';

/** Measures JSON while it arrives, so that one that is too large is refused before it is parsed. */
export type JsonMeasure = {
	/** Takes the next bytes. Says what is too much, as soon as something is. */
	add(chunk: Uint8Array): string | undefined;
};

export type JsonBounds = {
	/** Values, whatever they are in. */
	values: number;
	/** Fields of any one object. */
	fields: number;
	/** Different names of fields in the whole answer. */
	names: number;
	/** Arrays and objects inside each other. */
	depth: number;
};

// Ten thousand computers, each with all that is known of it, are 350,000 values, and no record has
// a hundred fields or is ten levels deep. What parsing costs grows with these and hardly with the bytes:
// a megabyte of brackets takes longer than sixteen of text, and a new name ten times as long as a
// known one. Records share their names, but for a few labels of their own.
const usual: JsonBounds = { values: 400_000, fields: 200, names: 20_000, depth: 64 };

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a];
const [bracket, bracketEnd, brace, braceEnd] = [0x5b, 0x5d, 0x7b, 0x7d];
const [space, angle] = [0x20, 0x3c];

export function createJsonMeasure(bounds: JsonBounds = usual): JsonMeasure {
	const names = createNameCount(bounds.names);
	let values = 1;
	let depth = 0;
	let isInText = false;
	/** How many of the next bytes belong to an escape that the last chunk began. */
	let escaped = 0;
	/** A web page is no JSON and is never parsed, however many commas it has. */
	let isMeasured: boolean | undefined;
	/** By depth: how many commas the object there has; an array counts no fields. */
	const commas = new Float64Array(bounds.depth + 1);

	/** Goes to the end of a text, or of the chunk: most of an answer is text, so this has to be quick. */
	function skipText(chunk: Uint8Array, from: number): number {
		const { length } = chunk;
		let at = from + escaped;
		let hash = names.hash;
		while (at < length) {
			const byte = chunk[at] ?? 0;
			at += 1;
			if (byte === quote) {
				isInText = false;
				break;
			}
			hash = Math.imul(hash ^ byte, 0x01000193);
			if (byte === backslash) at += 1;
		}
		names.hash = hash;
		escaped = Math.max(0, at - length);
		return Math.min(at, length);
	}

	/** Takes a byte that stands between texts. */
	function takeSign(byte: number): string | undefined {
		if (byte === comma) {
			values += 1;
			const count = (commas[depth] ?? 0) + 1;
			commas[depth] = count;
			if (count >= bounds.fields) return `at most ${bounds.fields} fields in a record`;
		} else if (byte === colon) {
			if (!names.add()) return `at most ${bounds.names} names of fields`;
		} else if (byte === bracket || byte === brace) {
			values += 1;
			depth += 1;
			if (depth > bounds.depth) return `at most ${bounds.depth} levels`;
			commas[depth] = byte === brace ? 0 : Number.NEGATIVE_INFINITY;
		} else if (byte === bracketEnd || byte === braceEnd) {
			depth = Math.max(0, depth - 1);
		}
		return values > bounds.values ? `at most ${bounds.values} values` : undefined;
	}

	return {
		add(chunk) {
			let at = 0;
			while (at < chunk.length && isMeasured !== false) {
				if (isInText) {
					at = skipText(chunk, at);
					continue;
				}
				const byte = chunk[at] ?? 0;
				at += 1;
				if (byte === quote) {
					isInText = true;
					names.begin();
				} else {
					const excess = takeSign(byte);
					if (excess !== undefined) return excess;
				}
				if (isMeasured === undefined && byte > space) isMeasured = byte !== angle;
			}
			return undefined;
		},
	};
}
