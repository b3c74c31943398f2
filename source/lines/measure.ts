import stringWidth from 'string-width';

/** Characters of one cell each, such as those of which rules and bars consist. To measure others takes much longer. */
const narrowPattern =
	/^[\x20-\x7e\u00b7\u2013\u2026\u2190-\u2193\u2212\u2248\u2265\u2500-\u25fc✔✖❯]*$/;

/** The widths of signs, which recur in each row of a table. */
const signWidths = new Map<string, number>();

/** Returns the number of cells of a text. */
export function cellsOf(text: string): number {
	if (narrowPattern.test(text)) return text.length;
	if (text.length > 1) return stringWidth(text);
	const known = signWidths.get(text);
	if (known !== undefined) return known;
	const width = stringWidth(text);
	signWidths.set(text, width);
	return width;
}

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
	if (narrowPattern.test(text)) return text.slice(0, cells);
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
