import { expect, test } from 'vitest';
import type { Reading } from '../../../source/fleet/computers/computer.ts';
import { filterFrom } from '../../../source/fleet/computers/filter.ts';
import { splitGlobalId } from '../../../source/fleet/computers/global-id.ts';
import { initialMapLook } from '../../../source/screen/map-look.ts';
import { applyMove, type Move } from '../../../source/screen/move.ts';
import type { Screen } from '../../../source/screen/screen.ts';
import { createFleetMap } from '../../../source/wording/map/fleet-map.ts';
import { rowId } from '../../opened-account.ts';
import { theme } from '../../sample-theme.ts';
import { createFleet, fleetOf } from './map-rows.ts';

const openMap: Partial<Screen> = { map: { ...initialMapLook, isOpen: true } };

/** Opens the map of a fleet on a screen of 60 columns, and returns a function that applies moves to it. */
function openMapOf(computers: number | readonly Reading[], change: Partial<Screen> = {}) {
	const fleet = createFleet(typeof computers === 'number' ? fleetOf(computers) : computers);
	const fleetMap = createFleetMap();
	let { screen } = fleet.inputs({ ...openMap, ...change });
	return {
		screen: () => screen,
		move(...moves: readonly Move[]) {
			for (const move of moves) {
				const inputs = fleet.inputs(screen, 60, 16);
				const cellMap = () => fleetMap.cellMapOf({ ...inputs, lines: 14, theme });
				screen = applyMove(screen, move, { ...inputs.shown, cellMap });
			}
			return screen.cursor === undefined ? undefined : splitGlobalId(screen.cursor.id).id;
		},
		shownIds: () => fleet.inputs(screen).shown.ids.map(id => splitGlobalId(id).id),
	};
}

const right: Move = { type: 'across', steps: 1 };
const left: Move = { type: 'across', steps: -1 };
const down: Move = { type: 'step', steps: 1 };
const up: Move = { type: 'step', steps: -1 };

test('the cursor goes through the cells of a group and on to the next group', () => {
	const { move } = openMapOf(9);
	expect(move(right)).toBe('sb_3');
	expect(move(right, right)).toBe('sb_1');
	expect(move(left)).toBe('sb_6');
	expect(move({ type: 'end', edge: 'last' })).toBe('sb_8');
	expect(move(right)).toBe('sb_8');
	expect(move({ type: 'end', edge: 'first' })).toBe('sb_0');
});

test('the cursor keeps its column when it moves down through a shorter row', () => {
	// The first group has the computers 0 and 3, the second 1 and 4, and the third only 2.
	const { move } = openMapOf(5);
	expect(move(right)).toBe('sb_3');
	expect(move(down)).toBe('sb_4');
	expect(move(down)).toBe('sb_2');
	expect(move(up)).toBe('sb_4');
	expect(move(left, down, up)).toBe('sb_1');
});

test('a page goes to the next group', () => {
	const { move } = openMapOf(300);
	expect(move({ type: 'page', direction: 1 })).toBe('sb_1');
	expect(move({ type: 'page', direction: 1 })).toBe('sb_2');
	expect(move({ type: 'page', direction: -1 })).toBe('sb_1');
});

test('marking a cell marks all its computers, and marking it again unmarks them', () => {
	const map = openMapOf(3000);
	map.move({ type: 'mark' });
	const { size } = map.screen().marks;
	expect(size).toBeGreaterThan(1);
	map.move(left, { type: 'mark' });
	expect(map.screen().marks.size).toBe(0);
	map.move({ type: 'mark' }, right, { type: 'markRange' });
	expect(map.screen().marks.size).toBe(3 * size);
});

test('filters to the group of the cell, and narrows the filter that is set', () => {
	const map = openMapOf(30);
	map.move(down, { type: 'filterToCell' });
	expect(map.screen().filters.fleet).toBe('location:=eu-north');
	expect(map.shownIds()).toHaveLength(10);
	const filtered = openMapOf(30, { filters: { fleet: 'name:1 OR name:2', models: '', log: '' } });
	const before = filtered.shownIds().length;
	filtered.move({ type: 'filterToCell' });
	expect(filtered.screen().filters.fleet).toBe(
		'name:1 location:=eu-north OR name:2 location:=eu-north',
	);
	expect(filtered.shownIds().length).toBeLessThan(before);
	const { filters } = filtered.screen();
	filtered.move({ type: 'filterToCell' });
	expect(filtered.screen().filters).toEqual(filters);
});

test('filters to the cell where a cell stands for several computers', () => {
	const map = openMapOf(3000);
	map.move(right, { type: 'mark' }, left, { type: 'filterToCell' });
	const { filters, marks } = map.screen();
	expect(filterFrom(filters.fleet).problem).toBeUndefined();
	expect(map.shownIds().map(rowId).toSorted()).toEqual([...marks].toSorted());
});

test('a filter to a single computer uses its name if no other computer has the name', () => {
	const filterOf = (...names: readonly (string | undefined)[]) => {
		// Without a location, the group has no value to filter by.
		const fleet = names.map((name, at) => ({
			id: `sb_${at}`,
			...(name !== undefined && { name }),
		}));
		const map = openMapOf(fleet, { filters: { fleet: 'id:=sb_0', models: '', log: '' } });
		map.move({ type: 'filterToCell' });
		const { fleet: filter } = map.screen().filters;
		expect(filterFrom(filter).problem).toBeUndefined();
		expect(map.shownIds()).toEqual(['sb_0']);
		return filter;
	};
	expect(filterOf('vega', 'vega-1')).toBe('name:=vega');
	expect(filterOf('my vega', 'vega')).toBe('name:="my vega"');
	expect(filterOf('vega', 'Vega')).toBe('id:=sb_0');
	expect(filterOf('sb_1', undefined)).toBe('id:=sb_0');
	expect(filterOf('a "vega"', 'vega')).toBe('id:=sb_0');
	expect(filterOf(undefined, 'vega')).toBe('id:=sb_0');
});

test('the table moves by rows again when the map is closed', () => {
	const { move, screen } = openMapOf(9);
	move({ type: 'toggleMap' });
	expect(screen().map.isOpen).toBe(false);
	expect(move(down)).toBe('sb_1');
	expect(move(right)).toBe('sb_1');
});

test('the keys go through all groupings and colours except those for several accounts', () => {
	const { move, screen } = openMapOf(3);
	const looks = [1, 2, 3].map(() => {
		move({ type: 'nextGrouping' }, { type: 'nextColouring' });
		return [screen().map.grouping, screen().map.colouring];
	});
	expect(looks).toEqual([
		['status', 'cpu'],
		['version', 'version'],
		['location', 'status'],
	]);
});
