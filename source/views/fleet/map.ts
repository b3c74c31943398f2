import { computerName, type Phase, phaseOf } from '../../fleet/computers/computer.ts';
import { phasesByUrgency, sortComputers } from '../../fleet/computers/order-fields.ts';
import { compareVersions } from '../../fleet/computers/version.ts';
import { hasUnknownOutcome, isUnderWay } from '../../fleet/operations/operation.ts';
import { memoize } from '../../foundation/memoize.ts';
import { countText } from '../../foundation/number-text.ts';
import { cellsOf } from '../../lines/measure.ts';
import { fitParts, type Part } from '../../lines/parts.ts';
import { spellOut } from '../../lines/print.ts';
import { cut, fitTo, type Span, textOf, widthOf } from '../../lines/span.ts';
import { accountTone, onTone, type Tone } from '../../lines/theme.ts';
import { type Age, createRowAge } from '../../store/freshness.ts';
import { accountOfRow, type OpenedAccount } from '../../store/opened-accounts.ts';
import type { FleetRow } from '../../store/selectors.ts';
import { shownKeyOf } from '../actions/shown-keys.ts';
import { cursorIndex } from '../look/cursor.ts';
import type { MapField } from '../look/screen.ts';
import type { MapCells } from '../look/viewport.ts';
import { pluralize } from '../phrases/words.ts';
import type { Scene } from '../scene.ts';
import { cellSpans, columns, distinctLetters } from './columns.ts';

//    by location, coloured by status                                      each cell is a computer
//    eu-north  1,204  ■ ■ ■ ■ ■ ■ ✖ ■ ■ ■ ■ ■ ■ ■ ■ ■ ■ ■ ■ ■ ■ ■ ■          7 error
//  ❯ us-east     812  ■ ■ ■ ■ ■ ■ ■ ■ ■ ■ ■ ■ ✖ ■ ■ ■ ■ ■ ■ ■ ■ ■ ■         41 error
//    ✖ error   ■ changing   ■ active   ■ old data   ■ stopped   ■ unknown
//  ❯ vega-12  ● Active  CPU 96%  1.3.9 ↑      f filter  b group  c colour  m table
// The cells of a small fleet have names. Where whole cells have no room, two half cells share a character, and if these have
// none either, a cell stands for several computers.

const byText = (a: string, b: string) => (a < b ? -1 : Number(a > b));

/** A status that this program does not know is as urgent as an unknown one. */
const urgencyOf = (status: string) =>
	phasesByUrgency.indexOf(phasesByUrgency.includes(status) ? status : 'unknown');

/** Other groups are in the order of their names. */
const comparisons: Readonly<Partial<Record<MapField, (a: string, b: string) => number>>> = {
	status: (a, b) => urgencyOf(a) - urgencyOf(b),
	version: (a, b) => compareVersions(b, a),
};

type Accounts = readonly OpenedAccount[];

function valueIn(row: FleetRow, field: MapField, accounts: Accounts): string | undefined {
	const { phase, reading } = row.computer;
	if (field === 'account') return accountOfRow(accounts, row)?.profile.name;
	if (field !== 'status') return reading[field] ?? undefined;
	return phaseOf(reading.status) === 'unknown' ? (reading.status ?? 'unknown') : phase;
}

/** A terminal without colours or blocks shows the letter. */
type Level = { word: string; letter: string; tone: Tone };

type Colours = {
	/** From the least to the most serious. A cell of several computers shows the most serious one. */
	levels: readonly Level[];
	legend: readonly Level[];
	alarm: Level;
	levelOf: (row: FleetRow, age: Age) => Level;
};

