import { percentSparkline } from '../../lines/sparkline.ts';
import type { FleetRow } from '../../store/selectors.ts';
import { type UsageKind, usageCells, usageSpanMs } from '../../store/usage-history.ts';
import type { CellContext } from './cell-context.ts';
import { type Column, widthSteps } from './column.ts';

//    CPU  30 MIN
//    12%  ▁▂▅▇▅ ▁▁     a gap where nothing was read

// A row draws the last 30 minutes in eight cells, so that a cell stands for almost four minutes.
const sparklineCells = 8;

type NamedColumn = Pick<Column, 'name' | 'title' | 'description' | 'visibility'> & {
	/** The turn in which the column gets its width. */
	turn: number;
};

/** Returns a column with the recent usage of each computer as a sparkline. */
export function usageHistoryColumn(kind: UsageKind, { turn, ...named }: NamedColumn): Column {
	const drawnText = ({ computer }: FleetRow, _: number, { usage, now, theme }: CellContext) => {
		// On a slow line, the newest cell is left out, because it changes with every list.
		const until = theme.times.isCoarse ? now - usageSpanMs / sparklineCells : now;
		return percentSparkline(usageCells(usage, computer.id, kind, until, sparklineCells), theme);
	};
	return {
		...named,
		needsHistory: true,
		// What went wrong matters more than how busy the computer was before.
		givesWay: true,
		growth: widthSteps([turn, sparklineCells]),
		drawnText,
		cellSpans: (row, width, context, drawn = drawnText(row, width, context)) => [[drawn, 'faint']],
	};
}
