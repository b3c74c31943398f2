import type { GlobalId } from '../../fleet/computers/global-id.ts';
import { sortComputers } from '../../fleet/computers/ordering.ts';
import { memoize } from '../../foundation/memoize.ts';
import { countText } from '../../foundation/number-text.ts';
import { cellsOf } from '../../lines/measure.ts';
import { fitParts, type Part } from '../../lines/parts.ts';
import { cut, fitTo, type Span, textOf, widthOf } from '../../lines/span.ts';
import { onTone, type Tone } from '../../lines/theme.ts';
import { createRowAge } from '../../store/freshness.ts';
import type { OpenedAccount } from '../../store/opened-accounts.ts';
import type { FleetRow } from '../../store/selectors.ts';
import { shownKeyOf } from '../actions/shown-keys.ts';
import { cursorIndex } from '../look/cursor.ts';
import type { MapField } from '../look/screen.ts';
import type { Scene } from '../scene.ts';
import { type CellContext, type CellScene, cellContextsOf } from './cell-context.ts';
import { columns } from './columns.ts';
import { type Colours, coloursBy, errorLevel, type Level, mapFields } from './map-fields.ts';
import { cellSpans, rowLook } from './row-line.ts';
import { statusCell } from './status.ts';

//    by location, coloured by status                                      each cell is a computer
//    eu-north  1,204  ■ ■ ■ ■ ■ ■ ✖ ■ ■ ■ ■ ■ ■ ■ ■ ■ ■ ■ ■ ■ ■ ■ ■          7 error
//  ❯ us-east     812  ■ ■ ■ ■ ■ ■ ■ ■ ■ ■ ■ ■ ✖ ■ ■ ■ ■ ■ ■ ■ ■ ■ ■         41 error
//    ✖ error   ■ changing   ■ active   ■ old data   ■ stopped   ■ unknown
//  ❯ vega-12  ● Active  CPU 96%  1.3.9 ↑      f filter  b group  c colour  m table
//
// The cells of a small fleet have names. Where whole cells have no room, two half cells share a character, and if these have
// none either, a cell stands for several computers:
//
//    eu-north      3  ✖ draco     ■ vega      ■ lyra                   1 error
//    eu-north  1,204  ▀█▀█▀█████▀▀███████████████████▀█████▀▀█████▀▀█  7 error

/** Ordered by name, so that each computer keeps its place. */
type MapGroup = {
	/** Undefined for the computers without a value. */
	value: string | undefined;
	label: string;
	rows: readonly FleetRow[];
};

/** `row` counts the rows of cells of all groups, and `x` the cells in that row. */
export type MapCell = {
	group: MapGroup;
	rows: readonly FleetRow[];
	row: number;
	x: number;
	/** The line of the map, which two rows of half cells share. */
	line: number;
};

export type FleetMap = {
	cells: readonly MapCell[];
	/** With the first line of each group. */
	groups: ReadonlyMap<MapGroup, number>;
	colours: Colours;
	levelOf: (row: FleetRow) => Level;
	/** Whether two cells share a character, one above the other. */
	hasHalves: boolean;
	hasNames: boolean;
	computersPerCell: number;
	/** In columns, with the gap after the cell. */
	cellWidth: number;
	labelWidth: number;
	countWidth: number;
};

export type MapScene = Pick<
	Scene,
	'accounts' | 'shown' | 'screen' | 'width' | 'height' | 'now' | 'hasUnicode' | 'hasColours'
>;

const alarmWidth = 13;
/** In fewer columns, the cells need the room of the alarms. */
const minWidthForAlarms = 60;
const minLabelWidth = 7;
const maxLabelWidth = 16;
const maxNameWidth = 16;

const hasAlarms = (width: number) => width >= minWidthForAlarms;

const firstCellColumn = ({ labelWidth, countWidth }: Pick<FleetMap, 'labelWidth' | 'countWidth'>) =>
	3 + labelWidth + 1 + countWidth + 2;

const hasLegend = ({ height }: Pick<MapScene, 'height'>) => height >= 8;

