import stringWidth from 'string-width';

/** Returns the number of cells of a text. */
export const cellsOf = (text: string): number => stringWidth(text);

/** Creating a segmenter takes longer than a frame, so the first text that needs it creates it. */
let segmenter: Intl.Segmenter | undefined;

/** Splits a text into the characters that a person sees. */
export function charactersOf(text: string): readonly string[] {
	segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
	return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

/** Cuts the text to the longest beginning that fits into `cells` cells. */
export function beginningOf(text: string, cells: number): string {
	if (cells <= 0) return '';
	if (cellsOf(text) <= cells) return text;
	let width = 0;
	let length = 0;
	for (const character of charactersOf(text)) {
		width += cellsOf(character);
		if (width > cells) return text.slice(0, length);
		length += character.length;
	}
	return text;
}

/** Cuts the text to the longest end that fits into `cells` cells. */
export function endOf(text: string, cells: number): string {
	let width = 0;
	let length = 0;
	for (const character of charactersOf(text).toReversed()) {
		width += cellsOf(character);
		if (width > cells) break;
		length += character.length;
	}
	return text.slice(text.length - length);
}
