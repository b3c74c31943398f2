import type { Theme, Tone } from '../lines/theme.ts';
import { type ClickZone, clickZonesOf, fitToWidth, paintSpans, type Span } from './span.ts';

//  ╭ title ──────╮
//  │ a line      │
//  ╰─────────────╯

/** A box of lines, all equally wide, that is drawn over the screen. */
export type FramedBox = {
	lines: readonly string[];
	/** The zones of each line. */
	zones: readonly (readonly ClickZone[])[];
	width: number;
	/** Whether the box has no room for something that a person must read before answering. */
	isCut?: boolean;
};

/** Draws a frame around the lines, with a title in its upper edge. */
export function drawFrame(
	title: string,
	lines: readonly (readonly Span[])[],
	width: number,
	tone: Tone,
	theme: Theme,
): FramedBox {
	const {
		topLeft,
		topRight,
		bottomLeft,
		bottomRight,
		horizontal: across,
		vertical: side,
	} = theme.glyphs.frame;
	const paint = (text: string) => theme.paint(tone, text);
	const drawn = (spans: readonly Span[], cells: number) =>
		paintSpans(fitToWidth(spans, cells, theme), theme);
	const size = title === '' ? 0 : Math.min(width - 2, theme.ruler.width(title) + 2);
	const head = drawn(size > 0 ? [[` ${title} `, 'strong']] : [], size);
	return {
		width,
		// The spans begin after the frame and a blank, so their zones are shifted by two cells.
		zones: [
			[],
			...lines.map(spans => clickZonesOf(fitToWidth(spans, width - 4, theme), theme, 2)),
			[],
		],
		lines: [
			paint(topLeft) + head + paint(across.repeat(width - 2 - size) + topRight),
			...lines.map(spans => `${paint(side)} ${drawn(spans, width - 4)} ${paint(side)}`),
			paint(bottomLeft + across.repeat(width - 2) + bottomRight),
		],
	};
}
