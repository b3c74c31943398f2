import { justify, type Span, widthOf } from './span.ts';

/** A part of a line. Where there is no room for all parts, those with the highest number leave first, whole. */
export type Part = { spans: readonly Span[]; drop: number; isRight?: boolean };

/** Joins the parts that fit into a line of this width. Parts for the right end stand at its end. */
export function fitParts(parts: readonly Part[], width: number, gap = '  '): readonly Span[] {
	const kept = partsThatFit(parts, width, gap);
	const left = joined(
		kept.filter(({ isRight }) => !isRight),
		gap,
	);
	const right = joined(
		kept.filter(({ isRight }) => isRight),
		gap,
	);
	return justify(left, right, width);
}

/** Returns the parts that fit. A part that alone is too wide stays, and is cut. */
export function partsThatFit(parts: readonly Part[], width: number, gap: string): readonly Part[] {
	let kept = parts.filter(({ spans }) => widthOf(spans) > 0);
	const cells = () =>
		kept.reduce((sum, { spans }) => sum + widthOf(spans), 0) + (kept.length - 1) * gap.length;
	while (kept.length > 1 && cells() > width) {
		const highest = Math.max(...kept.map(({ drop }) => drop));
		const last = kept.findLastIndex(({ drop }) => drop === highest);
		kept = kept.filter((_, at) => at !== last);
	}
	return kept;
}

const joined = (parts: readonly Part[], gap: string): readonly Span[] =>
	parts.flatMap(({ spans }, at) => (at > 0 ? [[gap] as const, ...spans] : spans));

/** Lists as many items as fit, with an ellipsis in place of those that are left out. */
export function fitList(
	items: readonly (readonly Span[])[],
	width: number,
	gap = ', ',
): readonly Span[] {
	const parts = items.map((spans, drop): Part => ({ spans, drop }));
	const all = joined(parts, gap);
	if (widthOf(all) <= width) return all;
	const end: Span = [`${gap}…`, 'faint'];
	return [...joined(partsThatFit(parts, width - widthOf([end]), gap), gap), end];
}
