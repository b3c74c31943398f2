import type { Theme, Tone } from '../lines/theme.ts';
import type { Span } from './span.ts';

/** Draws a bar of exactly `cells` cells, filled to `share` (0 to 1). */
export function barSpans(
	share: number,
	cells: number,
	{ glyphs }: Theme,
	tone: Tone,
): readonly Span[] {
	const { full, partlyFull: parts, empty } = glyphs.bar;
	const steps = parts.length + 1;
	const filled = Math.round(Math.max(0, Math.min(share, 1)) * cells * steps);
	const whole = Math.floor(filled / steps);
	const part = parts[(filled % steps) - 1] ?? '';
	return [
		[full.repeat(whole) + part, tone],
		[empty.repeat(cells - whole - (part === '' ? 0 : 1)), 'faint'],
	];
}
