import { computerName, type Phase, phaseOf } from '../../fleet/computers/computer.ts';
import { sortComputers } from '../../fleet/computers/fields.ts';
import { hasUnknownOutcome, isUnderWay, isUnsent } from '../../fleet/operations/operation.ts';
import { memoize } from '../../foundation/memoize.ts';
import { countText } from '../../foundation/number-text.ts';
import { cellsOf } from '../../lines/measure.ts';
import { fitParts, type Part } from '../../lines/parts.ts';
import { spellOut } from '../../lines/print.ts';
import { clickable, cut, fitTo, type Span } from '../../lines/span.ts';
import { accountTone, onTone, type Tone } from '../../lines/theme.ts';
import { accountOfRow, type OpenedAccount } from '../../store/opened-accounts.ts';
import type { FleetRow } from '../../store/selectors.ts';
import { shownKeyOf } from '../keys.ts';
import { type MapCell, rowUnderCursor } from '../look/cursor.ts';
import type { Click, Move } from '../look/moves.ts';
import { currentFilter, type MapField } from '../look/screen.ts';
import { setFilter } from '../look/views.ts';
import { pluralize } from '../phrases/words.ts';
import type { Scene } from '../scene.ts';
import { tableLines } from './columns.ts';
import { isOld } from './status.ts';

//    b by location  c coloured by status  f filters                       each cell is a computer
//    eu-north  1,204  ■ ■ ■ ■ ■ ■ ✖ ■ ■ ■ ■ ■ ■ ■ ■ ■ ■ ■ ■ ■ ■ ■ ■          7 error
//  ❯ us-east     812  ■ ■ ■ ■ ■ ■ ■ ■ ■ ■ ■ ■ ✖ ■ ■ ■ ■ ■ ■ ■ ■ ■ ■         41 error
//    ✖ error   ■ changing   ■ active   ■ old data   ■ stopped   ■ unknown
//  ❯ vega-12  ● Active            96%  1.3.9 ↑   6d 4h  8080        as in the table
// The cells of a small fleet have names. Where whole cells have no room, two half cells share a character, and if these have
// none either, a cell stands for several computers.

type Accounts = readonly OpenedAccount[];

function valueIn(row: FleetRow, field: MapField, accounts: Accounts): string | undefined {
	const { phase, reading } = row.computer;
	if (field === 'account') return accountOfRow(accounts, row)?.profile.name;
	if (field !== 'status') return reading[field] ?? undefined;
	return phaseOf(reading.status) === 'unknown' ? (reading.status ?? 'unknown') : phase;
}

// Colours

/** A terminal without colours or blocks shows the letter. */
type Level = { word: string; letter: string; tone: Tone };

const inError: Level = { word: 'error', letter: '!', tone: 'bad' };
const stopped: Level = { word: 'stopped', letter: 'o', tone: 'idle' };
const unknown: Level = { word: 'unknown', letter: '?', tone: 'doubt' };
const oldData: Level = { word: 'old data', letter: '-', tone: 'old' };
const changing: Level = { word: 'changing', letter: '~', tone: 'busy' };
const active: Level = { word: 'active', letter: '.', tone: 'usual' };
const latest: Level = { word: 'latest', letter: '.', tone: 'usual' };
const behind: Level = { word: 'behind', letter: '^', tone: 'accent' };

type Colours = {
	/** From the most to the least serious. A cell of several computers shows the most serious one. */
	levels: readonly Level[];
	levelOf: (row: FleetRow, scene: Scene) => Level;
};

const stoppedPhases: readonly Phase[] = ['stopped', 'archived', 'pooled'];

const byStatus: Colours = {
	levels: [inError, unknown, changing, oldData, active, stopped],
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
		if (isOld(row, scene)) return oldData;
		return isStopped ? stopped : active;
	},
};

const byVersion: Colours = {
	levels: [inError, behind, oldData, latest, unknown, stopped],
	levelOf(row, scene) {
		const { phase, reading } = row.computer;
		if (phase === 'error') return inError;
		if (!reading.version) return stoppedPhases.includes(phase) ? stopped : unknown;
		if (isOld(row, scene)) return oldData;
		return row.isOutdated ? behind : latest;
	},
};

const letters = 'abcdefghijklmnopqrstuvwxyz';
const valueTones: readonly Tone[] = ['usual', 'accent', 'doubt', 'old', 'busy', 'idle'];

