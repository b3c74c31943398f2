import { cut, justify, type Span, type Tone, widthOf } from './span.ts';

/** Where there is no room for all parts, those with the highest number leave first, whole. */
export type Part = {
	spans: readonly Span[];
	drop: number;
	isRight?: boolean;
	/** The fewest cells to which the part is cut before a part leaves; without it, the part is never cut. */
	min?: number;
	group?: string | number;
};

export const part = (drop: number, text: string, tone?: Tone): Part => ({
	drop,
	spans: [[text, tone]],
});

export const rightPart = (drop: number, text: string, tone?: Tone): Part => ({
	...part(drop, text, tone),
	isRight: true,
});

/** What stands between two parts, or between two within a group and between two groups. */
type Gap = string | { within: string; groups: Span };

export function fitParts(
	parts: readonly Part[],
	width: number,
	gap: Gap = '  ',
	fill?: Span,
): readonly Span[] {
	const kept = partsThatFit(parts, width, gap);
	const left = kept.filter(({ isRight }) => !isRight);
	const right = kept.filter(({ isRight }) => isRight);
	return justify(joinedParts(left, gap), joinedParts(right, gap), width, fill);
}

/** A part that alone is too wide stays, and is cut. */
export function partsThatFit(parts: readonly Part[], width: number, gap: Gap): readonly Part[] {
	let kept = parts.filter(({ spans }) => widthOf(spans) > 0);
	const leastOf = ({ spans, min = Infinity }: Part) => Math.min(min, widthOf(spans));
	const cells = () =>
		kept.reduce(
			(sum, part, at) => sum + widthOf(gapBefore(part, kept[at - 1], gap)) + leastOf(part),
			0,
		);
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

export const joinedParts = (parts: readonly Part[], gap: Gap = ''): readonly Span[] =>
	parts.flatMap((part, at) => [...gapBefore(part, parts[at - 1], gap), ...part.spans]);

function gapBefore(part: Part, before: Part | undefined, gap: Gap): readonly Span[] {
	if (!before || gap === '') return [];
	if (typeof gap === 'string') return [[gap]];
	return part.group === before.group || part.isRight ? [[gap.within]] : [gap.groups];
}

export function fitList(
	items: readonly (readonly Span[])[],
	width: number,
	gap = ', ',
): readonly Span[] {
	const parts = items.map((spans, drop): Part => ({ spans, drop }));
	const all = joinedParts(parts, gap);
	if (widthOf(all) <= width) return all;
	const end: Span = [`${gap}…`, 'faint'];
	const [first = []] = items;
	if (widthOf([...first, end]) > width) return cut(all, width);
	return [...joinedParts(partsThatFit(parts, width - widthOf([end]), gap), gap), end];
}
