import stringWidth from 'string-width';

/** Each meaning has a colour, and no colour has another use. */
type Meaning =
	| 'accent'
	| 'faint'
	| 'strong'
	| 'good'
	/** Yellow, for what changes or needs attention. */
	| 'busy'
	/** Red, for what has failed. */
	| 'bad'
	| 'mark'
	| 'chosen'
	/** Dark on light whatever the terminal's colours are, so that cameras can read QR codes. */
	| 'paper'
	| MeaningOnMap;

/** A usual or an idle computer, one with old data or with an unknown status, and the cell under the cursor. */
type MeaningOnMap = 'usual' | 'idle' | 'old' | 'doubt' | 'here' | 'cellUnderCursor';

/** `account` colours the name of an account, and `badge` what is behind it. */
export type Tone = Meaning | `account ${string}` | `badge ${string}` | `${string} on ${string}`;

/** For a character whose background has a colour as well, such as two cells of the map in one character. */
export const onTone = (tone: Tone, background: Tone): Tone => `${tone} on ${background}`;

/** The terminal opens an address; the program gives every other click its meaning. */
export type Click = { readonly type: string; readonly url?: string };

/** Plain Unicode with a meaning that decides its colour. What a filter matched is underlined, and keeps its colour. */
export type Span = readonly [
	text: string,
	tone?: Tone | undefined,
	click?: Click | undefined,
	isMatch?: boolean | undefined,
];

const ellipsis = '…';

export const widthOf = (spans: readonly Span[]): number =>
	spans.reduce((cells, [text]) => cells + cellsOf(text), 0);

export const textOf = (spans: readonly Span[]): string => spans.map(([text]) => text).join('');

export function fitTo(
	spans: readonly Span[],
	width: number,
	align: 'left' | 'right' = 'left',
): readonly Span[] {
	const room = width - widthOf(spans);
	if (room === 0 || width === Infinity) return spans;
	if (room < 0) return cut(spans, width);
	const padding: Span = [' '.repeat(room)];
	return align === 'left' ? [...spans, padding] : [padding, ...spans];
}

export function cut(spans: readonly Span[], width: number): readonly Span[] {
	if (widthOf(spans) <= width) return spans;
	if (width <= 0) return [];
	const kept: Span[] = [];
	let room = width - 1;
	for (const [text, tone, click, isMatch] of spans) {
		const part = beginningOf(text, room);
		if (part !== '') kept.push([part, tone, click, isMatch]);
		room -= cellsOf(part);
		if (part === text) continue;
		// A wide character is never cut in half, so a cell may remain empty.
		kept.push([ellipsis + ' '.repeat(room), tone, click]);
		break;
	}
	return kept;
}

// A number without its unit would be misread, so that `3 d 21 h` stays together.
const breakableSpace = / (?!(?<=\d )(?:s|min|h|d)\b)(?!(?<=\d (?:min|h|d) )\d+ (?:s|min|h)\b)/;

export function wrapText(text: string, width: number): readonly string[] {
	const lines: string[] = [];
	let line = '';
	for (let word of text.split(breakableSpace)) {
		const longer = line === '' ? word : `${line} ${word}`;
		if (cellsOf(longer) <= width) {
			line = longer;
			continue;
		}
		if (line !== '') lines.push(line);
		while (cellsOf(word) > width) {
			const part = beginningOf(word, width) || word;
			lines.push(part);
			word = word.slice(part.length);
		}
		line = word;
	}
	return [...lines, line];
}

export function wrap(spans: readonly Span[], width: number): readonly (readonly Span[])[] {
	if (widthOf(spans) <= width) return [spans];
	const text = textOf(spans);
	let end = 0;
	return wrapText(text, width).map(line => {
		const begin = text.indexOf(line, end);
		end = begin + line.length;
		return slice(spans, begin, end);
	});
}

export function slice(spans: readonly Span[], begin: number, end = Infinity): readonly Span[] {
	let at = 0;
	return spans.flatMap(([text, ...look]): readonly Span[] => {
		const part = text.slice(Math.max(0, begin - at), Math.max(0, end - at));
		at += text.length;
		return part === '' ? [] : [[part, ...look]];
	});
}

/** If the spans do not fit, the left ones are cut. */
export function justify(
	left: readonly Span[],
	right: readonly Span[],
	width: number,
	[sign, tone]: Span = [' '],
): readonly Span[] {
	const cells = width - widthOf(right);
	if (cells <= 0) return fitTo(left, width);
	const room = cells - widthOf(left);
	if (room <= 0 || room === Infinity) return [...cut(left, cells), ...right];
	return [...left, [sign.repeat(room), tone], ...right];
}

export const ruleFill: Span = ['─', 'faint'];

export const clickable = (spans: readonly Span[], click: Click): readonly Span[] =>
	spans.map(([text, tone, , isMatch]) => [text, tone, click, isMatch]);

/** The places are in order and do not overlap. */
export function withMatches(
	spans: readonly Span[],
	places: readonly { from: number; to: number }[],
): readonly Span[] {
	if (places.length === 0) return spans;
	const ends = [...places.flatMap(({ from, to }) => [from, to]), Infinity];
	return ends.flatMap((end, at) => {
		const piece = slice(spans, ends[at - 1] ?? 0, end);
		const isMatch = at % 2 === 1;
		return isMatch ? piece.map(([text, tone, click]): Span => [text, tone, click, true]) : piece;
	});
}

export const cellsOf = (text: string): number => stringWidth(text);

/** Creating a segmenter takes longer than a frame, so the first text that needs it creates it. */
let segmenter: Intl.Segmenter | undefined;

export function charactersOf(text: string): readonly string[] {
	segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
	return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

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
