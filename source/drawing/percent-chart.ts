import { axisText } from './chart.ts';
import type { Span } from './span.ts';
import type { Theme, Tone } from './theme.ts';

//  100 │
//      │             ▂
//      │▁      ▃▆▅  ▅█▃        a gap where nothing was read
//    0 │█▆▃  ▃▇███▇███████▅
//       07:51           08:06           now

type PercentChart = {
	/** The percentages, oldest first; undefined where nothing was read. */
	values: readonly (number | undefined)[];
	/** The number of cells that a value is wide. */
	cellsPerValue: number;
	rows: number;
	/** The texts below the chart, each with the share of the width at which it ends. */
	times: readonly { share: number; text: string }[];
	/** Returns the colour of a percentage. */
	toneOf: (percent: number) => Tone;
};

/** The cells that the labels and the axis take at the left of a chart. */
export const percentAxisWidth = 6;

/** Draws percentages as columns on an axis from 0 to 100 %, so that charts can be compared with each other. */
export function percentChartLines(
	{ values, cellsPerValue, rows, times, toneOf }: PercentChart,
	{ glyphs }: Theme,
): readonly (readonly Span[])[] {
	const { sparklineHeights, halfBlocks, frame } = glyphs;
	const heights = halfBlocks ? [...sparklineHeights, halfBlocks.full] : sparklineHeights;
	// A value of 0 is drawn as the lowest column, because a blank means that nothing was read.
	const levelOf = (percent: number) =>
		Math.max(1, Math.round((Math.max(0, Math.min(percent, 100)) / 100) * rows * heights.length));
	const levels = values.map(value => (value === undefined ? 0 : levelOf(value)));
	const glyphAt = (level: number, row: number) => {
		const steps = Math.min(level - row * heights.length, heights.length);
		return (heights[steps - 1] ?? ' ').repeat(cellsPerValue);
	};
	const labels = new Map([
		[rows - 1, '100'],
		[0, '0'],
	]);
	const drawn = Array.from({ length: rows }, (_, at): readonly Span[] => {
		const row = rows - 1 - at;
		const columns = values.map(
			(value, index): Span => [glyphAt(levels[index] ?? 0, row), toneOf(value ?? 0)],
		);
		const label = ` ${(labels.get(row) ?? '').padStart(3)} ${frame.vertical}`;
		return [[label, 'faint'], ...joinedSpans(columns)];
	});
	const cells = values.length * cellsPerValue;
	const texts = times.map(({ share, text }) => ({ at: Math.round(share * cells), text }));
	return [...drawn, [[' '.repeat(percentAxisWidth) + axisText(cells, texts), 'faint']]];
}

/** Joins neighbours of the same colour. */
function joinedSpans(spans: readonly Span[]): readonly Span[] {
	const joined: [text: string, tone: Tone | undefined][] = [];
	for (const [text, tone] of spans) {
		const last = joined.at(-1);
		if (last && last[1] === tone) last[0] += text;
		else joined.push([text, tone]);
	}
	return joined;
}
