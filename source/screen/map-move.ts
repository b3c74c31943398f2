import type { GlobalId } from '../fleet/computers/global-id.ts';
import type { PlaceInMap } from './cell-map.ts';
import { groupings as allGroupings, colourings, nextValueAfter } from './map-look.ts';
import { withMarksAdded } from './marks.ts';
import {
	currentFilter,
	cursorIndex,
	firstVisibleRow,
	isMap,
	type Screen,
	type Viewport,
} from './screen.ts';

/** The moves that only the map of the fleet knows. */
export type MapMove =
	/** Shows the map in place of the table, or the table again. */
	| { type: 'toggleMap' }
	| { type: 'nextGrouping' }
	| { type: 'nextColouring' }
	/**
	 * Moves the cursor by this many cells to the left (negative) or right. With `signsIn`, the move opens the sign-in
	 * instead while an account is signed out, as the same key does in the table.
	 */
	| { type: 'across'; steps: number; signsIn?: boolean }
	/** Filters to the group of the cell under the cursor, or to the cell if it stands for several computers. */
	| { type: 'filterToCell' };

/** The moves that go through rows in the table, and through cells while the map is open. */
type SharedMove =
	| { type: 'step'; steps: number }
	| { type: 'page'; direction: 1 | -1; isHalf?: boolean }
	| { type: 'end'; edge: 'first' | 'last' }
	| { type: 'mark' }
	| { type: 'markOnward'; steps: 1 | -1 }
	| { type: 'markRange' };

// How many rows of cells half a page moves.
const halfPageRows = 5;

/** Changes how the map looks, whether it is open or not. */
export function withMapLook(
	screen: Screen,
	{ type }: Pick<MapMove, 'type'>,
	{ groupings = allGroupings }: Viewport,
): Screen {
	const { map } = screen;
	switch (type) {
		case 'toggleMap':
			return { ...screen, map: { ...map, isOpen: !map.isOpen }, isHelpOpen: false };
		case 'nextGrouping':
			return { ...screen, map: { ...map, grouping: nextValueAfter(groupings, map.grouping) } };
		case 'nextColouring':
			return { ...screen, map: { ...map, colouring: nextValueAfter(colourings, map.colouring) } };
		default:
			return screen;
	}
}

/**
 * Applies a move to the cells of the open map. Returns undefined if the move means the same in the map as in the
 * table.
 */
export function withMapMove(
	screen: Screen,
	move: MapMove | SharedMove | { type: string },
	viewport: Viewport,
): Screen | undefined {
	if (!isMap(screen) || screen.isHelpOpen || !isCellMove(move)) return undefined;
	const cells = viewport.cellMap?.();
	const id = viewport.ids[cursorIndex(screen, viewport.ids)];
	if (!cells || id === undefined) return undefined;
	const { column } = screen.cursor ?? {};
	const goTo = (place: PlaceInMap | undefined, from = screen) =>
		place ? withCursorOn(from, place, viewport) : from;
	switch (move.type) {
		case 'across':
			return goTo(cells.across(id, move.steps));
		case 'step':
			return goTo(cells.down(id, move.steps, column));
		case 'page':
			return goTo(
				move.isHalf
					? cells.down(id, move.direction * halfPageRows, column)
					: cells.toGroup(id, move.direction, column),
			);
		case 'end':
			return goTo(cells.atEnd(move.edge));
		case 'mark':
			return goTo(cells.across(id, 1), withCellToggled(screen, cells.computersAt(id), id));
		case 'markOnward': {
			const place = cells.down(id, move.steps, column);
			const marked = [...cells.computersAt(id), ...cells.computersAt(place.id)];
			return goTo(place, withMarksAdded(screen, marked, place.id));
		}
		case 'markRange': {
			const { rangeStart = id } = screen;
			const from = screen.marks.has(rangeStart) ? rangeStart : id;
			return withMarksAdded(screen, cells.computersBetween(from, id), id);
		}
		case 'filterToCell': {
			const text = cells.filterFor(id, currentFilter(screen));
			return { ...screen, filters: { ...screen.filters, fleet: text } };
		}
	}
}

type CellMove = Extract<MapMove, { type: 'across' | 'filterToCell' }> | SharedMove;

const cellMoves: Readonly<Record<CellMove['type'], true>> = {
	across: true,
	filterToCell: true,
	step: true,
	page: true,
	end: true,
	mark: true,
	markOnward: true,
	markRange: true,
};

const isCellMove = (move: { type: string }): move is CellMove =>
	Object.hasOwn(cellMoves, move.type);

/** Puts the cursor on a computer. In the table, the cursor stays in the same line of the window if possible. */
export function withCursorOn(
	screen: Screen,
	{ id, column }: PlaceInMap,
	viewport: Viewport,
): Screen {
	const index = viewport.ids.indexOf(id);
	if (index < 0) return screen;
	const line = index - firstVisibleRow(screen, viewport);
	return {
		...screen,
		scroll: 0,
		cursor: {
			id,
			index,
			line: Math.max(0, Math.min(line, viewport.maxRows - 1)),
			...(column !== undefined && { column }),
		},
	};
}

/** Marks all computers of a cell, or unmarks them if all are marked. */
function withCellToggled(screen: Screen, computers: readonly GlobalId[], id: GlobalId): Screen {
	if (!computers.every(each => screen.marks.has(each)))
		return withMarksAdded(screen, computers, id);
	const marks = new Set([...screen.marks].filter(each => !computers.includes(each)));
	return { ...screen, marks, rangeStart: undefined };
}
