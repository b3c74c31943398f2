import type { GlobalId } from '../../fleet/computers/global-id.ts';
import { cursorIndex, withCursorOn } from './cursor.ts';
import { withMarksAdded } from './marks.ts';
import {
	currentFilter,
	isMap,
	type MapCell,
	type MapCells,
	type Screen,
	type Viewport,
} from './screen.ts';

// The moves among the cells of the open map, which mean something else in the table.

type Place = {
	map: MapCells;
	cell: MapCell;
	/** The computer under the cursor, which is one of those of the cell. */
	id: GlobalId;
	/** The column to which the cursor returns after a row that was too short. */
	column: number;
	viewport: Viewport;
};

/** Returns undefined in the table, and in a map without computers. */
export function cellUnderCursor(screen: Screen, viewport: Viewport): Place | undefined {
	const map = isMap(screen) && !screen.isHelpOpen ? viewport.mapCells?.(screen) : undefined;
	const id = viewport.ids[cursorIndex(screen, viewport.ids)];
	if (!map || id === undefined) return undefined;
	const cell = map.cells.find(({ rows }) => rows.some(row => row.id === id));
	return cell && { map, cell, id, column: screen.cursor?.column ?? cell.x, viewport };
}

export const withCellAcross = (screen: Screen, place: Place, steps: number): Screen =>
	withCursorIn(screen, place, cellAcross(place, steps));

export const withCellBelow = (screen: Screen, place: Place, rows: number): Screen =>
	withCursorIn(screen, place, cellBelow(place, rows), place.column);

export function withGroupBelow(screen: Screen, place: Place, direction: 1 | -1): Screen {
	const { map, cell, column } = place;
	const groups = [...new Set(map.cells.map(({ group }) => group))];
	const nth = groups.indexOf(cell.group) + direction;
	const group = groups[Math.max(0, Math.min(nth, groups.length - 1))];
	const row = map.cells.find(each => each.group === group)?.row ?? 0;
	return withCursorIn(screen, place, cellInRow(map, row, column), column);
}

export const withEndCell = (screen: Screen, place: Place, edge: 'first' | 'last'): Screen =>
	withCursorIn(screen, place, place.map.cells.at(edge === 'first' ? 0 : -1));

/** Marks all computers of the cell, or unmarks them if all are marked, and goes on to the next cell. */
export function withCellMarked(screen: Screen, place: Place): Screen {
	const { cell, id } = place;
	const ids = idsIn(cell);
	const isMarked = ids.every(each => screen.marks.has(each));
	const others = new Set([...screen.marks].filter(each => !ids.includes(each)));
	const toggled = isMarked
		? { ...screen, marks: others, rangeStart: undefined }
		: withMarksAdded(screen, ids, id);
	return withCursorIn(toggled, place, cellAcross(place, 1));
}

export function withCellsMarkedOnward(screen: Screen, place: Place, steps: 1 | -1): Screen {
	const reached = cellBelow(place, steps) ?? place.cell;
	const moved = withCursorIn(screen, place, reached, place.column);
	return withMarksAdded(moved, [...idsIn(place.cell), ...idsIn(reached)], moved.cursor?.id);
}

export function withCellRangeMarked(screen: Screen, { map: { cells }, cell, id }: Place): Screen {
	const { rangeStart = id, marks } = screen;
	const start = marks.has(rangeStart)
		? cells.find(({ rows }) => rows.some(row => row.id === rangeStart))
		: undefined;
	const ends = [cells.indexOf(start ?? cell), cells.indexOf(cell)];
	const range = cells.slice(Math.min(...ends), Math.max(...ends) + 1);
	return withMarksAdded(screen, range.flatMap(idsIn), id);
}

export function withFilterToCell(screen: Screen, { map, cell }: Place): Screen {
	const fleet = map.filterTo(cell, currentFilter(screen));
	return { ...screen, filters: { ...screen.filters, fleet } };
}

const idsIn = ({ rows }: MapCell): readonly GlobalId[] => rows.map(({ id }) => id);

/** Puts the cursor on the computer that decides how another cell looks. In the same cell, it stays where it is. */
function withCursorIn(
	screen: Screen,
	{ map, cell, id, viewport }: Place,
	reached: MapCell | undefined,
	column?: number,
): Screen {
	const there = reached && reached !== cell ? map.worstIn(reached) : id;
	return there === undefined ? screen : withCursorOn(screen, { id: there, column }, viewport);
}

function cellAcross({ map: { cells }, cell }: Place, steps: number): MapCell | undefined {
	return cells[Math.max(0, Math.min(cells.indexOf(cell) + steps, cells.length - 1))];
}

const cellBelow = ({ map, cell, column }: Place, rows: number): MapCell | undefined =>
	cellInRow(map, cell.row + rows, column);

/** Returns the cell in a column of a row of cells, or the last cell if the row is shorter. */
function cellInRow({ cells }: MapCells, row: number, column: number): MapCell | undefined {
	const wanted = Math.max(0, Math.min(row, cells.at(-1)?.row ?? 0));
	return cells.findLast(cell => cell.row === wanted && cell.x <= column);
}