/** A computer in error is red among all colours. */
function coloursIn({ accounts, screen, shown }: Scene): Colours {
	const { colouring } = screen.map;
	if (colouring === 'status') return byStatus;
	if (colouring === 'version') return byVersion;
	const wordOf = (row: FleetRow) => valueIn(row, colouring, accounts);
	const words = [...new Set(shown.allRows.map(wordOf))].filter(word => word !== undefined).sort();
	const levels = words.map((word, at): Level => {
		const profile = accounts.find(each => each.profile.name === word)?.profile;
		const own = colouring === 'account' ? accountTone(profile?.colour) : undefined;
		const tone = own ?? valueTones[at % valueTones.length] ?? 'usual';
		return { word, letter: letters[at % letters.length] ?? '.', tone };
	});
	const levelByWord = new Map(levels.map(level => [level.word, level]));
	return {
		levels: [inError, ...levels, unknown],
		levelOf(row) {
			if (row.computer.phase === 'error') return inError;
			return levelByWord.get(wordOf(row) ?? '') ?? unknown;
		},
	};
}

const hasBlocks = ({ hasUnicode, hasColours }: Scene) => hasUnicode && hasColours;

function signOf(level: Level, scene: Scene): Span {
	if (!hasBlocks(scene)) return [level.letter, level.tone];
	return [level === inError ? '✖' : '■', level.tone];
}

// Groups

/** Without a value, its computers have none or are of many groups. */
type MapGroup = { value: string | undefined; label: string; rows: readonly FleetRow[] };

