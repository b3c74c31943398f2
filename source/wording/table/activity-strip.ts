import type { Span } from '../../drawing/span.ts';
import type { Theme } from '../../drawing/theme.ts';
import { type ActivityHours, activityHourCount, hourNumberAt } from '../../fleet/activity-hours.ts';
import { memoize } from '../../foundation/memoize.ts';

// 24 h ·······▁▁▂▁▁▁▇▂▁▁✖▁▁▁▂▁▁     the changes in each hour; ✖ where something failed, · where nothing watched

/** The number of cells of the strip, which is always the same. */
export const activityStripWidth = 5 + activityHourCount;

type BarSize = { width: number; rows: number };

const maxBarCells = 4;
const hoursBetweenLabels = 3;

/**
 * Draws how many changes each of the last 24 hours had as bars, with the hours of the day below. An hour with a failure
 * has a red bar that stands on the sign of an error.
 */
export function activityBars(
	hours: ActivityHours,
	now: number,
	{ width, rows }: BarSize,
	{ glyphs }: Theme,
): readonly (readonly Span[])[] {
	const cells = Math.max(1, Math.min(maxBarCells, Math.floor(width / activityHourCount)));
	const barCells = Math.max(1, cells - 1);
	const heights = glyphs.sparklineHeights;
	const bars = hoursUntil(hours, hourNumberAt(now));
	const most = mostChanges(bars, rows > 1);
	const barSpan = (hour: ActivityHours[number] | undefined, rowsBelow: number): Span => {
		const gap = ' '.repeat(cells - barCells);
		const bar = (glyph: string) => `${glyph.repeat(barCells)}${gap}`;
		if (!hour) return [bar(rowsBelow === 0 ? glyphs.dayStrip.unseen : ' '), 'faint'];
		const hasFailed = hour.failures > 0;
		if (hasFailed && rowsBelow === 0) return [bar(glyphs.dayStrip.error), 'bad'];
		const height = Math.round((hour.changes / most) * rows * heights.length);
		const here = height - rowsBelow * heights.length;
		// A full cell has no gap above it, so that the cells of a bar join.
		if (here > heights.length) return [bar(glyphs.dayStrip.active), hasFailed ? 'bad' : 'faint'];
		const lowest = rowsBelow === 0 ? (heights[0] ?? ' ') : ' ';
		return [bar(here > 0 ? (heights[here - 1] ?? ' ') : lowest), hasFailed ? 'bad' : 'faint'];
	};
	const lines = Array.from({ length: rows }, (_, row): readonly Span[] => [
		[' '],
		...bars.map(hour => barSpan(hour, rows - 1 - row)),
	]);
	const labels = bars.map((_, index) => {
		const hourOfDay = new Date(
			(hourNumberAt(now) - activityHourCount + 1 + index) * hourMs,
		).getHours();
		return hourOfDay % hoursBetweenLabels === 0 ? String(hourOfDay).padStart(2, '0') : '';
	});
	const axis = labels.reduce((line, label, index) => {
		return label === '' ? line : `${line.padEnd(index * cells)}${label}`;
	}, '');
	return [...lines, [[` ${axis}`, 'faint']]];
}

const hourMs = 3_600_000;

/** Returns 24 hours up to the last one, oldest first; undefined for each hour that was not watched. */
function hoursUntil(hours: ActivityHours, last: number) {
	const first = last - activityHourCount + 1;
	const byHour = new Map(hours.map(each => [each.hour, each]));
	return Array.from({ length: activityHourCount }, (_, index) => byHour.get(first + index));
}

/**
 * Returns the number of changes in the busiest hour, which all bars are scaled to. If a failing hour shows an error
 * sign instead of a bar, it does not count, because it would make the other hours look idle.
 */
function mostChanges(hours: ReturnType<typeof hoursUntil>, showFailingHours: boolean): number {
	return hours.reduce(
		(most, hour) =>
			hour && (showFailingHours || hour.failures === 0) ? Math.max(most, hour.changes) : most,
		1,
	);
}

/** Draws how many changes each of the last 24 hours had, up to the current hour. */
export const activityStrip = (hours: ActivityHours, now: number, theme: Theme): readonly Span[] =>
	stripUntil(hours, hourNumberAt(now), theme);

/** The strip is kept, because it stands on every frame and changes a few times an hour. */
const stripUntil = memoize((hours: ActivityHours, last: number, { glyphs }: Theme) => {
	const shown = hoursUntil(hours, last);
	const most = mostChanges(shown, false);
	const heights = glyphs.sparklineHeights;
	const heightOf = (changes: number) =>
		changes === 0 ? 0 : Math.max(1, Math.round((changes / most) * (heights.length - 1)));
	const cells = shown.map((hour): Span => {
		if (!hour) return [glyphs.dayStrip.unseen, 'faint'];
		if (hour.failures > 0) return [glyphs.dayStrip.error, 'bad'];
		return [heights[heightOf(hour.changes)] ?? '', 'faint'];
	});
	return joinedSpans([['24 h ', 'faint'], ...cells]);
});

/** Joins neighbours of the same tone. */
function joinedSpans(spans: readonly Span[]): readonly Span[] {
	const joined: Span[] = [];
	for (const [text, tone] of spans) {
		const last = joined.at(-1);
		if (last && last[1] === tone) joined[joined.length - 1] = [last[0] + text, tone];
		else joined.push([text, tone]);
	}
	return joined;
}
