import type { Span } from './span.ts';
import type { Theme, Token } from './theme.ts';

/** A bar that is filled to `share` (0 to 1), in exactly that many cells. */
export function bar(
	share: number,
	cells: number,
	{ glyphs }: Theme,
	token: Token,
): readonly Span[] {
	const { full, parts, empty } = glyphs.bar;
	const steps = parts.length + 1;
	const filled = Math.round(Math.max(0, Math.min(share, 1)) * cells * steps);
	const whole = Math.floor(filled / steps);
	const part = parts[(filled % steps) - 1] ?? '';
	return [
		[full.repeat(whole) + part, token],
		[empty.repeat(cells - whole - (part === '' ? 0 : 1)), 'faint'],
	];
}