const inError: Level = { word: 'error', letter: '!', tone: 'bad' };
const stopped: Level = { word: 'stopped', letter: 'o', tone: 'idle' };
const unknown: Level = { word: 'unknown', letter: '?', tone: 'doubt' };
const oldData: Level = { word: 'old data', letter: '-', tone: 'old' };
const changing: Level = { word: 'changing', letter: '~', tone: 'busy' };
const active: Level = { word: 'active', letter: '.', tone: 'usual' };
const latest: Level = { word: 'latest', letter: '.', tone: 'usual' };
const behind: Level = { word: 'behind', letter: '^', tone: 'accent' };

const stoppedPhases: readonly Phase[] = ['stopped', 'archived', 'pooled'];

const byStatus: Colours = {
	levels: [stopped, active, oldData, changing, unknown, inError],
	legend: [inError, changing, active, oldData, stopped, unknown],
	alarm: inError,
	levelOf({ computer: { phase }, operation }, age) {
		if (operation && isUnderWay(operation)) return changing;
		if (operation && hasUnknownOutcome(operation)) return unknown;
		if (phase === 'error') return inError;
		if (phase === 'unknown') return unknown;
		const isStopped = stoppedPhases.includes(phase);
		if (phase !== 'active' && !isStopped) return changing;
		// Nobody knows whether it is still active or stopped, but a problem is shown even if its data is old.
		if (age === 'old') return oldData;
		return isStopped ? stopped : active;
	},
};

const byVersion: Colours = {
	levels: [stopped, unknown, latest, oldData, behind, inError],
	legend: [inError, behind, latest, oldData, stopped, unknown],
	alarm: behind,
	levelOf({ computer: { phase, reading }, isOutdated }, age) {
		if (phase === 'error') return inError;
		if (!reading.version) return stoppedPhases.includes(phase) ? stopped : unknown;
		if (age === 'old') return oldData;
		return isOutdated ? behind : latest;
	},
};

const valueTones: readonly Tone[] = ['usual', 'accent', 'doubt', 'old', 'busy', 'idle'];

/** A computer in error is red among all colours. */
function coloursBy(field: MapField, rows: readonly FleetRow[], accounts: Accounts): Colours {
	if (field === 'status') return byStatus;
	if (field === 'version') return byVersion;
	const values = [...new Set(rows.map(row => valueIn(row, field, accounts)))]
		.filter(value => value !== undefined)
		.sort();
	const letters = distinctLetters(values);
	const levels = new Map(
		values.map((word, at): [string, Level] => {
			const account = accounts.find(({ profile }) => profile.name === word)?.profile;
			const own = field === 'account' ? accountTone(account?.colour) : undefined;
			const tone = own ?? valueTones[at % valueTones.length] ?? 'usual';
			return [word, { word, letter: letters[at]?.toLowerCase() ?? '.', tone }];
		}),
	);
	return {
		levels: [unknown, ...levels.values(), inError],
		legend: [inError, ...levels.values(), unknown],
		alarm: inError,
		levelOf(row) {
			if (row.computer.phase === 'error') return inError;
			return levels.get(valueIn(row, field, accounts) ?? '') ?? unknown;
		},
	};
}

function levelReader({ levelOf }: Colours, accounts: Accounts, now: number) {
	const ages = new Map(
		accounts.map(({ profile, state }) => [profile.account, createRowAge(state, now)]),
	);
	return (row: FleetRow) => levelOf(row, ages.get(row.account)?.(row.computer) ?? 'old');
}

/** Ordered by name, so that each computer keeps its place. Without a value, its computers have none or are of many groups. */
type MapGroup = { value: string | undefined; label: string; rows: readonly FleetRow[] };

/** A key needs the groups twice and seldom changes them. */
const groupsOf = memoize(
	(rows: readonly FleetRow[], grouping: MapField, accounts: Accounts): readonly MapGroup[] => {
		const parts = new Map<string | undefined, FleetRow[]>();
		const byName = sortComputers(rows, { by: 'name', isReversed: false }, 0, {
			computerOf: ({ computer }) => computer,
		});
		for (const row of byName) {
			const value = valueIn(row, grouping, accounts);
			const part = parts.get(value) ?? [];
			part.push(row);
			parts.set(value, part);
		}
		// What is undefined is sorted to the end.
		const values = [...parts.keys()].sort(
			(a = '', b = '') => comparisons[grouping]?.(a, b) || byText(a, b),
		);
		return values.map(value => ({
			value,
			label: value ?? 'unknown',
			rows: parts.get(value) ?? [],
		}));
	},
);

