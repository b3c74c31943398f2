import type { GlobalId } from '../../fleet/computers/global-id.ts';
import { withCursorOn } from '../../screen/cursor.ts';
import { withMarksAdded } from '../../screen/marks.ts';
import type { Move } from '../../screen/move.ts';
import { currentFilter, cursorIndex, type Screen } from '../../screen/screen.ts';
import { accountOfRow } from '../../store/opened-accounts.ts';
import type { FleetMap, MapScene } from './map.ts';
import { type CellPlace, cellCountOf, cellPlaceOf, mapOf, rowsInCell, worstIn } from './map.ts';
import { mapFields, quotedValue } from './map-fields.ts';

/** How many rows of cells half a page moves. */
const halfPageRows = 5;

/** Makes a move through the cells of the map. Returns undefined for a move that means the same in the table. */
export function withMoveInMap(screen: Screen, move: Move, scene: MapScene): Screen | undefined {
	const { shown } = scene;
	const map = mapOf({ ...scene, screen });
	const id = shown.ids[cursorIndex(screen, shown.ids)];
	const from = cellPlaceOf(map, id);
	if (id === undefined || !from) return undefined;
	const column = screen.cursor?.column ?? from.cell % map.cellsPerRow;
	const idsIn = (place: CellPlace) => rowsInCell(map, place).map(row => row.id);
	const goTo = (place: CellPlace, wanted?: number, moved = screen) => {
		const isSame = place.group === from.group && place.cell === from.cell;
		const there = isSame ? id : (worstIn(map, place)?.id ?? id);
		return withCursorOn(moved, { id: there, column: wanted }, shown);
	};
	switch (move.type) {
		case 'across':
			return goTo(across(map, from, move.steps));
		case 'step':
			return goTo(down(map, from, move.steps, column), column);
		case 'page': {
			if (move.isHalf) return goTo(down(map, from, move.direction * halfPageRows, column), column);
			const group = Math.max(0, Math.min(from.group + move.direction, map.groups.length - 1));
			return goTo(cellInRow(map, group, 0, column), column);
		}
		case 'end': {
			const last = map.groups.length - 1;
			const place = { group: last, cell: lastCellOf(map, last) };
			return goTo(move.edge === 'first' ? { group: 0, cell: 0 } : place);
		}
		case 'mark':
			return goTo(across(map, from, 1), undefined, withCellToggled(screen, idsIn(from), id));
		case 'markOnward': {
			const place = down(map, from, move.steps, column);
			const moved = goTo(place, column);
			return withMarksAdded(moved, [...idsIn(from), ...idsIn(place)], moved.cursor?.id);
		}
		case 'markRange': {
			const { rangeStart = id } = screen;
			const start = screen.marks.has(rangeStart) ? cellPlaceOf(map, rangeStart) : undefined;
			return withMarksAdded(screen, idsBetween(map, start ?? from, from), id);
		}
		case 'filterToCell': {
			const fleet = filterFor(map, from, currentFilter(screen), scene);
			return { ...screen, filters: { ...screen.filters, fleet } };
		}
		default:
			return undefined;
	}
}

const lastCellOf = (map: FleetMap, at: number) => {
	const group = map.groups[at];
	return group ? cellCountOf(group, map) - 1 : 0;
};

/** Returns the cell this many cells to the right, across all groups. */
function across(map: FleetMap, from: CellPlace, steps: number): CellPlace {
	let { group, cell } = from;
	cell += steps;
	while (cell < 0 && group > 0) {
		group -= 1;
		cell += lastCellOf(map, group) + 1;
	}
	while (cell > lastCellOf(map, group) && group < map.groups.length - 1) {
		cell -= lastCellOf(map, group) + 1;
		group += 1;
	}
	return { group, cell: Math.max(0, Math.min(cell, lastCellOf(map, group))) };
}

/** Returns the cell in a column of a row of cells, or the last cell if the row is shorter. */
const cellInRow = (map: FleetMap, group: number, row: number, column: number): CellPlace => ({
	group,
	cell: Math.min(row * map.cellsPerRow + column, lastCellOf(map, group)),
});

/** Returns the cell this many rows of cells below, in a column. */
function down(map: FleetMap, from: CellPlace, steps: number, column: number): CellPlace {
	const rowOf = (cell: number) => Math.floor(cell / map.cellsPerRow);
	const direction = Math.sign(steps);
	let place = from;
	for (let left = Math.abs(steps); left > 0; left -= 1) {
		const row = rowOf(place.cell) + direction;
		const next = place.group + direction;
		if (row >= 0 && row <= rowOf(lastCellOf(map, place.group)))
			place = cellInRow(map, place.group, row, column);
		else if (map.groups[next])
			place = cellInRow(map, next, direction > 0 ? 0 : rowOf(lastCellOf(map, next)), column);
	}
	return place;
}

/** Marks all computers of a cell, or unmarks them if all are marked. */
function withCellToggled(screen: Screen, ids: readonly GlobalId[], id: GlobalId): Screen {
	if (!ids.every(each => screen.marks.has(each))) return withMarksAdded(screen, ids, id);
	const marks = new Set([...screen.marks].filter(each => !ids.includes(each)));
	return { ...screen, marks, rangeStart: undefined };
}

/** Returns the computers of all cells from one to another, in the order of the map. */
function idsBetween(map: FleetMap, one: CellPlace, other: CellPlace): readonly GlobalId[] {
	const numberOf = ({ group, cell }: CellPlace) =>
		map.groups.slice(0, group).reduce((sum, each) => sum + cellCountOf(each, map), cell);
	const ends = [numberOf(one), numberOf(other)];
	const cells = map.groups.flatMap((each, group) =>
		Array.from({ length: cellCountOf(each, map) }, (_, cell): CellPlace => ({ group, cell })),
	);
	return cells
		.slice(Math.min(...ends), Math.max(...ends) + 1)
		.flatMap(place => rowsInCell(map, place).map(row => row.id));
}

/** Narrows a filter to the group of a cell, or to the computers of a cell that stands for several or has no common value. */
function filterFor(
	map: FleetMap,
	place: CellPlace,
	filter: string,
	{ accounts, screen }: MapScene,
): string {
	const value = map.groups[place.group]?.value;
	if (map.computersPerCell === 1 && value !== undefined)
		return withTerm(filter, mapFields[screen.map.grouping].filterTerm(value));
	return rowsInCell(map, place)
		.map(row => {
			const profile = accounts.length > 1 ? accountOfRow(accounts, row)?.profile : undefined;
			const account = profile ? ` account:${quotedValue(profile.name)}` : '';
			return `id:=${quotedValue(row.computer.id)}${account}`;
		})
		.join(' OR ');
}

/** OR joins whole lists of terms, so each list is narrowed. */
function withTerm(filter: string, term: string): string {
	const lists = filter.trim() === '' ? [''] : filter.trim().split(' OR ');
	return lists
		.map(list => (list.split(' ').includes(term) ? list : `${list} ${term}`.trim()))
		.join(' OR ');
}
