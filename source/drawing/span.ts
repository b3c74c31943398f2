import type { Click, Span } from '../lines/span.ts';
import type { Theme } from '../lines/theme.ts';

export type { Span };

/** The cells of a line in which a click does something, from the first to before the last. */
export type ClickZone = { from: number; to: number; click: Click };

/** Returns the zones of spans that begin at this column of the line. */
export function clickZonesOf(
	spans: readonly Span[],
	{ ruler }: Theme,
	column = 0,
): readonly ClickZone[] {
	const zones: ClickZone[] = [];
	let from = column;
	for (let at = 0; at < spans.length; at++) {
		const span = spans[at] as Span;
		const to = from + ruler.width(span[0]);
		if (span[2]) zones.push({ from, to, click: span[2] as Click });
		from = to;
	}
	return zones;
}

export function widthOf(spans: readonly Span[], { ruler }: Theme): number {
	let cells = 0;
	for (let at = 0; at < spans.length; at++) cells += ruler.width((spans[at] as Span)[0]);
	return cells;
}

/** Returns the text of the spans without their colours. */
export function textOf(spans: readonly Span[]): string {
	let text = '';
	for (let at = 0; at < spans.length; at++) text += (spans[at] as Span)[0];
	return text;
}

/** Makes the spans exactly `width` cells wide: pads them with spaces, or cuts them with an ellipsis. */
export function fitToWidth(
	spans: readonly Span[],
	width: number,
	theme: Theme,
	align: 'left' | 'right' = 'left',
): readonly Span[] {
	const room = width - widthOf(spans, theme);
	if (room === 0) return spans;
	if (room < 0) return cutWithEllipsis(spans, width, theme);
	const padding: Span = [blanks(room)];
	return align === 'left' ? [...spans, padding] : [padding, ...spans];
}

const keptBlanks = Array.from({ length: 200 }, (_, count) => ' '.repeat(count));

/** Returns this many blanks. */
export const blanks = (count: number): string => keptBlanks[count] ?? ' '.repeat(count);

/** Paints spans that are exactly `width` cells wide: padded with spaces, or cut with an ellipsis. */
export function paintFitted(
	spans: readonly Span[],
	width: number,
	theme: Theme,
	align: 'left' | 'right' = 'left',
): string {
	const room = width - widthOf(spans, theme);
	if (room < 0) return paintSpans(cutWithEllipsis(spans, width, theme), theme);
	const painted = paintSpans(spans, theme);
	if (room === 0) return painted;
	return align === 'left' ? painted + blanks(room) : blanks(room) + painted;
}

export function cutWithEllipsis(
	spans: readonly Span[],
	width: number,
	{ ruler, glyphs }: Theme,
): readonly Span[] {
	const kept: Span[] = [];
	let room = width - 1;
	for (let at = 0; at < spans.length && room >= 0; at++) {
		const span = spans[at] as Span;
		const [text, tone, click, isMatch] = span;
		const part = ruler.beginning(text, room);
		room -= ruler.width(part);
		if (part === text) {
			kept.push(span);
			continue;
		}
		// A wide character is never cut in half, so a cell may remain empty.
		const end = glyphs.ellipsis + ' '.repeat(room);
		if (isMatch) kept.push([part, tone, click, isMatch], [end, tone, click]);
		else kept.push([part + end, tone, click]);
		return kept;
	}
	return [...kept, ...(width > 0 ? [[glyphs.ellipsis] as const] : [])];
}

/** Cuts spans that are too wide with an ellipsis, before a word and not within it if a large part of the line remains. */
export function cutBeforeWord(spans: readonly Span[], width: number, theme: Theme) {
	const { ruler } = theme;
	if (widthOf(spans, theme) <= width) return spans;
	const text = textOf(spans);
	const longest = ruler.beginning(text, width - 2).length;
	const spaces = [...text.matchAll(cuttableSpace)];
	const cut = spaces.findLast(({ index }) => index <= longest)?.index ?? 0;
	const cells = ruler.width(text.slice(0, cut)) + 2;
	return cutWithEllipsis(spans, cells > width / 2 ? cells : width, theme);
}