const cellLineCount = (scene: Pick<MapScene, 'height'>) =>
	Math.max(1, scene.height - (hasLegend(scene) ? 3 : 2));

const nameIn = ({ computer }: FleetRow) => computer.reading.name ?? computer.id;

/** Each computer has the largest cell of its own for which there is room, or else a cell stands for as few as possible. */
export function mapOf(scene: MapScene): FleetMap {
	const { accounts, shown, screen, width } = scene;
	const { grouping, colouring } = screen.map;
	const lines = cellLineCount(scene);
	const groups = groupsThatFit(groupsOf(shown.allRows, shown.rows, grouping, accounts), lines);
	const colours = coloursBy(colouring, shown.allRows, accounts);
	const labels = groups.map(({ label }) => cellsOf(label));
	const labelWidth = Math.max(minLabelWidth, Math.min(maxLabelWidth, Math.max(0, ...labels)));
	const most = Math.max(1, ...groups.map(({ rows }) => rows.length));
	const widths = { labelWidth, countWidth: Math.max(3, countText(most).length) };
	const around = firstCellColumn(widths) + (hasAlarms(width) ? alarmWidth : 0);
	const room = Math.max(1, width - around - 1);

	const place = (
		cellWidth: number,
		computersPerCell = 1,
		{ hasHalves = false, hasNames = false } = {},
	): FleetMap | undefined => {
		// The blanks after the last cell may stand before the right edge.
		const cellsPerRow = Math.floor((room + Math.min(cellWidth - 1, 1)) / cellWidth);
		const rowsPerLine = hasHalves ? 2 : 1;
		const perLine = cellsPerRow * computersPerCell * rowsPerLine;
		const heights = groups.map(({ rows }) => Math.max(1, Math.ceil(rows.length / perLine)));
		const needed = heights.reduce((sum, height) => sum + height, 0);
		if (cellsPerRow < 1 || (needed > lines && computersPerCell < most)) return undefined;
		const gap = needed + heights.length - 1 <= lines ? 1 : 0;
		const cells: MapCell[] = [];
		const firstLines = new Map<MapGroup, number>();
		let line = 0;
		let row = 0;
		for (const [at, group] of groups.entries()) {
			firstLines.set(group, line);
			for (let from = 0; from < group.rows.length; from += computersPerCell) {
				const nth = from / computersPerCell;
				const down = Math.floor(nth / cellsPerRow);
				cells.push({
					group,
					rows: group.rows.slice(from, from + computersPerCell),
					row: row + down,
					x: nth % cellsPerRow,
					line: line + Math.floor(down / rowsPerLine),
				});
			}
			row = (cells.at(-1)?.row ?? -1) + 1;
			line += (heights[at] ?? 1) + gap;
		}
		const style = { hasHalves, hasNames, computersPerCell, cellWidth, ...widths };
		return { cells, groups: firstLines, colours, levelOf: levelsBy(colours, scene), ...style };
	};
	// With more computers in a line, no names fit, so they are not measured.
	const mayHaveNames = shown.rows.length <= lines * 24;
	const names = mayHaveNames ? shown.rows.map(row => cellsOf(nameIn(row))) : [];
	const nameWidth = Math.min(maxNameWidth, Math.max(8, ...names));
	const whole =
		(mayHaveNames ? place(nameWidth + 4, 1, { hasNames: true }) : undefined) ?? place(2);
	for (let number = 1; ; number += 1) {
		const map = whole ?? place(1, number, { hasHalves: hasBlocks(scene) });
		if (map) return map;
	}
}

