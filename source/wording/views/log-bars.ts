import type { Span } from '../../drawing/span.ts';
import { phaseOf } from '../../fleet/computers/computer.ts';
import type { Theme } from '../../lines/theme.ts';
import { isLogRule, type LogLine, timeOf } from './log-lines.ts';

//                 ▂▂         ▄▄
//   ▁▁ ▁▁ ▂▂ ▁▁ ▁▁ ▇▇ ▂▂ ▁▁ ▁▁ ✖✖ ▁▁ ▂▂ ▁▁         the lines of each hour; ✖ where something failed
//   09       12       15       18       21
// 24 h ·······▁▁▂▁▁▁▇▂▁▁✖▁▁▁▂▁▁                      on a short screen; · where nothing watched

type LogBarsOptions = {
	/** The lines of the log that its filter shows. */
	lines: readonly LogLine[];
	/** Whether the fleet was watched in the hour that begins at this time. */
	wasWatched: (from: number, to: number) => boolean;
	now: number;
	width: number;
	/** How many rows the bars are high. A single row has no hours below it. */
	rows: number;
	theme: Theme;
};

const hourCount = 24;
const hourMs = 3_600_000;
const maxBarCells = 4;
const hoursBetweenLabels = 3;

/**
 * Draws how many lines each of the last 24 hours has as bars, with the hours of the day below. An hour with a failure has a
 * red bar that stands on the sign of an error.
 */
export function logBars(options: LogBarsOptions): readonly (readonly Span[])[] {
	const { lines, wasWatched, now, width, rows, theme } = options;
	const { sparklineHeights: heights, dayStrip } = theme.glyphs;
	const begin: Span = rows > 1 ? [' '] : [' 24 h ', 'faint'];
	const room = rows > 1 ? width : hourCount;
	const cells = Math.max(1, Math.min(maxBarCells, Math.floor(room / hourCount)));
	const barCells = Math.max(1, cells - 1);
	const firstHour = Math.floor(now / hourMs) - hourCount + 1;
	const hours = Array.from({ length: hourCount }, (_, at) => {
		const from = (firstHour + at) * hourMs;
		const some = lines.filter(line => timeOf(line) >= from && timeOf(line) < from + hourMs);
		return {
			from,
			count: some.filter(isCounted).length,
			hasFailed: some.some(isFailure),
			isSeen: some.length > 0 || wasWatched(from, from + hourMs),
		};
	});
	const most = Math.max(1, ...hours.map(({ count }) => count));
	const barSpan = (
		{ count, hasFailed, isSeen }: (typeof hours)[number],
		rowsBelow: number,
	): Span => {
		const bar = (glyph: string) => glyph.repeat(barCells) + ' '.repeat(cells - barCells);
		const isLowest = rowsBelow === 0;
		if (!isSeen) return [bar(isLowest ? dayStrip.unseen : ' '), 'faint'];
		if (hasFailed && isLowest) return [bar(dayStrip.error), 'bad'];
		const tone = hasFailed ? 'bad' : 'faint';
		const here = Math.ceil((count / most) * rows * heights.length) - rowsBelow * heights.length;
		// A full cell has no gap above it, so that the cells of a bar join.
		if (here > heights.length) return [bar(dayStrip.active), tone];
		const lowest = isLowest ? (heights[0] ?? ' ') : ' ';
		return [bar(here > 0 ? (heights[here - 1] ?? ' ') : lowest), tone];
	};
	const bars = Array.from({ length: rows }, (_, row): readonly Span[] => [
		begin,
		...hours.map(hour => barSpan(hour, rows - 1 - row)),
	]);
	if (rows === 1) return bars;
	const axis = hours.reduce((line, { from }, at) => {
		const hour = new Date(from).getHours();
		const label = String(hour).padStart(2, '0');
		return hour % hoursBetweenLabels === 0 ? `${line.padEnd(at * cells)}${label}` : line;
	}, '');
	return [...bars, [[` ${axis}`, 'faint']]];
}

/** The parts of an opened batch are counted with their batch. */
const isCounted = (line: LogLine) => !isLogRule(line) && !(line.type === 'change' && line.isPart);

function isFailure(line: LogLine): boolean {
	if (isLogRule(line)) return false;
	if (line.type === 'batch') return line.moves.some(({ to }) => to === 'failed');
	const { change } = line;
	if (change.type === 'operationMoved') return change.to === 'failed';
	return change.type === 'statusChanged' && change.to !== null && phaseOf(change.to) === 'error';
}
