import type { Span } from './span.ts';
import type { Theme } from './theme.ts';

/** What of a text of `height` lines is seen: which lines, and how many are above and below them. */
export type Window = { first: number; count: number; above: number; below: number };

/** Where not everything has room, the last line tells what is beyond, and is no line of the text. */
export function windowOf(height: number, first: number, room: number): Window {
	if (height <= room) return { first: 0, count: height, above: 0, below: 0 };
	const count = Math.max(0, room - 1);
	const above = Math.max(0, Math.min(first, height - count));
	return { first: above, count, above, below: height - count - above };
}

/** The first of so many lines, when those around the chosen one are seen. */
export function windowFrom(chosen: number, room: number, count: number): number {
	return Math.max(0, Math.min(chosen - Math.floor(room / 2), count - room));
}

/** How far a text of that height can be scrolled in a view of so many lines, with its title. */
export function scrollableIn(height: number, lines: number): number {
	const room = lines - 1;
	return height <= room ? 0 : height - Math.max(0, room - 1);
}

export function beyondSpans({ above, below }: Window, { glyphs }: Theme): readonly Span[] {
	const parts = [above > 0 ? `${above} above` : '', below > 0 ? `${below} below` : ''];
	return [[` ${glyphs.ellipsis} ${parts.filter(part => part !== '').join(', ')}`, 'faint']];
}