function groupsThatFit(groups: readonly MapGroup[], lines: number): readonly MapGroup[] {
	if (groups.length <= lines) return groups;
	const others = groups.slice(lines - 1);
	const rows = others.flatMap(group => group.rows);
	return [
		...groups.slice(0, lines - 1),
		{ value: undefined, label: `${others.length} others`, rows },
	];
}

/** `row` counts the rows of cells of all groups, and `x` the cells in that row. The worst computer decides how it looks. */
type MapCell = {
	group: MapGroup;
	rows: readonly FleetRow[];
	worst: FleetRow;
	row: number;
	x: number;
	line: number;
};

type CellStyle = {
	/** In columns, with the gap after the cell. */
	width: number;
	computers: number;
	/** Two cells share a character, one above the other. */
	isHalf: boolean;
	isNamed: boolean;
};

type PlacedCells = {
	style: CellStyle;
	cells: readonly MapCell[];
	/** By their first lines. */
	groups: ReadonlyMap<number, MapGroup>;
};

type FleetMap = PlacedCells & {
	colours: Colours;
	levelOf: (row: FleetRow) => Level;
	labelWidth: number;
	countWidth: number;
	firstColumn: number;
};

const alarmWidth = 13;
const minLabelWidth = 7;
const maxLabelWidth = 16;
const minNameWidth = 8;
const maxNameWidth = 16;
/** With more computers in a line, no names fit, so they are not measured. */
const maxNamedInLine = 24;

/** In fewer columns, the cells need the room of the alarms. */
const hasAlarms = ({ width }: Scene) => width >= 60;
const hasLegend = ({ height }: Scene) => height >= 8;
const lineCount = (scene: Scene) => Math.max(1, scene.height - (hasLegend(scene) ? 3 : 2));

/** Cells are coloured blocks, or letters where there are no colours or no blocks. */
const hasBlocks = ({ hasUnicode, hasColours }: Scene) => hasUnicode && hasColours;

/** Each computer has the largest cell of its own for which there is room, or else a cell stands for as few as possible. */
export function mapOf(scene: Scene): FleetMap {
	const { accounts, shown, screen, width, now } = scene;
	const lines = lineCount(scene);
	const groups = groupsThatFit(groupsOf(shown.rows, screen.map.grouping, accounts), lines);
	const colours = coloursBy(screen.map.colouring, shown.allRows, accounts);
	const levelOf = levelReader(colours, accounts, now);
	const labels = groups.map(({ label }) => cellsOf(label));
	const labelWidth = Math.min(maxLabelWidth, Math.max(minLabelWidth, ...labels));
	const most = Math.max(1, ...groups.map(({ rows }) => rows.length));
	const countWidth = Math.max(3, countText(most).length);
	const firstColumn = labelWidth + countWidth + 6;
	const room = Math.max(1, width - firstColumn - 1 - (hasAlarms(scene) ? alarmWidth : 0));
	const rankOf = (row: FleetRow) => colours.levels.indexOf(levelOf(row));
	const place = (style: Partial<CellStyle>) =>
		placedCells(groups, { ...wholeCell, ...style }, rankOf, room, lines);
	const mayHaveNames = shown.rows.length <= lines * maxNamedInLine;
	const names = mayHaveNames ? shown.rows.map(row => cellsOf(computerName(row.computer))) : [];
	const nameWidth = Math.min(maxNameWidth, Math.max(minNameWidth, ...names));
	const named = mayHaveNames ? place({ width: nameWidth + 4, isNamed: true }) : undefined;
	let placed = named ?? place({});
	const isHalf = hasBlocks(scene);
	for (let computers = 1; !placed; computers += 1) placed = place({ width: 1, computers, isHalf });
	return { ...placed, colours, levelOf, labelWidth, countWidth, firstColumn };
}

