import type { GlobalId } from '../../fleet/computers/global-id.ts';
import { createSorter } from '../../fleet/computers/ordering.ts';
import { memoize } from '../../foundation/memoize.ts';
import { countText } from '../../foundation/number-text.ts';
import { shownKeyOf } from '../../keys/shown-keys.ts';
import { cellsOf } from '../../lines/measure.ts';
import { fitParts, type Part } from '../../lines/parts.ts';
import { cut, fitTo, type Span, textOf, widthOf } from '../../lines/span.ts';
import { onTone, type Tone } from '../../lines/theme.ts';
import type { MapField } from '../../screen/map-look.ts';
import { cursorIndex } from '../../screen/screen.ts';
import { createRowAge } from '../../store/age.ts';
import type { OpenedAccount } from '../../store/opened-accounts.ts';
import type { FleetRow } from '../../store/selectors.ts';
import type { Scene } from '../scene.ts';
import { type CellContext, cellContextsOf } from './cell-context.ts';
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

/** Computers that have a value in common. They are ordered by name, so that each keeps its place. */
export type MapGroup = {
	/** The common value; undefined for the computers without one. */
	value: string | undefined;
	label: string;
	rows: readonly FleetRow[];
};

type PlacedGroup = MapGroup & { firstLine: number; lineCount: number };

/** The place of a cell: the index of its group, and its index within the group. */
export type CellPlace = { group: number; cell: number };

