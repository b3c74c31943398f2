import { createJsonMeasure } from './json-measure.ts';
import { failureOf, PlatformError } from './platform-error.ts';

type Body = Response['body'];

// A list of ten thousand computers is 6 MB, and 13 MB where each record is told in full.
export const mostBytes = 16 * 1_048_576;

/**
 * The text of a body, read to its end. One that is too large to be an answer, in bytes or as JSON, is
 * called off as soon as that is known.
 */
export async function textFrom(body: Body, most = mostBytes): Promise<string> {
	const measure = createJsonMeasure();
	const chunks: Uint8Array[] = [];
	let bytes = 0;
	for await (const chunk of body ?? []) {
		bytes += chunk.length;
		// Leaving the loop cancels the body.
		if (bytes > most) throw tooMuch(`at most ${Math.round(most / 1_048_576)} MB`);
		const excess = measure.add(chunk);
		if (excess !== undefined) throw tooMuch(excess);
		chunks.push(chunk);
	}
	// All at once: a thousand pieces take four times as long, and what is refused is not decoded at all.
	return new TextDecoder().decode(joined(chunks, bytes));
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

/** Calls off what is not wanted. That it broke by itself meanwhile does not matter. */
export async function dropBody(body: Body): Promise<void> {
	await body?.cancel().catch(() => {});
}

// Whether the request was carried out would have been said in the part that was not read.
function tooMuch(bound: string): PlatformError {
	const said = `the answer: expected ${bound}`;
	return new PlatformError(failureOf('unreadable', said, { isOutcomeUnknown: true }));
}
