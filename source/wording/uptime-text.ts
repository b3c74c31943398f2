import { spanText } from '../drawing/time-text.ts';
import { uptimeOf } from '../fleet/uptime.ts';
import type { Row } from '../store/rows.ts';
import type { CellContext } from './cell-context.ts';

/** How long it has been running. What was true when it was read is all that is known of an old row. */
export function uptimeText(
	row: Row,
	{ now, seenAt, ageOf, theme }: CellContext,
): string | undefined {
	const isOld = ageOf(row) === 'old';
	const uptime = uptimeOf(row.computer, isOld ? Math.min(now, seenAt(row) ?? now) : now);
	if (!uptime) return undefined;
	const isAtLeast = uptime.isLowerBound || isOld;
	// A frozen time is no reason to draw again every second.
	const text = isOld ? spanText(uptime.milliseconds) : theme.times.span(uptime.milliseconds);
	return isAtLeast ? `${theme.glyphs.atLeast}${text}` : text;
}
