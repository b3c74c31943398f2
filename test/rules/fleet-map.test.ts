import { describe, expect, test } from 'vitest';
import type { Reading } from '../../source/fleet/computers/computer.ts';
import type { GlobalId } from '../../source/fleet/computers/global-id.ts';
import type { Operation } from '../../source/fleet/operations/operation.ts';
import { textOf } from '../../source/lines/span.ts';
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
import { accountAfter, listRead } from '../arbitraries/sample-facts.ts';
import { now } from '../arbitraries/values.ts';
import { rowId } from '../opened-account.ts';
import { sampleScene } from './sample-scene.ts';

type Size = [columns: number, rows: number];

/** The map of a fleet whose computers are read at this moment. */
function openMap(
	computers: readonly Omit<Reading, 'id'>[],
	{
		size = [120, 36] as Size,
		look = {} as Partial<MapLook>,
		hasColours = true,
		more = {} as Partial<Screen>,
	} = {},
) {
	const readings = computers.map((reading, n) => ({ id: `sb_${n}`, name: `c${n}`, ...reading }));
	const state = accountAfter(listRead(now, readings));
	const map = { ...initialScreen().map, isOpen: true, ...look };
	const screen: Screen = { ...initialScreen(), map, ...more };
	const scene = sampleScene(state, size, { screen, hasColours });
	const lines = () => mapLines(mapOf(scene), scene).map(spans => textOf(spans).trimEnd());
	return { scene, map: () => mapOf(scene), lines };
}

const many = (count: number, reading: Partial<Reading> = {}) =>
	Array.from({ length: count }, () => ({ status: 'active', location: 'eu', ...reading }));

describe('the cells', () => {
	test.each([
		[7, [120, 36], 'names'],
		[300, [120, 36], 'whole'],
		[1_000, [120, 36], 'whole'],
		[3_000, [120, 36], 'half'],
		[10_000, [120, 36], 'half, 2 a cell'],
		[300, [60, 15], 'half'],
		[1_000, [30, 8], 'half, 10 a cell'],
	] as const)('of %d computers on %j are: %s', (count, size, style) => {
		const map = openMap(many(count), { size: [...size] }).map();
		const { isNamed, isHalf, computers } = map.style;
		const kind = isNamed ? 'names' : isHalf ? 'half' : 'whole';
		expect(computers > 1 ? `${kind}, ${computers} a cell` : kind).toBe(style);
	});

	test('fit at every size, and each computer is found in its own', () => {
		for (const count of [0, 1, 50, 700])
			for (const columns of [30, 44, 60, 120, 200])
				for (const rows of [6, 9, 15, 36]) {
					const hasColours = columns !== 44;
					const size: Size = [columns, rows];
					const { scene, map, lines } = openMap(many(count), { size, hasColours });
					expect(lines()).toHaveLength(scene.height);
					for (const line of lines()) expect(line.length).toBeLessThanOrEqual(columns);
					const placed = new Set(map().cells.flatMap(({ rows }) => rows));
					expect(scene.shown.rows.filter(row => !placed.has(row))).toEqual([]);
				}
	});

	test('show the worst of the computers that they stand for', () => {
		const computers = many(10_000).map((each, n) =>
			n === 5_001 ? { ...each, status: 'error' } : each,
		);
		const drawn = openMap(computers, { hasColours: false }).lines().slice(1, -2).join('');
		expect(drawn.match(/!/g)).toHaveLength(1);
	});

	test('join the last groups where there are more groups than lines', () => {
		const computers = Array.from({ length: 30 }, (_, n) => ({ location: `l-${10 + n}` }));
		const { cells } = openMap(computers, { size: [80, 15] }).map();
		const labels = [...new Set(cells.map(({ group }) => group.label))];
		expect(labels).toEqual(['l-10', 'l-11', 'l-12', 'l-13', 'l-14', 'l-15', '24 others']);
	});
});

const fleet = [
	{ name: 'a', status: 'active', location: 'eu', version: '1.4.2' },
	{ name: 'b', status: 'error', location: 'eu', version: '1.3.9' },
	{ name: 'c', status: 'stopped', location: 'us', version: '1.4.2' },
	{ name: 'd', status: 'creating', location: 'us' },
	{ name: 'e', status: 'strange' },
];

test.each([
	[
		'location',
		'status',
		['eu 2: 1 error, 1 active', 'us 2: 1 changing, 1 stopped', 'unknown 1: 1 unknown'],
	],
	[
		'status',
		'location',
		[
			'error 1: 1 error',
			'strange 1: 1 unknown',
			'creating 1: 1 us',
			'active 1: 1 eu',
			'stopped 1: 1 us',
		],
	],
	['version', 'version', ['1.4.2 2: 2 latest', '1.3.9 1: 1 error', 'unknown 2: 2 unknown']],
	['account', 'account', ['test 5: 1 error, 4 test']],
] as const)('the map by %s, coloured by %s', (grouping, colouring, groups) => {
	const summary = summarizeMap(openMap(fleet, { look: { grouping, colouring } }).scene);
	expect(
		summary.map(({ label, total, levels }) => `${label} ${total}: ${levels.join(', ')}`),
	).toEqual(groups);
});

