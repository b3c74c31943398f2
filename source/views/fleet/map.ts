import { computerName, type Phase, phaseOf } from '../../fleet/computers/computer.ts';
import { phasesByUrgency, sortComputers } from '../../fleet/computers/order-fields.ts';
import { compareVersions } from '../../fleet/computers/version.ts';
import { hasUnknownOutcome, isUnderWay, isUnsent } from '../../fleet/operations/operation.ts';
import { memoize } from '../../foundation/memoize.ts';
import { countText } from '../../foundation/number-text.ts';
import { cellsOf } from '../../lines/measure.ts';
import { fitParts, type Part } from '../../lines/parts.ts';
import { spellOut } from '../../lines/print.ts';
import { cut, fitTo, type Span } from '../../lines/span.ts';
import { accountTone, onTone, type Tone } from '../../lines/theme.ts';
import { accountOfRow, type OpenedAccount } from '../../store/opened-accounts.ts';
import type { FleetRow } from '../../store/selectors.ts';
import { shownKeyOf } from '../actions/shown-keys.ts';
import { type MapCells, rowUnderCursor } from '../look/cursor.ts';
import type { MapField } from '../look/screen.ts';
import { pluralize } from '../phrases/words.ts';
import type { Scene } from '../scene.ts';
import { distinctLetters, tableLines } from './columns.ts';
import { ageOfRow, type CellScene } from './status.ts';

//    b by location  c coloured by status  f filters                       each cell is a computer
//    eu-north  1,204  ■ ■ ■ ■ ■ ■ ✖ ■ ■ ■ ■ ■ ■ ■ ■ ■ ■ ■ ■ ■ ■ ■ ■          7 error
//  ❯ us-east     812  ■ ■ ■ ■ ■ ■ ■ ■ ■ ■ ■ ■ ✖ ■ ■ ■ ■ ■ ■ ■ ■ ■ ■         41 error
//    ✖ error   ■ changing   ■ active   ■ old data   ■ stopped   ■ unknown
//  ❯ vega-12  ● Active            96%  1.3.9 ↑   6d 4h  8080        as in the table
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
	/** From the most to the least serious. A cell of several computers shows the most serious one. */
	levels: readonly Level[];
	/** What the groups count. */
	alarm: Level;
	levelOf: (row: FleetRow, scene: CellScene) => Level;
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
	levels: [inError, unknown, changing, oldData, active, stopped],
	alarm: inError,
	levelOf(row, scene) {
		const { phase } = row.computer;
		const { operation } = row;
		// What only waits has changed nothing yet, such as an error.
		if (operation && isUnderWay(operation) && !isUnsent(operation)) return changing;
		if (operation && hasUnknownOutcome(operation)) return unknown;
		if (phase === 'error') return inError;
		if (phase === 'unknown') return unknown;
		const isStopped = stoppedPhases.includes(phase);
		if (phase !== 'active' && !isStopped) return changing;
		// Nobody knows whether it is still active or stopped, but a problem is shown even if its data is old.
		if (ageOfRow(row, scene) === 'old') return oldData;
		return isStopped ? stopped : active;
	},
};

const byVersion: Colours = {
	levels: [inError, behind, oldData, latest, unknown, stopped],
	alarm: behind,
	levelOf(row, scene) {
		const { phase, reading } = row.computer;
		if (phase === 'error') return inError;
		if (!reading.version) return stoppedPhases.includes(phase) ? stopped : unknown;
		if (ageOfRow(row, scene) === 'old') return oldData;
		return row.isOutdated ? behind : latest;
	},
};

const valueTones: readonly Tone[] = ['usual', 'accent', 'doubt', 'old', 'busy', 'idle'];

