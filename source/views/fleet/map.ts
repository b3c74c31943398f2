import { computerName, type Phase } from '../../fleet/computers/computer.ts';
import { sortComputers } from '../../fleet/computers/fields.ts';
import { hasUnknownOutcome, isUnderWay, isUnsent } from '../../fleet/operations/operation.ts';
import { memoize } from '../../foundation/memoize.ts';
import { countText } from '../../foundation/number-text.ts';
import { fitParts, type Part, part, rightPart } from '../../lines/parts.ts';
import { spellOut } from '../../lines/print.ts';
import {
	clickable,
	cut,
	fitTo,
	justify,
	onTone,
	type Span,
	type Tone,
	widthOf,
} from '../../lines/span.ts';
import { accountTone } from '../../lines/theme.ts';
import type { FleetRow } from '../../store/selectors.ts';
import { shownKeyOf } from '../keys.ts';
import { type Heading, lineUnderCursor, type MapCell, rowUnderCursor } from '../look/cursor.ts';
import type { Click, Move } from '../look/moves.ts';
import { currentFilter, type GroupField } from '../look/screen.ts';
import { setFilter } from '../look/views.ts';
import { pluralize } from '../phrases/words.ts';
import type { Scene } from '../scene.ts';
import { tableLines } from './columns.ts';
import { groupOf, groupRows, type RowGroup } from './rows.ts';
import { isOld } from './status.ts';

//    b by location  c coloured by status  f filters                       each cell is a computer
//    eu-north  1,204  ■ ■ ■ ■ ■ ■ ✖ ■ ■ ■ ■ ■ ■ ■ ■ ■ ■ ■ ■ ■ ■ ■ ■          7 error
//  ❯ us-east     812  ■ ■ ■ ■ ■ ■ ■ ■ ■ ■ ■ ■ ✖ ■ ■ ■ ■ ■ ■ ■ ■ ■ ■         41 error
//    ✖ error   ■ changing   ■ active   ■ old data   ■ stopped   ■ unknown
//  ❯ vega-12  ● Active            96%  1.3.9 ↑   6d 4h  8080        as in the table
// The cells of a small fleet have names. Where whole cells have no room, two half cells share a character, and if these have
// none either, a cell stands for several computers.

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
		return row.isBehind ? behind : latest;
	},
};

const letters = 'abcdefghijklmnopqrstuvwxyz';
const valueTones: readonly Tone[] = ['usual', 'accent', 'doubt', 'old', 'busy', 'idle'];

