import { drawing, type Line } from './line.ts';
import type { Span, Tone } from './span.ts';

type Chart = {
	points: readonly { at: number; value: number }[];
	/** The last point is still true then. */
	until: number;
	forecast?: { valueAt: (at: number) => number; end: number } | undefined;
	/** The longest time between two points over which the line goes on, by the age of the later one. */
	maxGapMs: (ageMs: number) => number;
	/** Texts below the axis, each ending at its time. The first ones have precedence. */
	marks: readonly { at: number; text: string }[];
	labelOf: (value: number) => string;
	width: number;
	height: number;
};

const minCells = 8;

//   80.12 │ ───────╮
//         │        ╰────╮                         a gap where nothing was read
//   41.50 │             ╰─────        ───╌╌╌      dashes are the forecast
//    0.00 │                                ╌╌╌╌
//         2026-11-14 07:31              now   empty Thu 02:59

/** The axis begins at zero. Nothing is drawn where there is no room for it. */
export function chart(options: Chart): readonly Line[] {
	const { points, until, forecast, labelOf, width, height } = options;
	const [first, last] = [points[0], points.at(-1)];
	const high = points.reduce((most, { value }) => Math.max(most, value), 0);
	const labelCells = labelOf(high).length + 1;
	const cells = width - labelCells - 3;
	const rows = height - 1;
	if (!first || !last || last.at <= first.at || rows < 2 || cells < minCells || high === 0)
		return [];
	const span = (forecast?.end ?? until) - first.at;
	const pastCells = Math.max(1, Math.round(((until - first.at) / span) * cells));
	const rowOf = (value: number) => Math.round((1 - Math.max(0, value) / high) * (rows - 1));
	const past = valuesOf(options, first.at, pastCells).map(value =>
		value === undefined ? undefined : rowOf(value),
	);
	const cellMs = span / cells;
	const future = Array.from({ length: cells - pastCells }, (_, at) =>
		rowOf(forecast?.valueAt(until + (at + 1) * cellMs) ?? 0),
	);
	const labels = new Map([last.value, 0, high].map(value => [rowOf(value), labelOf(value)]));
	const curve = curveRows(past, rows);
	const axis = axisText(
		cells,
		options.marks.map(({ at, text }) => ({
			cell: at > until ? cells : at <= first.at ? 0 : pastCells,
			text,
		})),
	);
	return [
		...curve.map((text, row) =>
			drawing([
				[`${(labels.get(row) ?? '').padStart(labelCells)} │ `, 'faint'],
				[text, 'accent'],
				[future.map(each => (each === row ? '╌' : ' ')).join(''), 'busy'],
			]),
		),
		drawing([[`${' '.repeat(labelCells + 3)}${axis}`, 'faint']]),
	];
}

/** Returns for each cell the last value of its period, or one between two points that are not too far apart. */
function valuesOf({ points, until, maxGapMs }: Chart, from: number, cells: number) {
	const step = (until - from) / cells;
	let place = 0;
	return Array.from({ length: cells }, (_, cell) => {
		const [begin, end] = [from + cell * step, from + (cell + 1) * step];
		const before = place;
		while ((points[place]?.at ?? Infinity) < end) place += 1;
		const [earlier, later] = [points[place - 1], points[place]];
		if (place > before || !later) return earlier?.value;
		if (!earlier || later.at - earlier.at > maxGapMs(until - later.at)) return undefined;
		const share = ((begin + end) / 2 - earlier.at) / (later.at - earlier.at);
		return earlier.value + share * (later.value - earlier.value);
	});
}

function curveRows(levels: readonly (number | undefined)[], rows: number): readonly string[] {
	const lines = Array.from({ length: rows }, () => levels.map(() => ' '));
	const draw = (row: number, cell: number, sign: string) => {
		const line = lines[row];
		if (line) line[cell] = sign;
	};
	for (const [cell, level] of levels.entries()) {
		if (level === undefined) continue;
		const before = levels[cell - 1] ?? level;
		for (let row = Math.min(before, level) + 1; row < Math.max(before, level); row += 1)
			draw(row, cell, '│');
		if (before !== level) draw(before, cell, before < level ? '╮' : '╯');
		draw(level, cell, before === level ? '─' : before < level ? '╰' : '╭');
	}
	return lines.map(line => line.join(''));
}

/** Each text ends at its cell, where it has room. A text at the left edge begins there. */
function axisText(cells: number, marks: readonly { cell: number; text: string }[]): string {
	let line = ' '.repeat(cells);
	for (const { cell, text } of marks) {
		const from = Math.max(0, Math.min(cell - text.length, cells - text.length));
		const around = line.slice(Math.max(0, from - 1), from + text.length + 1);
		if (text.length > cells || around.trim() !== '') continue;
		line = line.slice(0, from) + text + line.slice(from + text.length);
	}
	return line;
}

export function bar(share: number, cells: number, tone: Tone): readonly Span[] {
	const halves = Math.round(Math.max(0, Math.min(share, 1)) * cells * 2);
	const filled = '━'.repeat(Math.floor(halves / 2)) + (halves % 2 === 1 ? '╸' : '');
	return [
		[filled, tone],
		['─'.repeat(cells - filled.length), 'faint'],
	];
}

const heights = ['▁', '▂', '▃', '▄', '▅', '▆', '▇'];

export const sparkline = (percentages: readonly (number | undefined)[]): string =>
	percentages
		.map(percent => {
			if (percent === undefined) return ' ';
			const share = Math.max(0, Math.min(percent, 100)) / 100;
			return heights[Math.round(share * (heights.length - 1))];
		})
		.join('');
