import type { Span } from '../../drawing/span.ts';
import type { Theme } from '../../drawing/theme.ts';
import { type ActivityHours, activityHourCount, hourAt } from '../../fleet/activity-hours.ts';

// 24 h ·······▁▁▂▁▁▁▇▂▁▁✖▁▁▁▂▁▁     the changes in each hour; ✖ where something failed, · where nothing watched

/** The number of cells of the strip, which is always the same. */
export const activityStripWidth = 5 + activityHourCount;

/** Draws how many changes each of the last 24 hours had, up to the current hour. */
export function activityStrip(
	hours: ActivityHours,
	now: number,
	{ glyphs }: Theme,
): readonly Span[] {
	const first = hourAt(now) - activityHourCount + 1;
	const byHour = new Map(hours.map(each => [each.hour, each]));
	const most = hours.reduce((max, { changes }) => Math.max(max, changes), 1);
	const heights = glyphs.sparklineHeights;
	const heightOf = (changes: number) =>
		changes === 0 ? 0 : Math.max(1, Math.round((changes / most) * (heights.length - 1)));
	const cells = Array.from({ length: activityHourCount }, (_, index): Span => {
		const hour = byHour.get(first + index);
		if (!hour) return [glyphs.dayStrip.unseen, 'faint'];
		if (hour.failures > 0) return [glyphs.dayStrip.error, 'bad'];
		return [heights[heightOf(hour.changes)] ?? '', 'faint'];
	});
	return [['24 h ', 'faint'], ...cells];
}