const wholeCell: CellStyle = { width: 2, computers: 1, isHalf: false, isNamed: false };

/** Undefined if the cells need more lines, unless each group has only one cell. */
function placedCells(
	groups: readonly MapGroup[],
	style: CellStyle,
	rankOf: (row: FleetRow) => number,
	room: number,
	lines: number,
): PlacedCells | undefined {
	// The blanks after the last cell may stand before the right edge.
	const cellsPerRow = Math.floor((room + Math.min(style.width - 1, 1)) / style.width);
	const rowsPerLine = style.isHalf ? 2 : 1;
	const perLine = cellsPerRow * style.computers * rowsPerLine;
	const heights = groups.map(({ rows }) => Math.max(1, Math.ceil(rows.length / perLine)));
	const needed = heights.reduce((sum, height) => sum + height, 0);
	const isLeast = groups.every(({ rows }) => rows.length <= style.computers);
	if (cellsPerRow < 1 || (needed > lines && !isLeast)) return undefined;
	const gap = needed + heights.length - 1 <= lines ? 1 : 0;
	const cells: MapCell[] = [];
	const firstLines = new Map<number, MapGroup>();
	let line = 0;
	let row = 0;
	for (const [at, group] of groups.entries()) {
		firstLines.set(line, group);
		for (let nth = 0; nth * style.computers < group.rows.length; nth += 1) {
			const down = Math.floor(nth / cellsPerRow);
			const rows = group.rows.slice(nth * style.computers, (nth + 1) * style.computers);
			cells.push({
				group,
				rows,
				worst: rows.reduce((worst, each) => (rankOf(each) > rankOf(worst) ? each : worst)),
				row: row + down,
				x: nth % cellsPerRow,
				line: line + Math.floor(down / rowsPerLine),
			});
		}
		row = (cells.at(-1)?.row ?? -1) + 1;
		line += (heights[at] ?? 1) + gap;
	}
	return { style, cells, groups: firstLines };
}

/** Of two cells that share a character, it is the upper one. */
export function cellAt(map: FleetMap, column: number, line: number): MapCell | undefined {
	const x = Math.floor((column - map.firstColumn) / map.style.width);
	return map.cells.find(cell => cell.line === line && cell.x === x);
}

export function mapCells(scene: Scene): MapCells {
	const map = mapOf(scene);
	return {
		cells: map.cells,
		worstIn: (cell: MapCell) => cell.worst.id,
		filterTo: (cell: MapCell, filter) => filterTo(cell, map, filter, scene),
	};
}

const quoted = (value: string) => (/\s/.test(value) ? `"${value}"` : value);

/** A cell that stands for several computers or has no common value is named by its computers. */
function filterTo(
	{ group: { value }, rows }: MapCell,
	{ style }: FleetMap,
	filter: string,
	{ accounts, screen: { map } }: Scene,
): string {
	if (style.computers > 1 || value === undefined) {
		const terms = rows.map(row => {
			const profile = accounts.length > 1 ? accountOfRow(accounts, row)?.profile : undefined;
			const account = profile ? ` account:${quoted(profile.name)}` : '';
			return `id:=${quoted(row.computer.id)}${account}`;
		});
		return terms.join(' OR ');
	}
	const isWord = map.grouping === 'location' || map.grouping === 'status';
	const term = `${map.grouping}:${isWord ? '=' : ''}${quoted(value)}`;
	// OR joins whole lists of terms, so each list is narrowed.
	return filter
		.trim()
		.split(' OR ')
		.map(list => (list.split(' ').includes(term) ? list : `${list} ${term}`.trim()))
		.join(' OR ');
}

