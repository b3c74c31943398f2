import type { Span } from './span.ts';
import type { Theme } from './theme.ts';

/** Paints spans in the colours of a theme. */
export function painted(spans: readonly Span[], { paint, paintMatch }: Theme): string {
	let text = '';
	for (const [piece, tone, , isMatch] of spans)
		text += isMatch ? paintMatch(paint(tone, piece)) : paint(tone, piece);
	return text;
}