/** A computer in error is red among all colours. */
function coloursIn({ accounts, screen, shown }: Scene): Colours {
	const { colouring } = screen.map;
	if (colouring === 'status') return byStatus;
	if (colouring === 'version') return byVersion;
	const wordOf = (row: FleetRow) => valueIn(row, colouring, accounts);
	const values = [...new Set(shown.allRows.map(wordOf))]
		.filter(value => value !== undefined)
		.sort();
	const letters = distinctLetters(values);
	const levels = new Map(
		values.map((word, at): [string, Level] => {
			const account = accounts.find(({ profile }) => profile.name === word)?.profile;
			const own = colouring === 'account' ? accountTone(account?.colour) : undefined;
			const tone = own ?? valueTones[at % valueTones.length] ?? 'usual';
			return [word, { word, letter: letters[at]?.toLowerCase() ?? '.', tone }];
		}),
	);
	return {
		levels: [inError, ...levels.values(), unknown],
		alarm: inError,
		levelOf(row) {
			if (row.computer.phase === 'error') return inError;
			return levels.get(wordOf(row) ?? '') ?? unknown;
		},
	};
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

type CellStyle = {
	/** In columns, with the gap after the cell. */
	width: number;
	computers: number;
	/** Two cells share a character, one above the other. */
	isHalf?: boolean;
	isNamed?: boolean;
};

/** `row` counts the rows of cells of all groups, and `x` the cells in that row. The worst computer decides how it looks. */
type MapCell = {
	group: MapGroup;
	rows: readonly FleetRow[];
	worst: FleetRow;
	row: number;
	x: number;
	line: number;
};

type FleetMap = {
	style: CellStyle;
	cells: readonly MapCell[];
	colours: Colours;
	labelWidth: number;
	countWidth: number;
	firstColumn: number;
};

const alarmWidth = 13;
const maxLabelWidth = 16;

const named: CellStyle = { width: 16, computers: 1, isNamed: true };
const whole: CellStyle = { width: 2, computers: 1 };

/** In fewer columns, the cells need the room of the alarms. */
const hasAlarms = ({ width }: Scene) => width >= 60;
const hasLegend = ({ height }: Scene) => height >= 8;
const lineCount = (scene: Scene) => Math.max(1, scene.height - (hasLegend(scene) ? 3 : 2));

/** Cells are coloured blocks, or letters where there are no colours or no blocks. */
const hasBlocks = ({ hasUnicode, hasColours }: Scene) => hasUnicode && hasColours;

/** Each computer has the largest cell of its own for which there is room, or else a cell stands for as few as possible. */
export function mapOf(scene: Scene): FleetMap {
	const { accounts, shown, screen, width } = scene;
	const lines = lineCount(scene);
	const groups = groupsThatFit(groupsOf(shown.rows, screen.map.grouping, accounts), lines);
	const widestOf = (texts: readonly string[]) => Math.max(0, ...texts.map(cellsOf));
	const labelWidth = Math.min(maxLabelWidth, widestOf(groups.map(({ label }) => label)));
	const countWidth = widestOf(groups.map(({ rows }) => countText(rows.length)));
	const firstColumn = labelWidth + countWidth + 6;
	const room = width - firstColumn - (hasAlarms(scene) ? alarmWidth : 0);
	const perRow = (style: CellStyle) => Math.max(1, Math.floor(room / style.width));
	const heightOf = (style: CellStyle) => {
		const perLine = perRow(style) * style.computers * (style.isHalf ? 2 : 1);
		return groups.reduce((sum, { rows }) => sum + Math.ceil(rows.length / perLine), 0);
	};
	let style = [named, whole].find(each => each.width <= room && heightOf(each) <= lines);
	for (let computers = 1; !style; computers += 1) {
		const small = { width: 1, computers, isHalf: hasBlocks(scene) };
		if (heightOf(small) <= lines) style = small;
	}
	const gap = heightOf(style) + groups.length - 1 <= lines ? 1 : 0;
	const colours = coloursIn(scene);
	const rankOf = (row: FleetRow) => colours.levels.indexOf(colours.levelOf(row, scene));
	const cells = cellsIn(groups, style, perRow(style), gap, rankOf);
	return { style, cells, colours, labelWidth, countWidth, firstColumn };
}

function cellsIn(
	groups: readonly MapGroup[],
	{ computers, isHalf }: CellStyle,
	perRow: number,
	gap: number,
	rankOf: (row: FleetRow) => number,
): readonly MapCell[] {
	let firstRow = 0;
	let firstLine = 0;
	return groups.flatMap(group => {
		const count = Math.ceil(group.rows.length / computers);
		const height = Math.ceil(count / perRow);
		const cells = Array.from({ length: count }, (_, nth): MapCell => {
			const down = Math.floor(nth / perRow);
			const rows = group.rows.slice(nth * computers, (nth + 1) * computers);
			const line = firstLine + (isHalf ? Math.floor(down / 2) : down);
			const worst = rows.reduce((most, each) => (rankOf(each) < rankOf(most) ? each : most));
			return { group, rows, worst, row: firstRow + down, x: nth % perRow, line };
		});
		firstRow += height;
		firstLine += (isHalf ? Math.ceil(height / 2) : height) + gap;
		return cells;
	});
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
	const row = rowUnderCursor(scene);
	const here = map.cells.find(({ rows }) => rows.some(({ id }) => id === row?.id));
	const lines = Array.from({ length: lineCount(scene) }, (_, at): readonly Span[] => {
		const cells = map.cells.filter(({ line }) => line === at);
		const [first] = cells;
		if (!first) return [];
		const { group } = first;
		const drawn = cellsSpans(cells, here, map, scene);
		if (first.rows[0] !== group.rows[0]) return [[' '.repeat(map.firstColumn)], ...drawn];
		const line = [...headSpans(group, group === here?.group, map), ...drawn];
		if (!hasAlarms(scene)) return line;
		const alarm = fitTo(alarmSpans(group, map, scene), alarmWidth - 1, 'right');
		return [...fitTo(line, scene.width - alarmWidth), ...alarm];
	});
	return [
		titleSpans(map, scene),
		...lines,
		...(hasLegend(scene) ? [legendSpans(map, scene)] : []),
		row ? (tableLines([row], scene.width, scene)[1] ?? []) : [],
	];
}

const headSpans = ({ label, rows }: MapGroup, isHere: boolean, map: FleetMap): readonly Span[] => [
	[isHere ? ' ❯ ' : '   ', 'accent'],
	...fitTo([[label]], map.labelWidth),
	[' '],
	...fitTo([[countText(rows.length), 'faint']], map.countWidth, 'right'),
	['  '],
];

function alarmSpans({ rows }: MapGroup, { colours }: FleetMap, scene: Scene): readonly Span[] {
	const { alarm, levelOf } = colours;
	const count = rows.filter(row => levelOf(row, scene) === alarm).length;
	return count > 0 ? [[`${countText(count)} ${alarm.word}`, alarm.tone]] : [];
}

const signOf = (level: Level, scene: Scene) =>
	!hasBlocks(scene) ? level.letter : level === inError ? '✖' : '■';

/** The names of computers in which something is wrong have its colour. */
const namedTones: readonly (Tone | undefined)[] = ['bad', 'busy', 'mark'];

/** These cells are of one line. */
function cellsSpans(
	cells: readonly MapCell[],
	here: MapCell | undefined,
	{ colours, style: { isHalf, isNamed, width } }: FleetMap,
	scene: Scene,
): readonly Span[] {
	const { marks } = scene.screen;
	const lookOf = ({ rows, worst }: MapCell): Span => {
		const level = colours.levelOf(worst, scene);
		return rows.some(({ id }) => marks.has(id))
			? ['▪', 'mark']
			: [signOf(level, scene), level.tone];
	};
	const upper = cells.filter(({ row }) => row === cells[0]?.row);
	const lower = cells.slice(upper.length);
	const halfTone = (cell: MapCell): Tone => (cell === here ? 'here' : (lookOf(cell)[1] ?? 'usual'));
	return upper.flatMap((cell, at): readonly Span[] => {
		const below = lower[at];
		if (isHalf) {
			const [over, under] = [halfTone(cell), below && halfTone(below)];
			return [over === under ? ['█', over] : ['▀', under ? onTone(over, under) : over]];
		}
		const [sign, tone] = lookOf(cell);
		const name = isNamed ? ` ${computerName(cell.worst.computer)}` : '';
		const spans: readonly Span[] =
			cell === here
				? [[sign + name, 'cellUnderCursor']]
				: [
						[sign, tone],
						[name, namedTones.includes(tone) ? tone : undefined],
					];
		return fitTo(cut(spans, Math.max(1, width - 1)), width);
	});
}

function titleSpans({ style }: FleetMap, { screen, width, actions }: Scene): readonly Span[] {
	const { grouping, colouring } = screen.map;
	const keyed = (action: string, text: string, drop: number): Part => ({
		spans: [
			[`${shownKeyOf(actions, action) ?? ''} `, 'accent'],
			[text, 'faint'],
		],
		drop,
	});
	const isOne = style.computers === 1;
	const what = isOne ? 'a computer' : `${countText(style.computers)} computers, as the worst`;
	const parts: readonly Part[] = [
		keyed('groupBy', `by ${grouping}`, 0),
		keyed('colourBy', `coloured by ${colouring}`, 0),
		keyed('filterToCell', 'filters', 2),
		{ spans: [[`each cell is ${what}`, 'faint']], drop: 1, isRight: true },
	];
	return [['   '], ...fitParts(parts, width - 4), [' ']];
}

function legendSpans({ colours }: FleetMap, scene: Scene): readonly Span[] {
	const parts = colours.levels.map((level, drop): Part => {
		const sign: Span = [signOf(level, scene), level.tone];
		return { spans: [sign, [` ${level.word}`, 'faint']], drop };
	});
	return [[' '], ...fitParts(parts, scene.width - 2, scene.width < 80 ? ' ' : '   ')];
}

/** A group and how many of its computers have each colour, the worst first. */
export function summarizeMap(scene: Scene) {
	const { accounts, screen, shown } = scene;
	const { levels, levelOf } = coloursIn(scene);
	return groupsOf(shown.rows, screen.map.grouping, accounts).map(({ label, rows }) => {
		const found = rows.map(row => levelOf(row, scene));
		const counts = levels.flatMap(level => {
			const count = found.filter(each => each === level).length;
			return count > 0 ? [`${countText(count)} ${level.word}`] : [];
		});
		return { label, total: rows.length, levels: counts };
	});
}

export function spokenMap(scene: Scene): readonly string[] {
	const { grouping, colouring } = scene.screen.map;
	return [
		`Map by ${grouping}, coloured by ${colouring}.`,
		...summarizeMap(scene).map(
			({ label, total, levels }) =>
				`${label}: ${pluralize(total, 'computer')}, ${spellOut(levels.join(', '))}.`,
		),
	];
}