export function mapLines(map: FleetMap, scene: Scene): readonly (readonly Span[])[] {
	const { shown, screen, width } = scene;
	const row = shown.rows[cursorIndex(screen, shown.ids)];
	const here = map.cells.find(({ rows }) => rows.some(({ id }) => id === row?.id));
	const cellsByLine: MapCell[][] = Array.from({ length: lineCount(scene) }, () => []);
	for (const cell of map.cells) cellsByLine[cell.line]?.push(cell);
	const lines = cellsByLine.map((cells, at): readonly Span[] => {
		const group = map.groups.get(at);
		const drawn = cellsSpans(cells, here, map, scene);
		if (!group) return [[' '.repeat(map.firstColumn)], ...drawn];
		const line = [...headSpans(group, group === here?.group, map), ...drawn];
		if (!hasAlarms(scene)) return line;
		const alarm = fitTo(alarmSpans(group, map), alarmWidth - 1, 'right');
		return [...fitTo(line, width - alarmWidth), ...alarm];
	});
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

function alarmSpans(
	{ rows }: MapGroup,
	{ colours: { alarm }, levelOf }: FleetMap,
): readonly Span[] {
	const count = rows.filter(row => levelOf(row) === alarm).length;
	return count > 0 ? [[`${countText(count)} ${alarm.word}`, alarm.tone]] : [];
}

const signOf = (level: Level, scene: Scene) =>
	!hasBlocks(scene) ? level.letter : level === inError ? '✖' : '■';

function cellsSpans(
	cells: readonly MapCell[],
	here: MapCell | undefined,
	map: FleetMap,
	scene: Scene,
): readonly Span[] {
	const { isHalf, isNamed, width } = map.style;
	const { marks } = scene.screen;
	const lookOf = (cell: MapCell): Span => {
		if (cell.rows.some(({ id }) => marks.has(id))) return ['▪', 'mark'];
		const level = map.levelOf(cell.worst);
		return [signOf(level, scene), level.tone];
	};
	const upper = cells.filter(({ row }) => row === cells[0]?.row);
	if (isHalf) {
		const toneOf = (cell: MapCell): Tone => (cell === here ? 'here' : (lookOf(cell)[1] ?? 'usual'));
		const lower = cells.slice(upper.length);
		return joined(
			upper.map((cell, at): Span => {
				const [over, under] = [toneOf(cell), lower[at] && toneOf(lower[at])];
				if (over === under) return ['█', over];
				return ['▀', under === undefined ? over : onTone(over, under)];
			}),
		);
	}
	return joined(
		upper.flatMap((cell): readonly Span[] => {
			const [sign, tone] = lookOf(cell);
			const [row] = cell.rows;
			const name =
				isNamed && row ? textOf(cut([[` ${computerName(row.computer)}`]], width - 3)) : '';
			const gap = ' '.repeat(Math.max(0, width - cellsOf(sign + name)));
			if (cell === here) return [[sign + name, 'cellUnderCursor'], [gap]];
			return [
				[sign, tone],
				[name + gap, isNamed ? toneOfName(tone) : tone],
			];
		}),
	);
}

function joined(spans: readonly Span[]): readonly Span[] {
	const all: Span[] = [];
	for (const [text, tone] of spans) {
		const last = all.at(-1);
		if (last && last[1] === tone) all[all.length - 1] = [last[0] + text, tone];
		else all.push([text, tone]);
	}
	return all;
}

/** A name has the colour of words, unless something is wrong with the computer. */
function toneOfName(tone: Tone | undefined): Tone | undefined {
	if (tone === 'idle') return 'faint';
	return tone === 'bad' || tone === 'busy' || tone === 'mark' ? tone : undefined;
}

function titleSpans({ style }: FleetMap, { screen, width }: Scene): readonly Span[] {
	const { grouping, colouring } = screen.map;
	const isOne = style.computers === 1;
	const what = isOne ? 'a computer' : `${countText(style.computers)} computers`;
	const parts: readonly Part[] = [
		{
			spans: [['   by ', 'faint'], [grouping], [', coloured by ', 'faint'], [colouring]],
			drop: 0,
		},
		{ spans: [[`each cell is ${what}`, 'faint']], drop: 1, isRight: true },
		{ spans: [[isOne ? '' : 'and shows the worst', 'faint']], drop: 2, isRight: true },
	];
	return [...fitParts(parts, width - 1, ' '), [' ']];
}

function legendSpans({ colours }: FleetMap, scene: Scene): readonly Span[] {
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
	{ name: 'status', label: '', drop: 1 },
	{ name: 'cpu', label: 'CPU ', drop: 9 },
	{ name: 'version', label: 'version ', drop: 2 },
	{ name: 'stage', label: 'reason ', drop: 10 },
];

const stageCells = 30;

function cursorSpans(row: FleetRow | undefined, inCell: number, scene: Scene): readonly Span[] {
	const keys = hints.flatMap(({ action, word, drop }): readonly Part[] => {
		const key = shownKeyOf(scene.actions, action);
		const spans: readonly Span[] = [
			[key ?? '', 'accent'],
			[` ${word}`, 'faint'],
		];
		return key === undefined ? [] : [{ spans, drop, isRight: true }];
	});
	const parts = row ? descriptionOf(row, inCell, scene) : [];
	return [
		row && scene.screen.marks.has(row.id) ? ['▪', 'mark'] : [' '],
		[row ? '❯ ' : '  ', 'accent'],
		...fitParts([...parts, ...keys], scene.width - 4),
		[' '],
	];
}

function descriptionOf(row: FleetRow, inCell: number, scene: Scene): readonly Part[] {
	const values = described.flatMap(({ name, label, drop }): readonly Part[] => {
		const column = columns.find(each => each.name === name);
		const spans = column ? cellSpans(row, column, scene, stageCells) : [];
		const text = textOf(spans).trim();
		if (text === '' || text === '–') return [];
		// The other values say what they are, unless nobody has read them.
		const isLabelled = name === 'cpu' || text === '…';
		return [{ spans: [[isLabelled ? label : '', 'faint'], ...spans], drop }];
	});
	return [
		{ spans: [[computerName(row.computer), 'strong']], drop: 0 },
		...values,
		{ spans: inCell > 1 ? [[`one of ${inCell} in this cell`, 'faint']] : [], drop: 3 },
	];
}

type GroupSummary = { label: string; total: number; levels: readonly string[] };

export function summarizeMap(
	accounts: Accounts,
	allRows: readonly FleetRow[],
	rows: readonly FleetRow[],
	{ grouping, colouring }: { grouping: MapField; colouring: MapField },
	now: number,
): readonly GroupSummary[] {
	const colours = coloursBy(colouring, allRows, accounts);
	const levelOf = levelReader(colours, accounts, now);
	return groupsOf(rows, grouping, accounts).map(group => {
		const levels = group.rows.map(levelOf);
		const counts = colours.levels.toReversed().flatMap(level => {
			const count = levels.filter(each => each === level).length;
			return count > 0 ? [`${countText(count)} ${level.word}`] : [];
		});
		return { label: group.label, total: group.rows.length, levels: counts };
	});
}

export function spokenMap({ accounts, screen, shown, now }: Scene): readonly string[] {
	const { grouping, colouring } = screen.map;
	const groups = summarizeMap(accounts, shown.allRows, shown.rows, screen.map, now);
	return [
		`Map by ${grouping}, coloured by ${colouring}.`,
		...groups.map(
			({ label, total, levels }) =>
				`${label}: ${pluralize(total, 'computer')}, ${spellOut(levels.join(', '))}.`,
		),
	];
}
