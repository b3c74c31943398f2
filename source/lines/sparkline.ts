import type { Theme } from './theme.ts';

//  ▁▂▅▇▅ ▂▁     shares of 100 %, with a gap where nothing was read

/** Draws percentages in one cell each. The scale is always 0 to 100, so that lines can be compared with each other. */
export function percentSparkline(
	percentages: readonly (number | undefined)[],
	{ glyphs: { sparklineHeights: heights } }: Theme,
): string {
	const heightOf = (percent: number) =>
		heights[Math.round((Math.max(0, Math.min(percent, 100)) / 100) * (heights.length - 1))] ?? '';
	return percentages.map(percent => (percent === undefined ? ' ' : heightOf(percent))).join('');
}
