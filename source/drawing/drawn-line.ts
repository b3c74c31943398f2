import type { Theme } from '../lines/theme.ts';
import { type ClickZone, clickZonesOf, paintSpans, type Span } from './span.ts';

/** A painted line, and where a click on it does something. */
export type DrawnLine = { text: string; zones: readonly ClickZone[] };

/** Paints spans. The cells of each span that has a click become a zone, so that zones never differ from the text. */
export function drawnLine(spans: readonly Span[], theme: Theme): DrawnLine {
	return { text: paintSpans(spans, theme), zones: clickZonesOf(spans, theme) };
}
