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

export function logBars(entries: readonly LogEntry[], scene: Scene): readonly Line[] {
	const { now, width, height } = scene;
	const hours = hoursOf(entries, scene);
	const most = Math.max(1, ...hours.map(({ count }) => count));
	if (height < minHeightForTallBars)
		return [drawing([[' 24 h ', 'faint'], ...hours.map(hour => barSpan(hour, most, 1, 0, 1))])];
	const cells = Math.max(1, Math.min(maxCells, Math.floor((width - 2) / hourCount)));
	const bars = Array.from({ length: tallBarRows }, (_, row) => {
		const below = tallBarRows - 1 - row;
		return drawing([[' '], ...hours.map(hour => barSpan(hour, most, tallBarRows, below, cells))]);
	});
	const axis = hours.reduce((text, _, at) => {
		const hour = new Date(now - (hourCount - 1 - at) * hourMs).getHours();
		const label = hour % hoursBetweenLabels === 0 ? String(hour).padStart(2, '0') : '';
		return label === '' ? text : text.padEnd(at * cells) + label;
	}, '');
	return [...bars, drawing([[` ${axis}`, 'faint']])];
}

function hoursOf(
	entries: readonly LogEntry[],
	{ account: { changes, samples, contact }, now }: Scene,
): readonly Hour[] {
	const hourOf = (at: number) => Math.floor(at / hourMs);
	const first = hourOf(now) - hourCount + 1;
	const watched = new Set([...changes, ...samples].map(({ at }) => hourOf(at)));
	const [since, until] = [contact?.since ?? Infinity, contact?.lastAnswerAt ?? 0].map(hourOf);
	const hours = Array.from({ length: hourCount }, (_, at): Hour => {
		const hour = first + at;
		const isInContact = hour >= (since ?? 0) && hour <= (until ?? 0);
		return { count: 0, hasFailed: false, isSeen: isInContact || watched.has(hour) };
	});
	for (const entry of entries) {
		const hour = hours[hourOf(latestOf(entry).at) - first];
		if (!hour) continue;
		hour.count += 1;
		hour.hasFailed ||= hasFailed(entry);
	}
	return hours;
}

function hasFailed(entry: LogEntry): boolean {
	const change = latestOf(entry);
	if (change.type === 'statusChanged') return phaseOf(change.to ?? '') === 'error';
	return movesOf(entry).some(({ to }) => to === 'failed');
}

/** The part of a bar in one of its rows. An hour with a failure has a red bar on the sign of an error. */
function barSpan(hour: Hour, most: number, rows: number, below: number, cells: number): Span {
	const { count, hasFailed, isSeen } = hour;
	const size = Math.max(1, cells - 1);
	const bar = (sign: string) => sign.repeat(size) + ' '.repeat(cells - size);
	if (!isSeen) return [bar(below === 0 ? '·' : ' '), 'faint'];
	if (hasFailed && below === 0) return [bar('✖'), 'bad'];
	const level = Math.ceil((count / most) * rows * heights.length) - below * heights.length;
	// A full cell has no gap above it, so that the cells of a bar join.
	const sign = level > heights.length ? '█' : heights[level - 1];
	return [bar(sign ?? (below === 0 ? '▁' : ' ')), hasFailed ? 'bad' : 'faint'];
}
