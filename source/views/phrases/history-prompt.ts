import type { Span } from '../../lines/span.ts';

/** Draws the prompt of a search in the history of a text field, before the usual prompt of the field. */
export function historyPrompt(
	/** The searched text, and the index of the line that was found. */
	{ typed, index }: { typed: string; index: number | undefined },
	prompt: readonly Span[],
): readonly Span[] {
	const isMissing = typed !== '' && index === undefined;
	return [
		[isMissing ? 'not in history: ' : 'history: ', isMissing ? 'busy' : 'faint'],
		[`${typed} `, 'strong'],
		...prompt,
	];
}