test('an error stays in sight until the request of an operation has left', () => {
	const { scene } = openMap(fleet.slice(1, 2), { look: { grouping: 'account' } });
	const levelsWith = (stage: Operation['stage']) => {
		const spec = { key: 'k1', operation: 'restart', computer: 'sb_0' };
		const operation: Operation = { spec, stage, askedAt: now, hasPhaseChanged: false };
		const rows = scene.shown.rows.map(row => ({ ...row, operation }));
		return summarizeMap({ ...scene, shown: { ...scene.shown, rows } })[0]?.levels;
	};
	expect(levelsWith('counting')).toEqual(['1 error']);
	expect(levelsWith('queued')).toEqual(['1 error']);
	expect(levelsWith('sent')).toEqual(['1 changing']);
});

test('old data is neither active nor stopped, but an error stays one', () => {
	const { scene } = openMap(fleet.slice(0, 3), { look: { grouping: 'account' } });
	const [summary] = summarizeMap({ ...scene, now: now + 3_600_000 });
	expect(summary?.levels).toEqual(['1 error', '2 old data']);
});

type MapWithScreen = ReturnType<typeof openMap>['scene'];

const moved = (move: Move, scene: MapWithScreen): Screen =>
	move(scene.screen, {
		...scene.shown,
		mapCells: screen => mapOf({ ...scene, screen }).cells,
	});

describe('a move', () => {
	// c00 c01 c02 c03 c04 c05 c06
	// c07 c08 c09 c10 c11 c12 c13
	// c14 c15 c16 c17 c18 c19
	// d0  d1  d2  d3  d4  d5  d6
	// d7  d8
	const names = [
		...Array.from({ length: 20 }, (_, n) => `c${String(n).padStart(2, '0')}`),
		...Array.from({ length: 9 }, (_, n) => `d${n}`),
	];
	const computers = names.map(name => ({
		name,
		location: name.startsWith('c') ? 'eu-east' : 'us-east',
	}));
	const cursorOn = (name: string) => {
		const index = names.indexOf(name);
		return { cursor: { id: rowId(`sb_${index}`), index, line: 0 } };
	};
	const idOf = (name: string) => rowId(`sb_${names.indexOf(name)}`);
	function afterMove(move: Move, from: string, more: Partial<Screen> = {}) {
		const { scene, map } = openMap(computers, {
			size: [30, 12],
			more: { ...cursorOn(from), ...more },
		});
		expect(map().cells[7]).toMatchObject({ row: 1, x: 0, line: 1 });
		const after = moved(move, scene);
		const nameOf = (id: GlobalId | undefined) => names.find(name => idOf(name) === id);
		return { name: nameOf(after.cursor?.id), marks: [...after.marks].map(nameOf), after };
	}

	test.each<[string, string, string, Move]>([
		['1 cell across', 'c00', 'c01', across(1)],
		['-1 cell across', 'c00', 'c00', across(-1)],
		['1 cell across', 'c19', 'd0', across(1)],
		['-1 cell across', 'd0', 'c19', across(-1)],
		['1 cell across', 'd8', 'd8', across(1)],
		['1 row down', 'c00', 'c07', step(1)],
		['1 row down', 'c13', 'c19', step(1)],
		['1 row down', 'c19', 'd5', step(1)],
		['-1 row down', 'd0', 'c14', step(-1)],
		['1 row down', 'd8', 'd8', step(1)],
		['3 row down', 'c03', 'd3', step(3)],
		['1 group down', 'c10', 'd3', page(1)],
		['-1 group down', 'd3', 'c03', page(-1)],
		['half a page', 'c00', 'd7', halfPage(1)],
		['to the last cell', 'c00', 'd8', toEnd('last')],
		['to the first cell', 'd5', 'c00', toEnd('first')],
	])('%s from %s leads to %s', (_, from, to, move) => expect(afterMove(move, from).name).toBe(to));

	test('returns to its column after a shorter row', () => {
		const first = afterMove(step(1), 'c13').after;
		expect(first.cursor).toMatchObject({ id: idOf('c19'), column: 6 });
		expect(afterMove(step(1), 'c19', { cursor: first.cursor }).name).toBe('d6');
	});

	test('marks cells, and ranges of cells', () => {
		expect(afterMove(mark, 'c03')).toMatchObject({ marks: ['c03'], name: 'c04' });
		expect(afterMove(mark, 'c03', { marks: new Set([idOf('c03')]) }).marks).toEqual([]);
		expect(afterMove(markOnward(1), 'c00').marks).toEqual(['c00', 'c07']);
		const range = { rangeStart: idOf('c18'), marks: new Set([idOf('c18')]) };
		expect(afterMove(markRange, 'd1', range).marks).toEqual(['c18', 'c19', 'd0', 'd1']);
	});

	test.each([
		['', 'location:=us-east'],
		['cpu:>5', 'cpu:>5 location:=us-east'],
		['location:=us-east', 'location:=us-east'],
		['name:a OR name:b', 'name:a location:=us-east OR name:b location:=us-east'],
	])('to a filter narrows “%s” to “%s”', (before, filter) => {
		const filters = { ...initialScreen().filters, fleet: before };
		const { scene } = openMap(computers, { more: cursorOn('d2') });
		const screen = { ...scene.screen, filters };
		expect(moved(filterToCell({ ...scene, screen }), { ...scene, screen }).filters.fleet).toBe(
			filter,
		);
	});

	test('to a filter names the computers of a cell that stands for several', () => {
		const { scene } = openMap(many(10_000));
		expect(moved(filterToCell(scene), scene).filters.fleet).toBe('id:=sb_0 OR id:=sb_1');
	});
});
