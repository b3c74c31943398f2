import { phaseOf } from '../fleet/computers/computer.ts';
import { type LogEntry, latestOf, movesOf } from '../fleet/log-entries.ts';
import { drawing, type Line } from '../lines/line.ts';
import type { Span } from '../lines/span.ts';
import type { Scene } from './scene.ts';

//                 ▂▂         ▄▄
//   ▁▁ ▁▁ ▂▂ ▁▁ ▁▁ ▇▇ ▂▂ ▁▁ ▁▁ ✖✖ ▁▁ ▂▂ ▁▁         the entries of each hour; ✖ where something failed
//   09       12       15       18       21
// 24 h ·······▁▁▂▁▁▁▇▂▁▁✖▁▁▁▂▁▁                      on a short screen; · where nothing watched

const hourCount = 24;
const hourMs = 3_600_000;
const hoursBetweenLabels = 3;
const maxCells = 4;
const minHeightForTallBars = 20;
const tallBarRows = 3;
const heights = '▁▂▃▄▅▆▇';

type Hour = { count: number; hasFailed: boolean; isSeen: boolean };

/** An hour with a failure has a red bar on the sign of an error. */
export function logBars(entries: readonly LogEntry[], scene: Scene): readonly Line[] {
	const { now, width, height } = scene;
	const isTall = height >= minHeightForTallBars;
	const rows = isTall ? tallBarRows : 1;
	const cells = isTall ? Math.max(1, Math.min(maxCells, Math.floor((width - 2) / hourCount))) : 1;
	const firstHour = Math.floor(now / hourMs) - hourCount + 1;
	const hours = hoursFrom(firstHour, entries, scene);
	const most = Math.max(1, ...hours.map(({ count }) => count));
	const begin: Span = isTall ? [' '] : [' 24 h ', 'faint'];
	const bars = Array.from({ length: rows }, (_, row) =>
		drawing([begin, ...hours.map(hour => barSpan(hour, most, rows, rows - 1 - row, cells))]),
	);
	if (!isTall) return bars;
	const axis = hours.reduce((line, _, at) => {
		const hour = new Date((firstHour + at) * hourMs).getHours();
		const label = String(hour).padStart(2, '0');
		return hour % hoursBetweenLabels === 0 ? line.padEnd(at * cells) + label : line;
	}, '');
	return [...bars, drawing([[` ${axis}`, 'faint']])];
}

function hoursFrom(
	firstHour: number,
	entries: readonly LogEntry[],
	{ account: { changes, samples, contact } }: Scene,
): readonly Hour[] {
	const hourOf = (at: number) => Math.floor(at / hourMs);
	const watched = new Set([...changes, ...samples].map(({ at }) => hourOf(at)));
	const hours = Array.from({ length: hourCount }, (_, at): Hour => {
		const hour = firstHour + at;
		const isInContact =
			contact !== undefined &&
			hourOf(contact.since) <= hour &&
			hourOf(contact.lastAnswerAt) >= hour;
		return { count: 0, hasFailed: false, isSeen: isInContact || watched.has(hour) };
	});
	for (const entry of entries) {
		const hour = hours[hourOf(latestOf(entry).at) - firstHour];
		if (!hour) continue;
		hour.count += 1;
		hour.hasFailed ||= hasFailed(entry);
	}
	return hours;
}

function hasFailed(entry: LogEntry): boolean {
	const change = latestOf(entry);
	if (change.type === 'statusChanged') return change.to !== null && phaseOf(change.to) === 'error';
	return movesOf(entry).some(({ to }) => to === 'failed');
}

function barSpan(
	{ count, hasFailed, isSeen }: Hour,
	most: number,
	rows: number,
	rowsBelow: number,
	cells: number,
): Span {
	const isLowest = rowsBelow === 0;
	const size = Math.max(1, cells - 1);
	const bar = (sign = ' ') => sign.repeat(size) + ' '.repeat(cells - size);
	if (!isSeen) return [bar(isLowest ? '·' : ' '), 'faint'];
	if (hasFailed && isLowest) return [bar('✖'), 'bad'];
	const level = Math.ceil((count / most) * rows * heights.length) - rowsBelow * heights.length;
	// A full cell has no gap above it, so that the cells of a bar join.
	const sign = level > heights.length ? '█' : (heights[level - 1] ?? (isLowest ? '▁' : ' '));
	return [bar(sign), hasFailed ? 'bad' : 'faint'];
}
