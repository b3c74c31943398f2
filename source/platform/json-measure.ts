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
	/** Arrays and objects inside each other. */
	depth: number;
};

// Ten thousand computers, each with all that is known of it, are 350,000 values, and no record has
// a hundred fields or is ten levels deep. What parsing costs grows with these three and hardly with the
// bytes: a megabyte of brackets takes longer than sixteen of text.
const usual: JsonBounds = { values: 400_000, fields: 200, depth: 64 };

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
const [bracket, bracketEnd, brace, braceEnd] = [0x5b, 0x5d, 0x7b, 0x7d];
const [space, angle] = [0x20, 0x3c];

export function createJsonMeasure(bounds: JsonBounds = usual): JsonMeasure {
	let values = 1;
	let depth = 0;
	let isInText = false;
	let isEscaped = false;
	/** A web page is no JSON and is never parsed, however many commas it has. */
	let isMeasured: boolean | undefined;
	/** By depth: how many commas the object there has; an array counts no fields. */
	const commas = new Float64Array(bounds.depth + 1);

	return {
		add(chunk) {
			for (let at = 0; at < chunk.length && isMeasured !== false; at += 1) {
				const byte = chunk[at] ?? 0;
				if (isInText) {
					if (isEscaped) isEscaped = false;
					else if (byte === backslash) isEscaped = true;
					else if (byte === quote) isInText = false;
				} else if (byte === quote) {
					isInText = true;
				} else if (byte === comma) {
					values += 1;
					const count = (commas[depth] ?? 0) + 1;
					commas[depth] = count;
					if (count >= bounds.fields) return `at most ${bounds.fields} fields in a record`;
				} else if (byte === bracket || byte === brace) {
					values += 1;
					depth += 1;
					if (depth > bounds.depth) return `at most ${bounds.depth} levels`;
					commas[depth] = byte === brace ? 0 : Number.NEGATIVE_INFINITY;
				} else if (byte === bracketEnd || byte === braceEnd) {
					depth = Math.max(0, depth - 1);
				}
				if (values > bounds.values) return `at most ${bounds.values} values`;
				if (isMeasured === undefined && byte > space) isMeasured = byte !== angle;
			}
			return undefined;
		},
	};
}
