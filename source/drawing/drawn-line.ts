import type { Theme } from '../lines/theme.ts';
import type { Click } from '../screen/click.ts';
import { type ClickZone, clickZonesOf, paintSpans, type Span } from './span.ts';

/** A painted line, and where a click on it does something. */
export type DrawnLine = { text: string; zones: readonly ClickZone[] };

/** Paints spans. The cells of each span that has a click become a zone, so that zones never differ from the text. */
export function drawnLine(spans: readonly Span[], theme: Theme): DrawnLine {
	return { text: paintSpans(spans, theme), zones: clickZonesOf(spans, theme) };
}

/** Gives all spans of a part the same click. */
export const clickable = (spans: readonly Span[], click: Click): readonly Span[] =>
	spans.map(([text, tone]) => [text, tone, click]);
