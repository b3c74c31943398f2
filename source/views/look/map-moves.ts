import type { GlobalId } from '../../fleet/computers/global-id.ts';
import { cursorIndex, withCursorAt } from './cursor.ts';
import { isMap, type Screen } from './screen.ts';
import type { MapCell, MapCells, Viewport } from './viewport.ts';

type Place = {
	map: MapCells;
	cell: MapCell;
	id: GlobalId;
	column: number;
};

type CellChoice = (from: Place) => MapCell | undefined;

/** Returns undefined in the table, and in a map without computers. */
export function cellUnderCursor(screen: Screen, viewport: Viewport): Place | undefined {
	const map = isMap(screen) && !screen.isHelpOpen ? viewport.mapCells?.(screen) : undefined;
	const id = viewport.ids[cursorIndex(screen, viewport.ids)];
	if (!map || id === undefined) return undefined;
	const cell = map.cells.find(({ rows }) => rows.some(row => row.id === id));
	return cell && { map, cell, id, column: screen.cursor?.column ?? cell.x };
}

/** The cursor goes to the computer that decides how the cell looks; in the same cell it stays. Undefined without a map. */
export function withCell(
	screen: Screen,
	viewport: Viewport,
	choose: CellChoice,
	{ keepsColumn = false } = {},
): Screen | undefined {
	const from = cellUnderCursor(screen, viewport);
	if (!from) return undefined;
	const { map, cell, id, column } = from;
	const reached = choose(from) ?? cell;
	const there = reached === cell ? id : (map.worstIn(reached) ?? id);
	const index = viewport.ids.indexOf(there);
	return withCursorAt(screen, index, viewport, keepsColumn ? column : undefined);
}

export const cellAcross =
	(steps: number): CellChoice =>
	({ map: { cells }, cell }) =>
		cells[Math.max(0, Math.min(cells.indexOf(cell) + steps, cells.length - 1))];

export const cellBelow =
	(rows: number): CellChoice =>
	({ map, cell, column }) =>
		cellInRow(map, cell.row + rows, column);

export const cellOfGroup =
	(direction: 1 | -1): CellChoice =>
	({ map, cell, column }) => {
		const groups = [...new Set(map.cells.map(({ group }) => group))];
		const nth = groups.indexOf(cell.group) + direction;
		const group = groups[Math.max(0, Math.min(nth, groups.length - 1))];
		const row = map.cells.find(each => each.group === group)?.row ?? 0;
		return cellInRow(map, row, column);
	};

function cellInRow({ cells }: MapCells, row: number, column: number): MapCell | undefined {
	const wanted = Math.max(0, Math.min(row, cells.at(-1)?.row ?? 0));
	return cells.findLast(cell => cell.row === wanted && cell.x <= column);
}
