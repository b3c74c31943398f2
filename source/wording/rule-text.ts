import type { Theme } from '../drawing/theme.ts';

// ───────────────────────────────────────────────────────────────────────────────── 12–34 of 1000 ──

type RuleBelowOptions = {
	/** The first row of the window, how many it has, and how many there are. */
	first: number;
	lines: number;
	count: number;
	/** How far the table reaches. */
	end: number;
	width: number;
	theme: Theme;
};

/** The line below the table: where not all rows have room, it tells which of them are seen. */
export function ruleBelow({ first, lines, count, end, width, theme }: RuleBelowOptions): string {
	const { glyphs, ruler, paint } = theme;
	const rule = (cells: number) => glyphs.rule.repeat(Math.max(0, cells));
	const last = Math.min(first + lines, count);
	const place = count > lines ? ` ${first + 1}–${last} of ${count} ` : '';
	const before = end - ruler.width(place) - 2;
	const isShown = place !== '' && before >= 0;
	if (!isShown) return paint('faint', rule(width));
	return paint('faint', `${rule(before)}${place}${rule(width - end + 2)}`);
}
