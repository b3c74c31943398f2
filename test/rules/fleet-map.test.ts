import { expect, test } from 'vitest';
import type { Reading } from '../../source/fleet/computers/computer.ts';
import type { Operation } from '../../source/fleet/operations/operation.ts';
import { textOf } from '../../source/lines/span.ts';
import { createTheme } from '../../source/lines/theme.ts';
import { filterToCell, mapLines, mapOf, summarizeMap } from '../../source/views/fleet/map.ts';
import {
	across,
	halfPage,
	type Move,
	mark,
	markOnward,
	markRange,
	page,
	step,
	toEnd,
} from '../../source/views/look/moves.ts';
import { initialScreen, type MapLook, type Screen } from '../../source/views/look/screen.ts';
import type { Scene } from '../../source/views/scene.ts';
import { accountAfter, listRead } from '../arbitraries/sample-facts.ts';
import { now } from '../arbitraries/values.ts';
import { rowId } from '../opened-account.ts';
import { sampleScene } from './sample-scene.ts';

const theme = createTheme({ colourBits: 8, background: 'dark', hasUnicode: true });

type Size = readonly [columns: number, rows: number];

/** The map of a fleet whose computers are read at this moment. */
function mapScene(
	computers: readonly Omit<Reading, 'id'>[],
	look: Partial<MapLook> = {},
	{ size = [120, 36] as Size, hasUnicode = true, more = {} as Partial<Screen> } = {},
): Scene {
	const readings = computers.map((reading, n) => ({ id: `sb_${n}`, name: `c${n}`, ...reading }));
	const map = { ...initialScreen().map, isOpen: true, ...look };
	const screen: Screen = { ...initialScreen(), map, ...more };
	return sampleScene(accountAfter(listRead(now, readings)), size, { screen, hasUnicode, theme });
}

const linesOf = (scene: Scene) => mapLines(scene).map(spans => textOf(spans).trimEnd());

const many = (count: number, reading: Partial<Reading> = {}) =>
	Array.from({ length: count }, () => ({ status: 'active', location: 'eu', ...reading }));

test.each<[count: number, size: Size, style: string]>([
	[7, [120, 36], 'names'],
	[1_000, [120, 36], 'whole'],
	[3_000, [120, 36], 'half'],
	[10_000, [120, 36], 'half, 2 a cell'],
	[300, [60, 15], 'half'],
	[1_000, [30, 8], 'half, 11 a cell'],
])('the cells of %d computers on %j are: %s', (count, size, style) => {
	const { isNamed, isHalf, computers } = mapOf(mapScene(many(count), {}, { size })).style;
	const kind = isNamed ? 'names' : isHalf ? 'half' : 'whole';
	expect(computers > 1 ? `${kind}, ${computers} a cell` : kind).toBe(style);
});

test('the map fits at every size, and each computer has a cell', () => {
	for (const count of [0, 1, 50, 700])
		for (const columns of [30, 44, 60, 120, 200])
			for (const rows of [6, 9, 15, 36]) {
				const look = { size: [columns, rows] as const, hasUnicode: columns !== 44 };
				const scene = mapScene(many(count), {}, look);
				const lines = linesOf(scene);
				expect(lines).toHaveLength(scene.height);
				for (const line of lines) expect(line.length).toBeLessThanOrEqual(columns);
				expect(lines.slice(1, -2).join('')).not.toContain('…');
				const placed = mapOf(scene)
					.groups.flatMap(({ cells }) => cells.flat(2))
					.flatMap(({ rows }) => rows);
				expect(new Set(placed)).toEqual(new Set(scene.shown.rows));
			}
});

test('a cell shows the worst of its computers', () => {
	const computers = many(10_000).with(5_001, { status: 'error', location: 'eu' });
	const drawn = linesOf(mapScene(computers, {}, { hasUnicode: false }));
	expect(drawn.slice(1, -2).join('').match(/!/g)).toHaveLength(1);
});

test('the last groups are joined where there are more groups than lines', () => {
	const computers = Array.from({ length: 30 }, (_, n) => ({ location: `l-${10 + n}` }));
	const { groups } = mapOf(mapScene(computers, {}, { size: [80, 15] }));
	expect(groups.map(({ label }) => label)).toEqual([
		...['l-10', 'l-11', 'l-12', 'l-13', 'l-14', 'l-15', '24 others'],
	]);
});

const fleet = [
	{ name: 'a', status: 'active', location: 'eu', version: '1.3.10' },
	{ name: 'b', status: 'error', location: 'eu', version: '1.3.9' },
	{ name: 'c', status: 'stopped', location: 'us', version: '1.3.10' },
	{ name: 'd', status: 'creating', location: 'us' },
	{ name: 'e', status: 'strange' },
];

const summaryOf = (scene: Scene) =>
	summarizeMap(scene).map(({ label, total, levels }) => `${label} ${total}: ${levels.join(', ')}`);

