import { barSpans } from '../../drawing/chart.ts';
import { type LabelledValue, labelWidth, valueColumnWidth } from '../../drawing/section.ts';
import type { Span } from '../../drawing/span.ts';
import { percentSparkline } from '../../drawing/sparkline.ts';
import type { FleetRow } from '../../store/selectors.ts';
import { slotCount, type UsageKind, usageCells } from '../../store/usage-history.ts';
import type { CellContext } from '../table/cell-context.ts';

//  CPU        12 %  ▁▁▂▃▅▇▇▆▃▂▁▁▁▁▂▃▂▁▁▁           Memory     41 %  ▃▃▃▃▃▅▅▅▅▅▅▇▇▇▇▇▇▇▇▇
//  Storage    73 %  ━━━━━━━━━━━━━━╸─────

// The cells that the label, the percentage and the gaps take beside each chart.
const widthBesideChart = labelWidth + 9;

/** Draws CPU and memory over the last 30 minutes, and a bar of the used storage, all with the same width. */
export function usageValues(
	row: FleetRow,
	width: number,
	{ theme, now, usage }: CellContext,
): readonly LabelledValue[] {
	const { id, reading } = row.computer;
	const room = valueColumnWidth(width) - widthBesideChart;
	const cells = chartWidths.find(each => each <= room) ?? 0;
	const chartOf = (kind: UsageKind) =>
		percentSparkline(cells > 0 ? usageCells(usage, id, kind, now, cells) : [], theme);
	const barOf = (percent: number) =>
		barSpans(percent / 100, Math.max(minBarWidth, cells), theme, 'accent');
	const valueWith = (
		label: string,
		percent: number | null | undefined,
		drawing: readonly Span[],
	): readonly LabelledValue[] => {
		const isDrawn = drawing.some(([text]) => text.trim() !== '');
		const isKnown = typeof percent === 'number' && Number.isFinite(percent);
		if (!isKnown && !isDrawn) return [];
		const text = isKnown ? `${Math.round(percent)} %` : theme.glyphs.noValue;
		return [[label, [[`${text.padStart(5)}  `], ...drawing]]];
	};
	const { storage } = reading;
	return [
		...valueWith('CPU', reading.cpu, [[chartOf('cpu'), 'accent']]),
		...valueWith('Memory', reading.memory, [[chartOf('memory'), 'accent']]),
		...valueWith('Storage', storage, typeof storage === 'number' ? barOf(storage) : []),
	];
}

// Each width divides the number of slots in the last 30 minutes.
const chartWidths = [slotCount, slotCount / 2, slotCount / 4];
const minBarWidth = 10;