/** In the order of the table by this field, and by name within a group, so that each computer keeps its place. */
const groupsOf = memoize(
	(rows: readonly FleetRow[], grouping: MapField, accounts: Accounts): readonly MapGroup[] => {
		const groups = new Map<string | undefined, FleetRow[]>();
		const inOrder = sortComputers(rows, { by: grouping, isReversed: grouping === 'version' }, 0, {
			computerOf: ({ computer }) => computer,
			accountOf: row => valueIn(row, 'account', accounts),
		});
		for (const row of inOrder) {
			const value = valueIn(row, grouping, accounts);
			const group = groups.get(value) ?? [];
			group.push(row);
			groups.set(value, group);
		}
		return Array.from(groups, ([value, own]) => ({ value, label: value ?? 'unknown', rows: own }));
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

/** Each group of the map, and how many of its computers have each colour, the worst first. */
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

// Cells

type CellStyle = {
	/** In columns, with the gap after the cell. */
	width: number;
	computers: number;
	/** Two cells share a character, one above the other. */
	isHalf?: boolean;
	isNamed?: boolean;
};

type Cell = MapCell & { group: MapGroup; line: number };

type FleetMap = {
	style: CellStyle;
	cells: readonly Cell[];
	colours: Colours;
	labelWidth: number;
	countWidth: number;
	firstColumn: number;
};

const alarmWidth = 13;
const maxLabelWidth = 16;

/** In fewer columns, the cells need the room of the alarms. */
const hasAlarms = ({ width }: Scene) => width >= 60;
const hasLegend = ({ height }: Scene) => height >= 8;
const lineCount = (scene: Scene) => Math.max(1, scene.height - (hasLegend(scene) ? 3 : 2));

const named: CellStyle = { width: 16, computers: 1, isNamed: true };
const whole: CellStyle = { width: 2, computers: 1 };

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
	const linesOf = ({ rows }: MapGroup, style: CellStyle) =>
		Math.ceil(rows.length / (perRow(style) * style.computers * (style.isHalf ? 2 : 1)));
	const heightOf = (style: CellStyle) =>
		groups.reduce((sum, group) => sum + linesOf(group, style), 0);
	let style = [named, whole].find(each => each.width <= room && heightOf(each) <= lines);
	for (let computers = 1; !style; computers += 1) {
		const small = { width: 1, computers, isHalf: hasBlocks(scene) };
		if (heightOf(small) <= lines) style = small;
	}
	const gap = heightOf(style) + groups.length - 1 <= lines ? 1 : 0;
	const colours = coloursIn(scene);
	const rankOf = (row: FleetRow) => colours.levels.indexOf(colours.levelOf(row, scene));
	const cells: Cell[] = [];
	let [firstRow, firstLine] = [0, 0];
	for (const group of groups) {
		for (let from = 0; from < group.rows.length; from += style.computers) {
			const at = from / style.computers;
			const down = Math.floor(at / perRow(style));
			const rows = group.rows.slice(from, from + style.computers);
			const worst = rows.reduce((most, each) => (rankOf(each) < rankOf(most) ? each : most));
			const line = firstLine + (style.isHalf ? Math.floor(down / 2) : down);
			cells.push({ group, rows, worst, row: firstRow + down, x: at % perRow(style), line });
		}
		firstRow = (cells.at(-1)?.row ?? -1) + 1;
		firstLine += linesOf(group, style) + gap;
	}
	return { style, cells, colours, labelWidth, countWidth, firstColumn };
}

const quoted = (value: string) => (/\s/.test(value) ? `"${value}"` : value);

/** A cell that stands for several computers or has no common value is named by its computers. */
export function filterToCell(scene: Scene): Move {
	const { accounts, screen } = scene;
	const { style, cells } = mapOf(scene);
	const cell = cellUnderCursor(cells, scene);
	if (!cell) return each => each;
	const { value } = cell.group;
	if (style.computers > 1 || value === undefined) {
		const terms = cell.rows.map(row => {
			const profile = accounts.length > 1 ? accountOfRow(accounts, row)?.profile : undefined;
			const account = profile ? ` account:${quoted(profile.name)}` : '';
			return `id:=${quoted(row.computer.id)}${account}`;
		});
		return setFilter(terms.join(' OR '));
	}
	const { grouping } = screen.map;
	const isWord = grouping === 'location' || grouping === 'status';
	const term = `${grouping}:${isWord ? '=' : ''}${quoted(value)}`;
	// OR joins whole lists of terms, so each list is narrowed.
	const lists = currentFilter(screen).trim().split(' OR ');
	const narrowed = lists.map(list =>
		list.split(' ').includes(term) ? list : `${list} ${term}`.trim(),
	);
	return setFilter(narrowed.join(' OR '));
}

const cellUnderCursor = (cells: readonly Cell[], scene: Scene) => {
	const row = rowUnderCursor(scene);
	return cells.find(({ rows }) => rows.some(({ id }) => id === row?.id));
};

// Lines

export function mapLines(scene: Scene): readonly (readonly Span[])[] {
	const map = mapOf(scene);
	const row = rowUnderCursor(scene);
	const here = cellUnderCursor(map.cells, scene);
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

function alarmSpans(
	{ rows }: MapGroup,
	{ colours: { levels, levelOf } }: FleetMap,
	scene: Scene,
): readonly Span[] {
	const alarm = levels.includes(behind) ? behind : inError;
	const count = rows.filter(row => levelOf(row, scene) === alarm).length;
	return count > 0 ? [[`${countText(count)} ${alarm.word}`, alarm.tone]] : [];
}

/** These cells are of one line. */
function cellsSpans(
	cells: readonly Cell[],
	here: Cell | undefined,
	{ colours, style: { isHalf, isNamed, width } }: FleetMap,
	scene: Scene,
): readonly Span[] {
	const { marks } = scene.screen;
	const lookOf = ({ rows, worst }: Cell): Span =>
		rows.some(({ id }) => marks.has(id))
			? ['▪', 'mark']
			: signOf(colours.levelOf(worst, scene), scene);
	const upper = cells.filter(({ row }) => row === cells[0]?.row);
	const lower = cells.slice(upper.length);
	const halfTone = (cell: Cell): Tone => (cell === here ? 'here' : (lookOf(cell)[1] ?? 'usual'));
	// A click on a character of two cells is one on the upper cell.
	return upper.flatMap((cell, at): readonly Span[] => {
		const click: Click = { type: 'row', id: cell.rows[0]?.id };
		const below = lower[at];
		if (isHalf) {
			const [over, under] = [halfTone(cell), below && halfTone(below)];
			const look: Span = over === under ? ['█', over] : ['▀', under ? onTone(over, under) : over];
			return clickable([look], click);
		}
		const [sign, tone] = lookOf(cell);
		const name = isNamed ? ` ${computerName(cell.worst.computer)}` : '';
		const spans: readonly Span[] =
			cell === here ? [[sign + name, 'cellUnderCursor']] : [[sign, tone], [name]];
		return clickable(fitTo(cut(spans, Math.max(1, width - 1)), width), click);
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
	const { computers } = style;
	const what = computers === 1 ? 'a computer' : `${countText(computers)} computers, as the worst`;
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
		return { spans: [signOf(level, scene), [` ${level.word}`, 'faint']], drop };
	});
	return [[' '], ...fitParts(parts, scene.width - 2, scene.width < 80 ? ' ' : '   ')];
}