/** A key needs the groups twice and seldom changes them. */
const groupsOf = memoize(
	(
		allRows: readonly FleetRow[],
		rows: readonly FleetRow[],
		grouping: MapField,
		accounts: readonly OpenedAccount[],
	): readonly MapGroup[] => {
		const { valueIn, labelOf, compare } = mapFields[grouping];
		const shown = new Set(rows);
		const parts = new Map<string | undefined, FleetRow[]>();
		const byName = sortComputers(allRows, { by: 'name', isReversed: false }, 0, {
			computerOf: ({ computer }) => computer,
		});
		for (const row of byName) {
			if (!shown.has(row)) continue;
			const value = valueIn(row, accounts);
			const part = parts.get(value);
			if (part) part.push(row);
			else parts.set(value, [row]);
		}
		const groups = [...parts].map(([value, rows]): MapGroup => {
			return { value, label: value === undefined ? 'unknown' : labelOf(value), rows };
		});
		return groups.sort((a, b) => {
			if (a.value === undefined || b.value === undefined) return a.value === undefined ? 1 : -1;
			return compare(a.value, b.value);
		});
	},
);

function groupsThatFit(groups: readonly MapGroup[], lines: number): readonly MapGroup[] {
	if (groups.length <= lines) return groups;
	const kept = groups.slice(0, lines - 1);
	const others = groups.slice(kept.length);
	const rows = others.flatMap(group => group.rows);
	return [...kept, { value: undefined, label: `${others.length} others`, rows }];
}

/** The cell and the group of a computer ask for its level, and its age takes long to find. */
function levelsBy(
	{ levelOf }: Colours,
	{ accounts, now }: Pick<MapScene, 'accounts' | 'now'>,
): (row: FleetRow) => Level {
	const ages = new Map(
		accounts.map(({ profile, state }) => [profile.account, createRowAge(state, now)]),
	);
	const known = new Map<FleetRow, Level>();
	return row => {
		const level = known.get(row) ?? levelOf(row, ages.get(row.account)?.(row.computer) ?? 'old');
		known.set(row, level);
		return level;
	};
}

export const cellWith = ({ cells }: FleetMap, id: GlobalId | undefined): MapCell | undefined =>
	cells.find(({ rows }) => rows.some(row => row.id === id));

/** Of two cells that share a character, it is the upper one. */
export function cellAt(map: FleetMap, column: number, line: number): MapCell | undefined {
	const x = Math.floor((column - firstCellColumn(map)) / map.cellWidth);
	return map.cells.find(cell => cell.line === line && cell.x === x);
}

/** The cell shows the level of this computer. */
export function worstIn({ rows }: MapCell, { colours, levelOf }: FleetMap): FleetRow | undefined {
	const rankOf = (row: FleetRow) => colours.levels.indexOf(levelOf(row));
	const [first, ...others] = rows;
	return others.reduce(
		(worst, row) => (worst && rankOf(worst) >= rankOf(row) ? worst : row),
		first,
	);
}

/** Cells are coloured blocks, or letters where there are no colours or no blocks. */
const hasBlocks = ({ hasUnicode, hasColours }: Pick<Scene, 'hasUnicode' | 'hasColours'>) =>
	hasUnicode && hasColours;

function signOf(level: Level, scene: Pick<Scene, 'hasUnicode' | 'hasColours'>): string {
	if (!hasBlocks(scene)) return level.letter;
	return level === errorLevel ? '✖' : '■';
}

export function mapLines(
	map: FleetMap,
	scene: MapScene & CellScene & Pick<Scene, 'actions'>,
): readonly (readonly Span[])[] {
	const { shown, screen, width } = scene;
	const row = shown.rows[cursorIndex(screen, shown.ids)];
	const here = cellWith(map, row?.id);
	const cellsByLine: MapCell[][] = Array.from({ length: cellLineCount(scene) }, () => []);
	for (const cell of map.cells) cellsByLine[cell.line]?.push(cell);
	const lines = cellsByLine.map((cells): readonly Span[] =>
		cells.length > 0
			? [[' '.repeat(firstCellColumn(map))], ...spansOfCells(cells, here, map, scene)]
			: [],
	);
	for (const [group, at] of map.groups) {
		const [, ...cells] = lines[at] ?? [];
		const line = [...headSpans(group, group === here?.group, map), ...cells];
		const alarm = fitTo(alarmSpans(group, map), alarmWidth - 1, 'right');
		lines[at] = hasAlarms(width) ? [...fitTo(line, width - alarmWidth), ...alarm] : line;
	}
	return [
		titleSpans(map, scene),
		...lines,
		...(hasLegend(scene) ? [legendSpans(map, scene)] : []),
		cursorSpans(row, here?.rows.length ?? 0, scene),
	];
}