test.each([
	[
		'location',
		'status',
		'eu 2: 1 error, 1 active; us 2: 1 changing, 1 stopped; unknown 1: 1 unknown',
	],
	[
		...(['status', 'location'] as const),
		'error 1: 1 error; strange 1: 1 unknown; creating 1: 1 us; active 1: 1 eu; stopped 1: 1 us',
	],
	['version', 'version', '1.3.10 2: 2 latest; 1.3.9 1: 1 error; unknown 2: 2 unknown'],
	['account', 'account', 'environment 5: 1 error, 4 environment'],
] as const)('the map by %s, coloured by %s, says %s', (grouping, colouring, groups) =>
	expect(summaryOf(mapScene(fleet, { grouping, colouring })).join('; ')).toBe(groups),
);

test.each<[Operation['stage'], string]>([
	['counting', '1 error'],
	['queued', '1 error'],
	['sent', '1 changing'],
])('a computer in error with an operation that is %s counts as %s', (stage, level) => {
	const scene = mapScene(fleet.slice(1, 2));
	const spec = { key: 'k1', operation: 'restart', computer: 'sb_0' };
	const operation: Operation = { spec, stage, askedAt: now, hasPhaseChanged: false };
	const rows = scene.shown.rows.map(row => ({ ...row, operation }));
	expect(summarizeMap({ ...scene, shown: { ...scene.shown, rows } })[0]?.levels).toEqual([level]);
});

test('old data is neither active nor stopped, but an error stays one', () => {
	const scene = mapScene(fleet.slice(0, 3), { grouping: 'account' });
	expect(summaryOf({ ...scene, now: now + 3_600_000 })).toEqual([
		'environment 3: 1 error, 2 old data',
	]);
});

// c00 c01 c02 c03 c04 c05 c06
// c07 c08 c09 c10 c11 c12 c13
// c14 c15 c16 c17 c18 c19
// d0  d1  d2  d3  d4  d5  d6
// d7  d8
const names = [
	...Array.from({ length: 20 }, (_, n) => `c${String(n).padStart(2, '0')}`),
	...Array.from({ length: 9 }, (_, n) => `d${n}`),
];
const idOf = (name: string) => rowId(`sb_${names.indexOf(name)}`);
const cursorOn = (name: string) => ({ id: idOf(name), index: names.indexOf(name), line: 0 });

function moved(moves: readonly Move[], from: string, more: Partial<Screen> = {}) {
	const computers = names.map(name => ({
		name,
		location: name.startsWith('c') ? 'eu-east' : 'us-east',
	}));
	const screen = { cursor: cursorOn(from), ...more };
	const scene = mapScene(computers, {}, { size: [30, 12], more: screen });
	const after = moves.reduce((now, move) => move(now, scene.shown), scene.screen);
	const nameOf = (id: unknown) => names.find(name => idOf(name) === id);
	return { scene, name: nameOf(after.cursor?.id), marks: [...after.marks].map(nameOf) };
}

test.each<[string, from: string, to: string, ...moves: Move[]]>([
	['one cell across', 'c19', 'd0', across(1)],
	['one cell back', 'd0', 'c19', across(-1)],
	['beyond the first cell', 'c00', 'c00', across(-1)],
	['beyond the last cell', 'd8', 'd8', across(1)],
	['one row down', 'c00', 'c07', step(1)],
	['to a shorter row', 'c13', 'c19', step(1)],
	['and back to its column', 'c13', 'd6', step(1), step(1)],
	['one row up', 'd0', 'c14', step(-1)],
	['below the last row', 'd8', 'd8', step(1)],
	['three rows down', 'c03', 'd3', step(3)],
	['one group down', 'c10', 'd3', page(1)],
	['one group up', 'd3', 'c03', page(-1)],
	['half a page', 'c00', 'd7', halfPage(1)],
	['to the last cell', 'c00', 'd8', toEnd('last')],
	['to the first cell', 'd5', 'c00', toEnd('first')],
])('a move %s from %s leads to %s', (_, from, to, ...moves) =>
	expect(moved(moves, from).name).toBe(to),
);

test('keys mark cells, and ranges of cells', () => {
	expect(moved([mark], 'c03')).toMatchObject({ marks: ['c03'], name: 'c04' });
	expect(moved([mark, across(-1), mark], 'c03').marks).toEqual([]);
	expect(moved([markOnward(1)], 'c00').marks).toEqual(['c00', 'c07']);
	const range = { rangeStart: idOf('c18'), marks: new Set([idOf('c18')]) };
	expect(moved([markRange], 'd1', range).marks).toEqual(['c18', 'c19', 'd0', 'd1']);
});

test.each([
	['', 'location:=us-east'],
	['cpu:>5', 'cpu:>5 location:=us-east'],
	['location:=us-east', 'location:=us-east'],
	['name:a OR name:b', 'name:a location:=us-east OR name:b location:=us-east'],
])('the group of a cell narrows the filter “%s” to “%s”', (fleetFilter, filter) => {
	const { scene } = moved([], 'd2');
	const filters = { ...initialScreen().filters, fleet: fleetFilter };
	const screen = { ...scene.screen, filters };
	expect(filterToCell({ ...scene, screen })(screen, scene.shown).filters.fleet).toBe(filter);
});

test('a cell of several computers becomes a filter that names them', () => {
	const scene = mapScene(many(10_000));
	const { filters } = filterToCell(scene)(scene.screen, scene.shown);
	expect(filters.fleet).toBe('id:=sb_0 OR id:=sb_1');
});