function coloursIn({ accounts, screen, shown }: Scene): Colours {
	const { colouring } = screen.map;
	if (colouring === 'status') return byStatus;
	if (colouring === 'version') return byVersion;
	const wordOf = (row: FleetRow) => groupOf(row, colouring, accounts);
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

const hasBlocks = ({ hasUnicode, theme }: Scene) => hasUnicode && theme.hasColours;

function signOf(level: Level, scene: Scene): Span {
	if (!hasBlocks(scene)) return [level.letter, level.tone];
	return [level === inError ? '✖' : '■', level.tone];
}

// Groups

type MapGroup = RowGroup & { cells: readonly (readonly MapCell[])[] };

/** By name within a group, so that each computer keeps its place. */
const groupsOf = memoize((rows: readonly FleetRow[], by: GroupField, accounts: Scene['accounts']) =>
	groupRows(
		sortComputers(rows, { by: 'name', isReversed: false }, 0, { computerOf: row => row.computer }),
		by,
		accounts,
	),
);

function groupsThatFit(groups: readonly RowGroup[], lines: number): readonly RowGroup[] {
	if (groups.length <= lines) return groups;
	const others = groups.slice(lines - 1);
	const rows = others.flatMap(group => group.rows);
	return [
		...groups.slice(0, lines - 1),
		{ value: undefined, label: `${others.length} others`, rows },
	];
}

function countsOf({ rows }: Pick<RowGroup, 'rows'>, { levels, levelOf }: Colours, scene: Scene) {
	const found = rows.map(row => levelOf(row, scene));
	return levels
		.map(level => ({ level, count: found.filter(each => each === level).length }))
		.filter(({ count }) => count > 0);
}

export function summarizeMap(scene: Scene) {
	const { accounts, screen, shown } = scene;
	const colours = coloursIn(scene);
	return groupsOf(shown.rows, screen.map.grouping, accounts).map(group => ({
		label: group.label,
		total: group.rows.length,
		levels: countsOf(group, colours, scene).map(
			({ level, count }) => `${countText(count)} ${level.word}`,
		),
	}));
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

// The headings of the table

const troubles: readonly Level[] = [inError, unknown, changing, oldData];

function headingParts(group: Heading, scene: Scene) {
	const counts = countsOf(group, byStatus, scene).filter(
		({ level }) => troubles.includes(level) && level.word !== group.label,
	);
	const marked = group.rows.filter(({ id }) => scene.screen.marks.has(id)).length;
	return [
		...counts.map(({ level, count }): Span => [`${countText(count)} ${level.word}`, level.tone]),
		...(marked > 0 ? [[`${countText(marked)} marked`, 'mark'] as const] : []),
	];
}

//  ❯ ▾ us-east  812 computers   41 error   3 changing   2 marked
//    ▸ eu-north  204 computers

export function headingLine(group: Heading, scene: Scene): readonly Span[] {
	const isHere = lineUnderCursor(scene)?.id === group.id;
	// What a key would act on stays longest.
	const parts = headingParts(group, scene).map(
		(span, at): Part => ({ spans: [['   '], span], drop: span[1] === 'mark' ? 1 : at + 2 }),
	);
	return [
		[isHere ? ' ❯ ' : '   ', 'accent'],
		...fitParts(
			[
				part(0, `${group.isFolded ? '▸' : '▾'} `, 'accent'),
				{ drop: 0, min: 10, spans: [[group.label, 'strong']] },
				part(0, `  ${countText(group.rows.length)}`, 'faint'),
				part(9, group.rows.length === 1 ? ' computer' : ' computers', 'faint'),
				...parts,
			],
			scene.width - 3,
			'',
		),
	];
}

/** Says a heading as "3 of 24: group us-east, 812 computers, 41 error, folded". */
export function spokenHeading(at: number, group: Heading, scene: Scene): string {
	const parts = headingParts(group, scene).map(([text]) => spellOut(text));
	const count = pluralize(group.rows.length, 'computer');
	const name = `${at + 1} of ${scene.shown.lines.length}: group ${spellOut(group.label)}`;
	return [name, count, ...parts, group.isFolded ? 'folded' : 'open'].join(', ');
}

// Cells

type CellStyle = {
	/** In columns, with the gap after the cell. */
	width: number;
	computers: number;
	isHalf?: boolean;
	isNamed?: boolean;
};

type FleetMap = ReturnType<typeof mapOf>;

const named: CellStyle = { width: 16, computers: 1, isNamed: true };
const whole: CellStyle = { width: 2, computers: 1 };

const maxHeadWidth = 22;

/** With the margin. In fewer columns, the cells need the room of the alarms. */
const alarmWidthIn = ({ width }: Scene) => (width >= 60 ? 13 : 1);
const hasLegend = ({ height }: Scene) => height >= 8;
const lineCount = (scene: Scene) => Math.max(1, scene.height - (hasLegend(scene) ? 3 : 2));

const headSpans = ({ label, rows }: RowGroup): readonly Span[] => [
	[label],
	[` ${countText(rows.length)}`, 'faint'],
];

/** Each computer has the largest cell of its own for which there is room, or else a cell stands for as few as possible. */
export function mapOf(scene: Scene) {
	const { accounts, shown, screen, width } = scene;
	const lines = lineCount(scene);
	const groups = groupsThatFit(groupsOf(shown.rows, screen.map.grouping, accounts), lines);
	const widest = Math.max(0, ...groups.map(group => widthOf(headSpans(group))));
	const headWidth = Math.min(maxHeadWidth, widest);
	const room = width - headWidth - 5 - alarmWidthIn(scene);
	const inRow = (style: CellStyle) => Math.max(1, Math.floor(room / style.width));
	const fits = (style: CellStyle) => {
		const inLine = inRow(style) * style.computers * (style.isHalf ? 2 : 1);
		const taken = groups.reduce((sum, { rows }) => sum + Math.ceil(rows.length / inLine), 0);
		return taken <= lines;
	};
	let style = [named, whole].find(each => each.width <= room && fits(each));
	for (let computers = 1; !style; computers += 1) {
		const small = { width: 1, computers, isHalf: hasBlocks(scene) };
		if (fits(small)) style = small;
	}
	const { computers } = style;
	const colours = coloursIn(scene);
	const rankOf = (row: FleetRow) => colours.levels.indexOf(colours.levelOf(row, scene));
	const cellOf = (rows: readonly FleetRow[]): MapCell => ({
		rows,
		worst: rows.reduce((most, each) => (rankOf(each) < rankOf(most) ? each : most)),
	});
	const placed = groups.map(group => {
		const cells = inChunks(group.rows, computers).map(cellOf);
		return { ...group, cells: inChunks(cells, inRow(style)) };
	});
	return { style, groups: placed, colours, headWidth };
}

const inChunks = <T>(all: readonly T[], size: number): readonly (readonly T[])[] =>
	Array.from({ length: Math.ceil(all.length / size) }, (_, at) =>
		all.slice(at * size, (at + 1) * size),
	);

function placeOfCursor({ groups }: FleetMap, scene: Scene) {
	const row = rowUnderCursor(scene);
	const isHere = ({ rows }: RowGroup | MapCell) => rows.some(each => each === row);
	const group = groups.find(isHere);
	return { row, group, cell: group?.cells.flat().find(isHere) };
}

const quoted = (value: string) => (/\s/.test(value) ? `"${value}"` : value);

/** A cell that stands for several computers or has no common value is named by its computers. */
export function filterToCell(scene: Scene): Move {
	const { screen } = scene;
	const { group, cell } = placeOfCursor(mapOf(scene), scene);
	if (!group || !cell) return each => each;
	const { value } = group;
	if (cell.rows.length > 1 || value === undefined)
		return setFilter(cell.rows.map(row => `id:=${quoted(row.computer.id)}`).join(' OR '));
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

// Lines

export function mapLines(scene: Scene): readonly (readonly Span[])[] {
	const map = mapOf(scene);
	const here = placeOfCursor(map, scene);
	const lines = map.groups.flatMap(group => {
		const begin: readonly Span[] = [
			[group === here.group ? ' ❯ ' : '   ', 'accent'],
			...fitTo(headSpans(group), map.headWidth),
			['  '],
		];
		return inChunks(group.cells, map.style.isHalf ? 2 : 1).map((rows, at) => {
			const cells = cellsSpans(rows, here.cell, map, scene);
			const line =
				at > 0 ? [[' '.repeat(widthOf(begin))] as const, ...cells] : [...begin, ...cells];
			const alarm = at > 0 ? [] : alarmSpans(group, map, scene);
			return justify(line, fitTo(alarm, alarmWidthIn(scene) - 1, 'right'), scene.width - 1);
		});
	});
	return [
		titleSpans(map, scene),
		...Array.from({ length: lineCount(scene) }, (_, at) => lines[at] ?? []),
		...(hasLegend(scene) ? [legendSpans(map, scene)] : []),
		here.row ? (tableLines([here.row], scene.width, scene)[1] ?? []) : [],
	];
}

function alarmSpans(group: MapGroup, { colours }: FleetMap, scene: Scene): readonly Span[] {
	const alarm = colours.levels.includes(behind) ? behind : inError;
	const found = countsOf(group, colours, scene).find(({ level }) => level === alarm);
	return found ? [[`${countText(found.count)} ${alarm.word}`, alarm.tone]] : [];
}

/** Of two rows of cells, the lower one is the background of the upper one, and a click is one on the upper cell. */
function cellsSpans(
	[upper = [], lower = []]: readonly (readonly MapCell[])[],
	here: MapCell | undefined,
	{ colours, style: { isHalf, isNamed, width } }: FleetMap,
	scene: Scene,
): readonly Span[] {
	const { marks } = scene.screen;
	const lookOf = ({ rows, worst }: MapCell): Span =>
		rows.some(({ id }) => marks.has(id))
			? ['▪', 'mark']
			: signOf(colours.levelOf(worst, scene), scene);
	const halfTone = (cell: MapCell): Tone => (cell === here ? 'here' : (lookOf(cell)[1] ?? 'usual'));
	return upper.flatMap((cell, at): readonly Span[] => {
		const click: Click = { type: 'row', id: cell.rows[0]?.id };
		const below = lower[at];
		if (isHalf)
			return [['▀', below ? onTone(halfTone(cell), halfTone(below)) : halfTone(cell), click]];
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
		rightPart(1, `each cell is ${what}`, 'faint'),
	];
	return [['   '], ...fitParts(parts, width - 4), [' ']];
}

function legendSpans({ colours }: FleetMap, scene: Scene): readonly Span[] {
	const parts = colours.levels.map((level, drop): Part => {
		return { spans: [signOf(level, scene), [` ${level.word}`, 'faint']], drop };
	});
	return [[' '], ...fitParts(parts, scene.width - 2, scene.width < 80 ? ' ' : '   ')];
}
