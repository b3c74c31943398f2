import { fitted, painted, type Span } from './span.ts';
import type { Theme, Token } from './theme.ts';

/** What is drawn over the screen: lines that are all of that width. */
export type Framed = { lines: readonly string[]; width: number };

/** Lines in a frame with a title in its upper edge. */
export function framed(
	title: string,
	lines: readonly (readonly Span[])[],
	width: number,
	token: Token,
	theme: Theme,
): Framed {
	const { topLeft, topRight, bottomLeft, bottomRight, across, side } = theme.glyphs.frame;
	const paint = (text: string) => theme.paint(token, text);
	const drawn = (spans: readonly Span[], cells: number) =>
		painted(fitted(spans, cells, theme), theme);
	const size = title === '' ? 0 : Math.min(width - 2, theme.ruler.width(title) + 2);
	const head = drawn(size > 0 ? [[` ${title} `, 'strong']] : [], size);
	return {
		width,
		lines: [
			paint(topLeft) + head + paint(across.repeat(width - 2 - size) + topRight),
			...lines.map(spans => `${paint(side)} ${drawn(spans, width - 4)} ${paint(side)}`),
			paint(bottomLeft + across.repeat(width - 2) + bottomRight),
		],
	};
}
