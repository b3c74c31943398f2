import stringWidth from 'string-width';

export const cellsOf = (text: string): number => stringWidth(text);

/** Creating a segmenter takes longer than a frame, so the first text that needs it creates it. */
let segmenter: Intl.Segmenter | undefined;

export function charactersOf(text: string): readonly string[] {
	segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
	return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

/** The length of as many characters as have room. */
function lengthIn(characters: readonly string[], cells: number): number {
	let width = 0;
	let length = 0;
	for (const character of characters) {
		width += cellsOf(character);
		if (width > cells) break;
		length += character.length;
	}
	return length;
}

export const beginningOf = (text: string, cells: number): string =>
	cellsOf(text) <= cells ? text : text.slice(0, lengthIn(charactersOf(text), cells));

export const endOf = (text: string, cells: number): string =>
	text.slice(text.length - lengthIn(charactersOf(text).toReversed(), cells));
