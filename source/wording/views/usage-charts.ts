import { barSpans } from '../../drawing/chart.ts';
import { percentAxisWidth, percentChartLines } from '../../drawing/percent-chart.ts';
import {
	type LabelledValue,
	labelValueSpans,
	labelWidth,
	valueColumnWidth,
} from '../../drawing/section.ts';
import { fitToWidth, type Span } from '../../drawing/span.ts';
import { percentSparkline } from '../../drawing/sparkline.ts';
import type { Theme } from '../../drawing/theme.ts';
import { timeText } from '../../drawing/time-text.ts';
import { type FieldWithOwnRead, isNotRead } from '../../fleet/computers/not-read.ts';
import type { FleetRow } from '../../store/selectors.ts';
import { slotCount, type UsageKind, usageCells, usageSpanMs } from '../../store/usage-history.ts';
import type { CellContext } from '../table/cell-context.ts';
import { toneOfShare } from '../table/columns.ts';

//  CPU        12 %  ▁▁▂▃▅▇▇▆▃▂▁▁▁▁▂▃▂▁▁▁           Memory     41 %  ▃▃▃▃▃▅▅▅▅▅▅▇▇▇▇▇▇▇▇▇
//  Storage    73 %  ━━━━━━━━━━━━━━╸─────
//
// and on a tall screen:
//
//  CPU        12 %                                 Memory     41 %
//  100 │                                           100 │
//      │     ▃▆▅                                       │     ▂▂▂▂▂▂▂▂▅▅▅▅▅▅▅▅
//    0 │▃▂▁▂▅███▇▃▂▁▁▂▃▂▁▁▁▂▃▂▁▁▁                    0 │▅▅▅▅▅████████████████
//       07:51        08:06        now                   07:51        08:06        now
//  Storage    73 %  ━━━━━━━━━━━━━━╸─────

type Size = { width: number; lines: number };

type Line = readonly Span[];

type Usage = { label: string; text: string; history: readonly (number | undefined)[] };

/**
 * Draws CPU and memory over the last 30 minutes, and a bar of the used storage, all with the same width. On a tall screen,
 * `charts` has CPU and memory, and `values` has what stands below them.
 */
export function usageParts(
	row: FleetRow,
	size: Size,
	context: CellContext,
): { charts: readonly Line[]; values: readonly LabelledValue[] } {
	const { theme, now } = context;
	const cells = chartWidths.find(each => each <= sparklineRoom(size.width)) ?? 0;
	const storage = storageValues(row, cells, context);
	const place = chartPlaceIn(size, theme);
	const usages = usagesOf(row, place ? slotCount : cells, size, context);
	if (place && usages.length > 0)
		return { charts: chartLines(usages, place, size.width, now, theme), values: storage };
	const values = usages.map(
		({ label, text, history }): LabelledValue => [
			label,
			[[`${text}  `], [percentSparkline(history, theme), 'accent']],
		],
	);
	return { charts: [], values: [...values, ...storage] };
}

const usageKinds = { cpu: 'CPU', memory: 'Memory' } as const satisfies Record<UsageKind, string>;

// With fewer lines, what is known of a computer comes before the places of what is not.
export const minLinesForPlaces = 16;

/**
 * Returns CPU and memory, now or in the last 30 minutes. Where there is room, what is not known keeps its place, so that
 * nothing moves while a person steps from a running computer to a stopped one.
 */
function usagesOf(
	{ computer }: FleetRow,
	cells: number,
	{ lines }: Size,
	context: CellContext,
): readonly Usage[] {
	const { id, reading } = computer;
	const { now, usage } = context;
	return (['cpu', 'memory'] as const).flatMap(kind => {
		const percent = reading[kind];
		const history = cells > 0 ? usageCells(usage, id, kind, now, cells) : [];
		const isKnown = typeof percent === 'number' && Number.isFinite(percent);
		const isSeen = isKnown || history.some(value => value !== undefined);
		if (!isSeen && lines < minLinesForPlaces) return [];
		const text = isKnown ? `${Math.round(percent)} %` : signWithout(kind, computer, context);
		return [{ label: usageKinds[kind], text: text.padStart(percentWidth), history }];
	});
}

