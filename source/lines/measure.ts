import stringWidth from 'string-width';

export const cellsOf = (text: string): number => stringWidth(text);

/** Creating a segmenter takes longer than a frame, so the first text that needs it creates it. */
let segmenter: Intl.Segmenter | undefined;

export function charactersOf(text: string): readonly string[] {
	segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
	return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

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