const headSpans = ({ label, rows }: MapGroup, isHere: boolean, map: FleetMap): readonly Span[] => [
	[isHere ? ' ❯ ' : '   ', 'accent'],
	...fitTo([[label]], map.labelWidth),
	[' '],
	...fitTo([[countText(rows.length), 'faint']], map.countWidth, 'right'),
	['  '],
];

/** Neighbours that look the same share a span. */
function spansOfCells(
	cells: readonly MapCell[],
	here: MapCell | undefined,
	map: FleetMap,
	scene: MapScene,
): readonly Span[] {
	const { hasHalves, hasNames, cellWidth } = map;
	const { marks } = scene.screen;
	const spans: Span[] = [];
	const push = (text: string, tone?: Tone) => {
		const last = spans.at(-1);
		if (last && last[1] === tone) spans[spans.length - 1] = [last[0] + text, tone];
		else spans.push([text, tone]);
	};
	const lookOf = (cell: MapCell): readonly [sign: string, tone: Tone] => {
		const worst = worstIn(cell, map);
		if (!worst || (marks.size > 0 && cell.rows.some(({ id }) => marks.has(id))))
			return ['▪', 'mark'];
		const level = map.levelOf(worst);
		return [signOf(level, scene), level.tone];
	};
	const toneOfHalf = (cell: MapCell) => (cell === here ? 'here' : lookOf(cell)[1]);
	const upperRow = cells[0]?.row;
	const lower = cells.filter(({ row }) => row !== upperRow);
	for (const cell of cells.slice(0, cells.length - lower.length)) {
		if (hasHalves) {
			const below = lower[cell.x];
			const [over, under] = [toneOfHalf(cell), below && toneOfHalf(below)];
			if (over === under) push('█', over);
			else push('▀', under === undefined ? over : onTone(over, under));
			continue;
		}
		const [sign, tone] = lookOf(cell);
		const name = hasNames && cell.rows[0] ? ` ${nameIn(cell.rows[0])}` : '';
		const words = textOf(cut([[name]], cellWidth - 3));
		const gap = ' '.repeat(Math.max(0, cellWidth - cellsOf(sign + words)));
		if (cell === here) {
			push(sign + words, 'cellUnderCursor');
			push(gap);
		} else if (hasNames) {
			push(sign, tone);
			push(words + gap, toneOfName(tone));
		} else push(sign + gap, tone);
	}
	return spans;
}

/** A name has the colour of words, unless something is wrong with the computer. */
function toneOfName(tone: Tone): Tone | undefined {
	if (tone === 'idle') return 'faint';
	return ['bad', 'busy', 'mark'].includes(tone) ? tone : undefined;
}

/** As in "7 error". */
function alarmSpans({ rows }: MapGroup, { colours: { alarm }, levelOf }: FleetMap) {
	const count = rows.reduce((sum, row) => sum + Number(levelOf(row) === alarm), 0);
	return count > 0 ? [[`${countText(count)} ${alarm.word}`, alarm.tone] as const] : [];
}

function titleSpans({ computersPerCell }: FleetMap, { screen, width }: MapScene): readonly Span[] {
	const { grouping, colouring } = screen.map;
	const left: readonly Span[] = [
		['   by ', 'faint'],
		[grouping],
		[', coloured by ', 'faint'],
		[colouring],
	];
	const several = `${countText(computersPerCell)} computers`;
	const right = computersPerCell === 1 ? ['a computer'] : [several, 'and shows the worst'];
	return [
		...fitParts(
			[
				{ spans: left, drop: 0 },
				{ spans: [[`each cell is ${right[0]}`, 'faint']], drop: 1, isRight: true },
				{ spans: [[right[1] ?? '', 'faint']], drop: 2, isRight: true },
			],
			width - 1,
			' ',
		),
		[' '],
	];
}

