import type { CreditSample } from '../fleet/computers/runway.ts';
import { decimalText } from '../foundation/number-text.ts';
import { axisText, cellValuesFrom } from './chart.ts';
import type { Span } from './span.ts';
import type { Theme } from './theme.ts';
import { forecastTimeText, timeText } from './time-text.ts';

//   80.12 │ ───────╮
//         │        ╰────╮                         a gap where nothing was read
//   41.50 │             ╰─────        ───╌╌╌      dashes are the forecast
//    0.00 │                                ╌╌╌╌
//         2026-11-14 07:31              now   empty Thu 02:59

type ChartOptions = {
	width: number;
	height: number;
	/** How many credits are spent in an hour, for the forecast; absent without a forecast. */
	burnPerHour?: number | undefined;
	/** When the plan renews. The forecast ends there, because what is added is not known. */
	renewsAt?: number | undefined;
	/** Whether this rate was measured for so short a time that it is only an estimate. */
	isEstimate?: boolean | undefined;
};

const minChartCells = 8;
const hourMs = 3_600_000;
const maxForecastMs = 3 * 24 * hourMs;

/** Draws the curve of the balance on an axis that begins at zero, with a forecast and times below. */
export function balanceChartLines(
	samples: readonly CreditSample[],
	now: number,
	{ width, height, burnPerHour = 0, renewsAt = 0, isEstimate = false }: ChartOptions,
	theme: Theme,
): readonly (readonly Span[])[] {
	const [first, last] = [samples[0], samples.at(-1)];
	const high = Math.max(0, ...samples.map(({ balance }) => balance));
	const labelCells = decimalText(high).length + 1;
	const cells = width - labelCells - 3;
	const rows = height - 1;
	if (!first || !last || last.at <= first.at || rows < 2 || cells < minChartCells || high === 0)
		return [];
	const readUntil = Math.max(now, last.at);
	const emptyAt = burnPerHour > 0 ? readUntil + (last.balance / burnPerHour) * hourMs : Infinity;
	const renewal = renewsAt > readUntil ? renewsAt : Infinity;
	const latest = readUntil + Math.max(readUntil - first.at, maxForecastMs);
	const end = Math.min(emptyAt, renewal, latest);
	const hasForecast = Number.isFinite(emptyAt) && emptyAt > readUntil;
	const span = (hasForecast ? end : readUntil) - first.at;
	const pastCells = hasForecast
		? Math.max(1, Math.round(((readUntil - first.at) / span) * cells))
		: cells;
	const values = cellValuesFrom(samples, first.at, readUntil, pastCells);
	const balanceAt = (cell: number) =>
		last.balance - (burnPerHour * ((cell + 1 - pastCells) * (span / cells))) / hourMs;
	const forecast = Array.from({ length: cells - pastCells }, (_, at) => balanceAt(pastCells + at));
	const levelOf = (value: number) => Math.round((1 - Math.max(0, value) / high) * (rows - 1));
	const levels = values.map(value => (value === undefined ? undefined : levelOf(value)));
	const cellAt = (at: number) =>
		Math.min(pastCells - 1, Math.floor(((at - first.at) / (readUntil - first.at)) * pastCells));
	const curve = withRiseLabels(curveLines(levels, rows, theme), levels, samples, cellAt);
	const dashes = dashedLines(forecast.map(levelOf), rows, theme);
	const labels = new Map(
		[last.balance, 0, high].map(value => [levelOf(value), decimalText(value)]),
	);
	const endText =
		end === emptyAt
			? `empty ${forecastTimeText(end, now, isEstimate)}`
			: end === renewal
				? 'renewal'
				: timeText(end, now);
	const axis = axisText(cells, [
		...(hasForecast ? [{ at: cells, text: endText }] : []),
		{ at: pastCells, text: 'now' },
		{ at: 0, text: timeText(first.at, now) },
	]);
	return [
		...curve.map((text, row): readonly Span[] => [
			[`${(labels.get(row) ?? '').padStart(labelCells)} ${theme.glyphs.frame.vertical} `, 'faint'],
			[text, 'accent'],
			[dashes[row] ?? '', 'busy'],
		]),
		[[`${' '.repeat(labelCells + 3)}${axis}`, 'faint']],
	];
}

/** Writes by how much the balance rose before each visible jump up, where the line before it leaves room. */
function withRiseLabels(
	lines: readonly string[],
	levels: readonly (number | undefined)[],
	samples: readonly CreditSample[],
	cellAt: (at: number) => number,
): readonly string[] {
	const labelled = [...lines];
	// A jump may show several rises that were read shortly after each other.
	const risesByCell = new Map<number, number>();
	for (const [index, { at, balance }] of samples.entries()) {
		const rise = balance - (samples[index - 1]?.balance ?? balance);
		// A cell shows its last balance, so the jump is in the cell of the sample or in the next one.
		const isJump = (cell: number) => (levels[cell] ?? Infinity) < (levels[cell - 1] ?? -Infinity);
		const cell = [cellAt(at), cellAt(at) + 1].find(isJump);
		if (rise > 0 && cell !== undefined) risesByCell.set(cell, (risesByCell.get(cell) ?? 0) + rise);
	}
	for (const [cell, rise] of risesByCell) {
		const row = levels[cell];
		if (row === undefined) continue;
		const text = `+${decimalText(rise)} `;
		const from = cell - text.length;
		const line = labelled[row] ?? '';
		if (from < 0 || line.slice(from, cell).trim() !== '') continue;
		labelled[row] = line.slice(0, from) + text + line.slice(cell);
	}
	return labelled;
}

function dashedLines(levels: readonly number[], rows: number, { glyphs }: Theme) {
	return Array.from({ length: rows }, (_, row) =>
		levels.map(level => (level === row ? glyphs.dash : ' ')).join(''),
	);
}

/**
 * Draws a line through the levels, where 0 is the top row. Where the level jumps between two cells, the later
 * cell shows the jump.
 */
function curveLines(
	levels: readonly (number | undefined)[],
	rows: number,
	{ glyphs }: Theme,
): readonly string[] {
	const {
		horizontal: across,
		vertical: side,
		topLeft,
		topRight,
		bottomLeft,
		bottomRight,
	} = glyphs.frame;
	const lines = Array.from({ length: rows }, () => levels.map(() => ' '));
	const draw = (row: number, cell: number, glyph: string) => {
		const line = lines[row];
		if (line) line[cell] = glyph;
	};
	for (const [cell, level] of levels.entries()) {
		if (level === undefined) continue;
		const before = levels[cell - 1] ?? level;
		if (before === level) {
			draw(level, cell, across);
			continue;
		}
		const isFalling = before < level;
		for (let row = Math.min(before, level) + 1; row < Math.max(before, level); row += 1) {
			draw(row, cell, side);
		}
		draw(before, cell, isFalling ? topRight : bottomRight);
		draw(level, cell, isFalling ? bottomLeft : topLeft);
	}
	return lines.map(line => line.join(''));
}