export type FleetMap = {
	groups: readonly PlacedGroup[];
	colours: Colours;
	levelOf: (row: FleetRow) => Level;
	/** Whether two cells share a character, one above the other. */
	hasHalves: boolean;
	/** Whether a cell has the name of its computer. */
	hasNames: boolean;
	/** The number of computers that a cell stands for. */
	computersPerCell: number;
	/** The number of cells in a row of cells. */
	cellsPerRow: number;
	/** The columns that a cell takes, with the gap after it. */
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

const alarmWidthIn = (width: number) => (width < minWidthForAlarms ? 0 : alarmWidth);

/** The column in which the cells of each line begin: after the cursor, the label and the number of computers. */
const firstCellColumn = ({ labelWidth, countWidth }: Pick<FleetMap, 'labelWidth' | 'countWidth'>) =>
	3 + labelWidth + 1 + countWidth + 2;

/** A short map has no legend. */
const hasLegend = ({ height }: Pick<MapScene, 'height'>) => height >= 8;

const cellLineCount = (scene: Pick<MapScene, 'height'>) =>
	Math.max(1, scene.height - (hasLegend(scene) ? 3 : 2));

const nameIn = ({ computer }: FleetRow) => computer.reading.name ?? computer.id;

export const cellCountOf = ({ rows }: MapGroup, { computersPerCell }: FleetMap) =>
	Math.ceil(rows.length / computersPerCell);

/**
 * Places the groups below each other, with the largest cells in which every computer has one of its own, or else with cells
 * that stand for as few computers as possible.
 */
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
	const room = Math.max(1, width - firstCellColumn(widths) - alarmWidthIn(width) - 1);

	const place = (
		cellWidth: number,
		computersPerCell = 1,
		{ hasHalves = false, hasNames = false } = {},
	): FleetMap | undefined => {
		// The blanks after the last cell may stand before the right edge.
		const cellsPerRow = Math.floor((room + Math.min(cellWidth - 1, 1)) / cellWidth);
		const perLine = cellsPerRow * computersPerCell * (hasHalves ? 2 : 1);
		const heights = groups.map(({ rows }) => Math.max(1, Math.ceil(rows.length / perLine)));
		const needed = heights.reduce((sum, height) => sum + height, 0);
		if (cellsPerRow < 1 || (needed > lines && computersPerCell < most)) return undefined;
		const gap = needed + heights.length - 1 <= lines ? 1 : 0;
		let firstLine = 0;
		const placed = groups.map((group, at): PlacedGroup => {
			const from = firstLine;
			firstLine += (heights[at] ?? 1) + gap;
			return { ...group, firstLine: from, lineCount: heights[at] ?? 1 };
		});
		return {
			groups: placed,
			colours,
			levelOf: levelsBy(colours, scene),
			hasHalves,
			hasNames,
			computersPerCell,
			cellsPerRow,
			cellWidth,
			...widths,
		};
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

const byName = createSorter<FleetRow>({ fieldSourceOf: ({ computer }) => computer });

/** The groups are kept, because a key needs them twice and seldom changes them. */
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
		for (const row of byName(allRows, { by: 'name', isReversed: false }, 0)) {
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

/** Joins the last groups into one if there are more groups than lines. */
function groupsThatFit(groups: readonly MapGroup[], lines: number): readonly MapGroup[] {
	if (groups.length <= lines) return groups;
	const kept = groups.slice(0, lines - 1);
	const others = groups.slice(kept.length);
	const rows = others.flatMap(group => group.rows);
	return [...kept, { value: undefined, label: `${others.length} others`, rows }];
}

function levelsBy(
	{ levelOf }: Colours,
	{ accounts, now }: Pick<MapScene, 'accounts' | 'now'>,
): (row: FleetRow) => Level {
	const ages = new Map(
		accounts.map(({ profile, state }) => [profile.account, createRowAge(state, now)]),
	);
	return row => levelOf(row, ages.get(row.account)?.(row.computer) ?? 'old');
}

/** Returns the place of the cell with a computer; undefined if the map does not contain it. */
export function cellPlaceOf(map: FleetMap, id: GlobalId | undefined): CellPlace | undefined {
	for (const [group, { rows }] of map.groups.entries()) {
		const at = rows.findIndex(row => row.id === id);
		if (at >= 0) return { group, cell: Math.floor(at / map.computersPerCell) };
	}
	return undefined;
}

export function rowsInCell(map: FleetMap, { group, cell }: CellPlace): readonly FleetRow[] {
	const { computersPerCell: number } = map;
	return map.groups[group]?.rows.slice(cell * number, (cell + 1) * number) ?? [];
}

/** Returns the most serious computer of a cell, whose level the cell shows. */
export function worstIn(map: FleetMap, place: CellPlace): FleetRow | undefined {
	const { levels } = map.colours;
	const rankOf = (row: FleetRow) => levels.indexOf(map.levelOf(row));
	return rowsInCell(map, place).reduce<FleetRow | undefined>(
		(worst, row) => (worst && rankOf(worst) >= rankOf(row) ? worst : row),
		undefined,
	);
}

/** Returns the cell at a column and a line of the cells. Of two cells that share a character, it is the upper one. */
export function cellAt(map: FleetMap, column: number, line: number): CellPlace | undefined {
	const x = Math.floor((column - firstCellColumn(map)) / map.cellWidth);
	const group = map.groups.findIndex(
		({ firstLine, lineCount }) => line >= firstLine && line < firstLine + lineCount,
	);
	const found = map.groups[group];
	if (!found || x < 0 || x >= map.cellsPerRow) return undefined;
	const cell = (line - found.firstLine) * map.cellsPerRow * (map.hasHalves ? 2 : 1) + x;
	return cell < cellCountOf(found, map) ? { group, cell } : undefined;
}

/** Cells are coloured blocks, or letters where there are no colours or no blocks. */
const hasBlocks = ({ hasUnicode, hasColours }: Pick<Scene, 'hasUnicode' | 'hasColours'>) =>
	hasUnicode && hasColours;

function signOf(level: Level, scene: Pick<Scene, 'hasUnicode' | 'hasColours'>): string {
	if (!hasBlocks(scene)) return level.letter;
	return level === errorLevel ? '✖' : '■';
}

/** Returns the lines of the map: the title, the groups, the legend, and the computer under the cursor. */
export function mapLines(
	map: FleetMap,
	scene: MapScene & Parameters<typeof cellContextsOf>[0] & Pick<Scene, 'bindings'>,
): readonly (readonly Span[])[] {
	const { shown, screen, width } = scene;
	const index = cursorIndex(screen, shown.ids);
	const row = shown.rows[index];
	const cursor = cellPlaceOf(map, row?.id);
	const lines: (readonly Span[])[] = Array.from({ length: cellLineCount(scene) }, () => []);
	for (const [at, group] of map.groups.entries()) {
		const here = cursor?.group === at ? cursor.cell : -1;
		for (let nth = 0; nth < group.lineCount; nth += 1)
			lines[group.firstLine + nth] = [
				...headSpans(group, nth, here >= 0, map),
				...cellsOfLine(group, at, nth, here, map, scene),
			];
		const alarms = alarmSpans(group, map);
		if (alarmWidthIn(width) > 0)
			lines[group.firstLine] = [
				...fitTo(lines[group.firstLine] ?? [], width - alarmWidth),
				...fitTo(alarms, alarmWidth - 1, 'right'),
			];
	}
	return [
		titleSpans(map, scene),
		...lines,
		...(hasLegend(scene) ? [legendSpans(map, scene)] : []),
		cursorSpans(row, cursor ? rowsInCell(map, cursor).length : 0, scene),
	];
}

function headSpans(
	{ label, rows }: PlacedGroup,
	nth: number,
	isHere: boolean,
	map: FleetMap,
): readonly Span[] {
	if (nth > 0) return [[' '.repeat(firstCellColumn(map))]];
	return [
		[isHere ? ' ❯ ' : '   ', 'accent'],
		...fitTo([[label]], map.labelWidth),
		[' '],
		...fitTo([[countText(rows.length), 'faint']], map.countWidth, 'right'),
		['  '],
	];
}

/** Returns the spans of a line of cells. Neighbours that look the same share a span. */
function cellsOfLine(
	group: PlacedGroup,
	groupAt: number,
	nth: number,
	here: number,
	map: FleetMap,
	scene: MapScene,
): readonly Span[] {
	const { cellsPerRow, hasHalves, cellWidth } = map;
	const { marks } = scene.screen;
	const count = cellCountOf(group, map);
	const spans: Span[] = [];
	const push = (text: string, tone?: Tone) => {
		const last = spans.at(-1);
		if (last && last[1] === tone) spans[spans.length - 1] = [last[0] + text, tone];
		else spans.push([text, tone]);
	};
	const lookAt = (cell: number): { sign: string; tone: Tone; row: FleetRow } | undefined => {
		const place = { group: groupAt, cell };
		const row = cell < count ? worstIn(map, place) : undefined;
		if (!row) return undefined;
		if (marks.size > 0 && rowsInCell(map, place).some(({ id }) => marks.has(id)))
			return { sign: '▪', tone: 'mark', row };
		const level = map.levelOf(row);
		return { sign: signOf(level, scene), tone: level.tone, row };
	};
	const first = nth * cellsPerRow * (hasHalves ? 2 : 1);
	for (let cell = first; cell < first + cellsPerRow; cell += 1) {
		const look = lookAt(cell);
		if (!look) break;
		if (hasHalves) {
			const below = lookAt(cell + cellsPerRow);
			const upper = cell === here ? 'here' : look.tone;
			const lower = cell + cellsPerRow === here ? 'here' : below?.tone;
			if (upper === lower) push('█', upper);
			else push('▀', lower === undefined ? upper : onTone(upper, lower));
			continue;
		}
		const name = map.hasNames ? textOf(cut([[` ${nameIn(look.row)}`]], cellWidth - 3)) : '';
		const isHere = cell === here;
		push(look.sign, isHere ? 'cellUnderCursor' : look.tone);
		if (map.hasNames) push(name, isHere ? 'cellUnderCursor' : toneOfName(look.tone));
		push(' '.repeat(Math.max(0, cellWidth - cellsOf(look.sign + name))));
	}
	return spans;
}

/** A name has the colour of words, unless something is wrong with the computer. */
function toneOfName(tone: Tone): Tone | undefined {
	if (tone === 'idle') return 'faint';
	return ['bad', 'busy', 'mark'].includes(tone) ? tone : undefined;
}

/** Counts the computers at the level that matters most, as in "7 error". */
function alarmSpans({ rows }: PlacedGroup, { colours: { alarm }, levelOf }: FleetMap) {
	const count = rows.reduce((sum, row) => sum + Number(levelOf(row) === alarm), 0);
	return count > 0 ? [[`${countText(count)} ${alarm.word}`, alarm.tone] as const] : [];
}

/** Says what the groups and the colours mean, and how many computers a cell stands for. */
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

/** Describes the computer under the cursor, and names the keys of the map. */
function cursorSpans(
	row: FleetRow | undefined,
	inCell: number,
	scene: Parameters<typeof cellContextsOf>[0] & Pick<Scene, 'screen' | 'bindings' | 'width'>,
): readonly Span[] {
	const { bindings, screen, width } = scene;
	const keys = hints.flatMap(({ action, word, drop }): readonly Part[] => {
		const key = shownKeyOf(bindings, action);
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

/** A group of the map in words: its number of computers, and how many of them are at each level, the worst first. */
export type GroupSummary = { label: string; total: number; levels: readonly string[] };

/** Describes the map in words, for speech and for a pipe. */
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
