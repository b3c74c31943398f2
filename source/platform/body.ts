import { failureOf, PlatformError } from './platform-error.ts';

type Body = Response['body'];

/** The text of a body, read to its end. One that has no measure is called off, and not kept. */
export async function textFrom(body: Body, most: number): Promise<string> {
	const decoder = new TextDecoder();
	let text = '';
	let bytes = 0;
	for await (const chunk of body ?? []) {
		bytes += chunk.length;
		// Whoever leaves the loop cancels the body.
		if (bytes > most) throw new PlatformError(tooLong(most));
		text += decoder.decode(chunk, { stream: true });
	}
	return text + decoder.decode();
}

/** Calls off what is not wanted. That it broke by itself meanwhile does not matter. */
export async function dropBody(body: Body): Promise<void> {
	await body?.cancel().catch(() => {});
}

// Nobody has read in it whether what was asked for was done.
function tooLong(most: number) {
	const said = `the answer: expected at most ${Math.round(most / 1_048_576)} MB`;
	return failureOf('unreadable', said, { isOutcomeUnknown: true });
}
