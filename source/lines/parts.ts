import { cut, justify, type Span, widthOf } from './span.ts';

/** Where there is no room for all parts, those with the highest number leave first, whole. */
export type Part = {
	spans: readonly Span[];
	drop: number;
	isRight?: boolean;
	/** The fewest cells to which the part is cut before a part leaves; without it, the part is never cut. */
	min?: number;
};

export function fitParts(parts: readonly Part[], width: number, gap = '  '): readonly Span[] {
	const kept = partsThatFit(parts, width, gap);
	const left = joinedParts(
		kept.filter(({ isRight }) => !isRight),
		gap,
	);
	const right = joinedParts(
		kept.filter(({ isRight }) => isRight),
		gap,
	);
	return justify(left, right, width);
}

/** A part that alone is too wide stays, and is cut. */
export function partsThatFit<P extends Part>(
	parts: readonly P[],
	width: number,
	gap: string,
): readonly P[] {
	let kept = parts.filter(({ spans }) => widthOf(spans) > 0);
	const leastOf = ({ spans, min = Number.POSITIVE_INFINITY }: Part) =>
		Math.min(min, widthOf(spans));
	const cells = () =>
		kept.reduce((sum, part) => sum + leastOf(part), 0) + (kept.length - 1) * gap.length;
	while (kept.length > 1 && cells() > width) {
		const highest = Math.max(...kept.map(({ drop }) => drop));
		const last = kept.findLastIndex(({ drop }) => drop === highest);
		kept = kept.filter((_, at) => at !== last);
	}
	let room = width - cells();
	return kept.map(part => {
		const least = leastOf(part);
		const more = Math.min(room, widthOf(part.spans) - least);
		room -= more;
		return { ...part, spans: cut(part.spans, least + more) };
	});
}

export const joinedParts = (parts: readonly Part[], gap = ''): readonly Span[] =>
	parts.flatMap(({ spans }, at) => (at > 0 && gap !== '' ? [[gap] as const, ...spans] : spans));

export function fitList(
	items: readonly (readonly Span[])[],
	width: number,
	gap = ', ',
): readonly Span[] {
	const parts = items.map((spans, drop): Part => ({ spans, drop }));
	const all = joinedParts(parts, gap);
	if (widthOf(all) <= width) return all;
	const end: Span = [`${gap}…`, 'faint'];
	return [...joinedParts(partsThatFit(parts, width - widthOf([end]), gap), gap), end];
}

export function ruled(
	left: readonly Span[],
	right: readonly Span[],
	width: number,
	[glyph, tone]: Span = ['─', 'faint'],
): readonly Span[] {
	const room = width - widthOf(left) - widthOf(right);
	return cut([...left, [glyph.repeat(Math.max(0, room)), tone], ...right], width);
}