/** Returns the sign for a value that is not known. */
const signWithout = (
	field: FieldWithOwnRead,
	computer: FleetRow['computer'],
	{ listFields, theme: { glyphs } }: CellContext,
) => (isNotRead(field, computer, listFields) ? glyphs.notRead : glyphs.noValue);

function storageValues(
	{ computer }: FleetRow,
	cells: number,
	context: CellContext,
): readonly LabelledValue[] {
	const { theme } = context;
	const { storage } = computer.reading;
	// The place of the storage stays, so that the values after it do not move from one computer to the next.
	if (typeof storage !== 'number' || !Number.isFinite(storage))
		return [
			['Storage', [[signWithout('storage', computer, context).padStart(percentWidth), 'faint']]],
		];
	const text = `${Math.round(storage)} %`.padStart(percentWidth);
	const bar = barSpans(storage / 100, Math.max(minBarWidth, cells), theme, 'accent');
	return [['Storage', [[`${text}  `], ...bar]]];
}

const percentWidth = 5;

// The cells that the label, the percentage and the gaps take beside each sparkline.
const sparklineRoom = (width: number) => valueColumnWidth(width) - labelWidth - percentWidth - 4;

// Each width divides the number of slots in the last 30 minutes.
const chartWidths = [slotCount, slotCount / 2, slotCount / 4];
const minBarWidth = 10;

type ChartPlace = { rows: number; cellsPerValue: number; isSideBySide: boolean };

const fewLines = 30;
const manyLines = 45;
/** In so many lines, tall charts leave room for the values, the ports and the latest changes of a computer. */
const veryManyLines = 52;

/**
 * Chooses how large the charts are; undefined if only sparklines have room. This depends only on the size of the
 * details, so that the lines below do not move from one computer to the next. A slow line has no room for charts.
 */
function chartPlaceIn({ width, lines }: Size, { times }: Theme): ChartPlace | undefined {
	if (lines < fewLines || times.isCoarse) return undefined;
	const valuesWithin = (cells: number) => Math.floor((cells - percentAxisWidth - 1) / slotCount);
	const beside = valuesWithin(valueColumnWidth(width));
	if (valueColumnWidth(width) < width && beside > 0)
		return { rows: lines < manyLines ? 4 : 8, cellsPerValue: beside, isSideBySide: true };
	const below = valuesWithin(width);
	return lines < manyLines || below === 0
		? undefined
		: { rows: lines < veryManyLines ? 4 : 8, cellsPerValue: below, isSideBySide: false };
}

function chartLines(
	usages: readonly Usage[],
	{ isSideBySide, ...size }: ChartPlace,
	width: number,
	now: number,
	theme: Theme,
): readonly Line[] {
	const toneOf = (percent: number) => toneOfShare(percent) ?? 'accent';
	const times = timesBelow(now);
	const charts = usages.map(({ label, text, history }) => [
		labelValueSpans(label, [[text]]),
		...percentChartLines({ ...size, values: history, times, toneOf }, theme),
	]);
	const [left = [], right = []] = charts;
	if (!isSideBySide) return charts.flat();
	return left.map((line, at) => [
		...fitToWidth(line, valueColumnWidth(width), theme),
		...(right[at] ?? []),
	]);
}

/** Returns the times below a chart: when it begins, when half of it has passed, and now. */
function timesBelow(now: number): readonly { share: number; text: string }[] {
	const times = [1, 0.5].map(left => ({
		share: 1 - left,
		text: timeText(now - left * usageSpanMs, now),
	}));
	return [{ share: 1, text: 'now' }, ...times];
}