export function paintSpans(spans: readonly Span[], { paint, paintMatch }: Theme): string {
	let line = '';
	for (let at = 0; at < spans.length; at++) {
		const span = spans[at] as Span;
		const painted = paint(span[1], span[0]);
		line += span[3] ? paintMatch(painted) : painted;
	}
	return line;
}

/** Marks the parts of the text of these spans that a filter matched. The places are in order and do not overlap. */
export function withMatches(
	spans: readonly Span[],
	places: readonly { from: number; to: number }[],
): readonly Span[] {
	if (places.length === 0) return spans;
	const parts: Span[] = [];
	let start = 0;
	for (let nth = 0; nth < spans.length; nth++) {
		const span = spans[nth] as Span;
		const text = span[0];
		let at = 0;
		for (let place = 0; place < places.length; place++) {
			const begin = Math.min((places[place]?.from ?? 0) - start, text.length);
			const end = Math.min((places[place]?.to ?? 0) - start, text.length);
			if (begin > at) parts.push([text.slice(at, begin), span[1], span[2], false]);
			at = Math.max(at, begin);
			if (end > at) parts.push([text.slice(at, end), span[1], span[2], true]);
			at = Math.max(at, end);
		}
		if (at < text.length) parts.push([text.slice(at), span[1], span[2], false]);
		start += text.length;
	}
	return parts;
}

/** Puts spans at both ends of a line. If they do not fit, the left spans are cut. */
export function justifySpans(
	left: readonly Span[],
	right: readonly Span[],
	width: number,
	theme: Theme,
): readonly Span[] {
	const rightWidth = widthOf(right, theme);
	if (rightWidth >= width) return fitToWidth(left, width, theme);
	return [...fitToWidth(left, width - rightWidth, theme), ...right];
}

/** Joins as many of the first parts as fit into the width, with a gap between them. */
export function partsThatFit(
	parts: readonly (readonly Span[])[],
	gap: string,
	width: number,
	theme: Theme,
): readonly Span[] {
	const kept: Span[] = [];
	let room = width;
	for (const part of parts) {
		const needed = widthOf(part, theme) + (kept.length > 0 ? gap.length : 0);
		if (needed > room) break;
		if (kept.length > 0) kept.push([gap]);
		kept.push(...part);
		room -= needed;
	}
	return kept;
}

// Matches the spaces at which a line may be broken: all except those inside a duration such as `3 d 21 h`, because a
// number without its unit would be misread.
const breakableSpace = / (?!(?<=\d )(?:s|min|h|d)\b)(?!(?<=\d (?:min|h|d) )\d+ (?:s|min|h)\b)/;

/** Matches the spaces at which a line may be cut: a number keeps the word that says what it counts, as in `3 failed`. */
const cuttableSpace = new RegExp(`(?<!\\s[\\d.,]+)${breakableSpace.source}`, 'g');

/** Like `partsThatFit`, with an ellipsis in the place of the parts that are left out. */
export function partsWithEllipsis(
	parts: readonly (readonly Span[])[],
	gap: string,
	width: number,
	theme: Theme,
): readonly Span[] {
	const all = partsThatFit(parts, gap, Number.POSITIVE_INFINITY, theme);
	if (widthOf(all, theme) <= width) return all;
	const ending: Span = [`${gap}${theme.glyphs.ellipsis}`, 'faint'];
	return [...partsThatFit(parts, gap, width - widthOf([ending], theme), theme), ending];
}

/** Splits the text into lines of at most `width` cells, at spaces where possible. A duration stays in one line. */
export function wrapText(text: string, width: number, { ruler }: Theme): readonly string[] {
	const lines: string[] = [];
	let line = '';
	for (let word of text.split(breakableSpace)) {
		const longer = line === '' ? word : `${line} ${word}`;
		if (ruler.width(longer) <= width) {
			line = longer;
			continue;
		}
		if (line !== '') lines.push(line);
		while (ruler.width(word) > width) {
			const part = ruler.beginning(word, width) || word;
			lines.push(part);
			word = word.slice(part.length);
		}
		line = word;
	}
	return [...lines, line];
}