function legendSpans({ colours }: FleetMap, scene: MapScene): readonly Span[] {
	const parts = colours.legend.map((level, drop): Part => {
		const sign: Span = [signOf(level, scene), level.tone];
		return { spans: [sign, [` ${level.word}`, 'faint']], drop };
	});
	const whole = fitParts(parts, Number.POSITIVE_INFINITY, '   ');
	if (widthOf(whole) + 4 <= scene.width) return [['   '], ...whole];
	return [[' '], ...fitParts(parts, scene.width - 2, ' ')];
}

const hints = [
	{ action: 'filterToCell', word: 'filter', drop: 5 },
	{ action: 'groupBy', word: 'group', drop: 6 },
	{ action: 'colourBy', word: 'colour', drop: 7 },
	{ action: 'map', word: 'table', drop: 8 },
] as const;

const described = [
	{ name: 'cpu', label: 'CPU ', drop: 9 },
	{ name: 'version', label: 'version ', drop: 2 },
	{ name: 'stage', label: 'reason ', drop: 10 },
];

function cursorSpans(
	row: FleetRow | undefined,
	inCell: number,
	scene: CellScene & Pick<Scene, 'screen' | 'actions' | 'width'>,
): readonly Span[] {
	const { actions, screen, width } = scene;
	const keys = hints.flatMap(({ action, word, drop }): readonly Part[] => {
		const key = shownKeyOf(actions, action);
		if (key === undefined) return [];
		const spans: readonly Span[] = [
			[key, 'accent'],
			[` ${word}`, 'faint'],
		];
		return [{ spans, drop, isRight: true }];
	});
	const parts = row ? descriptionOf(row, inCell, cellContextsOf(scene)(row)) : [];
	const isMarked = row !== undefined && screen.marks.has(row.id);
	return [
		isMarked ? ['▪', 'mark'] : [' '],
		[row ? '❯ ' : '  ', 'accent'],
		...fitParts([...parts, ...keys], width - 4),
		[' '],
	];
}

function descriptionOf(row: FleetRow, inCell: number, context: CellContext): readonly Part[] {
	const look = rowLook(row, context);
	const status = statusCell(row, context);
	const values = described.flatMap(({ name, label, drop }): readonly Part[] => {
		const column = columns.find(each => each.name === name);
		const spans = column ? cellSpans(row, column, context, 30, look) : [];
		const text = textOf(spans).trim();
		if (text === '' || text === '–') return [];
		// The other values say what they are, unless nobody has read them.
		const isLabelled = name === 'cpu' || text === '…';
		return [{ spans: [[isLabelled ? label : '', 'faint'], ...spans], drop }];
	});
	return [
		{ spans: [[nameIn(row), 'strong']], drop: 0 },
		{ spans: look.isOld ? status.map(([text]): Span => [text, 'faint']) : status, drop: 1 },
		...values,
		{ spans: inCell > 1 ? [[`one of ${inCell} in this cell`, 'faint']] : [], drop: 3 },
	];
}

/** The levels begin with the worst one. */
type GroupSummary = { label: string; total: number; levels: readonly string[] };

/** For speech and for a pipe. */
export function summarizeMap(
	accounts: readonly OpenedAccount[],
	allRows: readonly FleetRow[],
	rows: readonly FleetRow[],
	look: { grouping: MapField; colouring: MapField },
	now: number,
): readonly GroupSummary[] {
	const colours = coloursBy(look.colouring, allRows, accounts);
	const levelOf = levelsBy(colours, { accounts, now });
	return groupsOf(allRows, rows, look.grouping, accounts).map(({ label, rows }) => {
		const counts = new Map<Level, number>();
		for (const row of rows) {
			const level = levelOf(row);
			counts.set(level, (counts.get(level) ?? 0) + 1);
		}
		const levels = colours.levels
			.toReversed()
			.flatMap(level =>
				counts.has(level) ? [`${countText(counts.get(level) ?? 0)} ${level.word}`] : [],
			);
		return { label, total: rows.length, levels };
	});
}
