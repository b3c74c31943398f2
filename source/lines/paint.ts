import type { Span } from './span.ts';
import { linkTo, type Theme } from './theme.ts';

export function painted(spans: readonly Span[], { paint, paintMatch }: Theme): string {
	let text = '';
	for (const [piece, tone, click, isMatch] of spans) {
		const toned = isMatch ? paintMatch(paint(tone, piece)) : paint(tone, piece);
		text += click?.url ? linkTo(toned, click.url) : toned;
	}
	return text;
}
