import type { Theme } from '../lines/theme.ts';
import type { Span } from './span.ts';

/** The visible lines of a longer text, and the number of lines above and below them. */
type VisibleLines = { firstLine: number; count: number; hiddenAbove: number; hiddenBelow: number };

/**
 * Returns the lines that are visible. If not every line fits, one line is kept free for the numbers of hidden
 * lines above and below.
 */
export function visibleLines(
	textHeight: number,
	firstLine: number,
	viewHeight: number,
): VisibleLines {
	if (textHeight <= viewHeight)
		return { firstLine: 0, count: textHeight, hiddenAbove: 0, hiddenBelow: 0 };
	const count = Math.max(0, viewHeight - 1);
	const above = Math.max(0, Math.min(firstLine, textHeight - count));
	return { firstLine: above, count, hiddenAbove: above, hiddenBelow: textHeight - count - above };
}

/**
 * Returns how many lines a text of `textHeight` lines can scroll in a view. The view has `viewHeight` lines, and
 * the first line of the view is a title.
 */
export function maxScroll(textHeight: number, viewHeight: number): number {
	const room = viewHeight - 1;
	return textHeight <= room ? 0 : textHeight - Math.max(0, room - 1);
}

export function overflowSpans(
	{ hiddenAbove, hiddenBelow }: VisibleLines,
	{ glyphs }: Theme,
): readonly Span[] {
	const parts = [
		hiddenBelow > 0
			? `${glyphs.descending} ${hiddenBelow} more line${hiddenBelow === 1 ? '' : 's'}`
			: '',
		hiddenAbove > 0 ? `${glyphs.ascending} ${hiddenAbove} above` : '',
	];
	return [[` ${parts.filter(part => part !== '').join('  ')}`, 'faint']];
}
