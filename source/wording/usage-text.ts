import { bar } from '../drawing/bar.ts';
import { labelled, labelWidth } from '../drawing/labelled.ts';
import type { Span } from '../drawing/span.ts';
import type { Theme } from '../drawing/theme.ts';
import type { Reading } from '../fleet/computer.ts';

//  CPU       ━━━╸───────────── 12%   Memory ━━━━━━━━━╸─────── 41%   Storage ━━━╸────── 18%

const inOneLineFrom = 72;
const maxBarWidth = 24;

// The cells of the name, the number and what is between them.
const widthBesideBar = labelWidth + 8;

/** What a computer uses of what its plan gives, as far as it is told. */
export function usageLines(
	{ cpu, memory, storage }: Reading,
	width: number,
	theme: Theme,
): readonly (readonly Span[])[] {
	const all = [
		['CPU', cpu],
		['Memory', memory],
		['Storage', storage],
	] as const;
	const known = all.flatMap(([label, value]) =>
		typeof value === 'number' && Number.isFinite(value) ? [{ label, value }] : [],
	);
	const isInOneLine = width >= inOneLineFrom && known.length > 1;
	const room = isInOneLine
		? Math.floor(width / known.length) - widthBesideBar
		: width - widthBesideBar;
	const bars = known.map(({ label, value }) =>
		labelled(label, [
			...bar(value / 100, Math.min(maxBarWidth, room), theme, 'accent'),
			[`${String(Math.round(value)).padStart(4)}%  `],
		]),
	);
	return isInOneLine ? [bars.flat()] : bars;
}
