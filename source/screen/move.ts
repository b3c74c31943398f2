import { toggledTerm } from '../fleet/change-filter.ts';
import type { GlobalId } from '../fleet/computers/global-id.ts';
import { withChoiceMoved } from './choice.ts';
import { type ColumnMove, withColumnMove } from './column-move.ts';
import { withAddedRowsShown, withCursorAttached, withCursorOn } from './cursor.ts';
import { withOpenPartClosed, withTopClosed } from './going-back.ts';
import { initialHelpLook, withHelpMoved } from './help-moves.ts';
import { colourings, groupings, type MapField, type MapMove, nextValueAfter } from './map-look.ts';
import {
	withAllToggled,
	withMarksInverted,
	withMarkToggled,
	withRangeMarked,
	withRowMarked,
} from './marks.ts';
import { type OrderMove, withOrderMove } from './order-moves.ts';
import {
	currentFilter,
	cursorIndex,
	firstVisibleRow,
	isMap,
	isTable,
	type Screen,
	type Viewport,
} from './screen.ts';
import { indexOfTrouble } from './trouble.ts';
import { withFilter, withFilterChosen, withViewChosen } from './view-change.ts';
import { endScrollPosition, homeView, tabViews, type View, viewRows } from './view-table.ts';

/** The changes that a key can make to the screen. Each one can be undone with another key. */
export type Move =
	| { type: 'step'; steps: number }
	/** Shows the computers that match a filter. If this filter is set already, shows all computers. */
	| { type: 'filterFleet'; text: string }
	/** Puts the cursor on a computer. */
	| { type: 'goTo'; id: GlobalId }
	/** Moves by a page, or by half of it. */
	| { type: 'page'; direction: 1 | -1; isHalf?: boolean }
	/** Scrolls the view that is beside the table or replaces the table. */
	| { type: 'scroll'; lines: number }
	| { type: 'end'; edge: 'first' | 'last' }
	| { type: 'startFilter' }
	| { type: 'setFilter'; text: string }
	| { type: 'endFilter' }
	/** Adds a term to the filter of the view, or removes it. */
	| { type: 'toggleTerm'; term: string }
	| OrderMove
	/** Moves to the next or the previous computer in trouble. After the last one, the first one follows. */
	| { type: 'trouble'; direction: 1 | -1 }
	| ({ type: 'column' } & ColumnMove)
	| { type: 'mark' }
	/** Marks the current row, moves, and marks the row that is reached. */
	| { type: 'markOnward'; steps: 1 | -1 }
	/** Marks every row from the last marked row to the current row. */
	| { type: 'markRange' }
	| { type: 'markAll' }
	| { type: 'markOthers' }
	| { type: 'open' }
	| { type: 'view'; view: View }
	| { type: 'nextView'; direction: 1 | -1 }
	/** Shows the palette with this result chosen. */
	| { type: 'openPalette'; chosenId: string | undefined }
	/** Shows these columns, from left to right. */
	| { type: 'setColumns'; columns: readonly string[] }
	| { type: 'markIds'; ids: readonly GlobalId[] }
	| { type: 'help' }
	/** Closes what is open over the table, in one step. Unlike `back`, it cancels and clears nothing. */
	| { type: 'close' }
	| { type: 'back' }
	| MapMove;

/** Returns the screen after a move. */
export function applyMove(before: Screen, move: Move, viewport: Viewport): Screen {
	const screen = withCursorAttached(before, viewport);
	const moved = withMove(screen, move, viewport);
	return moved.filters.fleet === screen.filters.fleet ? moved : withAddedRowsShown(moved, viewport);
}

/** Makes the move itself. */
function withMove(screen: Screen, move: Move, viewport: Viewport): Screen {
	const { map } = screen;
	const moved =
		isMap(screen) && !screen.isHelpOpen ? viewport.moveInMap?.(screen, move) : undefined;
	if (moved) return moved;
	const fields: readonly MapField[] = viewport.groupings ?? groupings;
	switch (move.type) {
		case 'toggleMap':
			return { ...screen, map: { ...map, isOpen: !map.isOpen }, isHelpOpen: false };
		case 'nextGrouping':
			return { ...screen, map: { ...map, grouping: nextValueAfter(fields, map.grouping) } };
		case 'nextColouring': {
			const values = colourings.filter(each => fields.includes(each));
			return { ...screen, map: { ...map, colouring: nextValueAfter(values, map.colouring) } };
		}
		// These moves do nothing here: they need cells, and only the open map has cells.
		case 'across':
		case 'filterToCell':
			return screen;
		case 'filterFleet': {
			const fleet = withViewChosen(screen, homeView);
			return withFilter(fleet, currentFilter(fleet) === move.text ? '' : move.text);
		}
		case 'goTo':
			return withCursorOn(screen, move, viewport);
		case 'step':
			return withMovement(screen, move.steps, viewport);
		case 'page': {
			const lines = move.isHalf ? Math.floor(viewport.maxRows / 2) : viewport.maxRows - 1;
			const page = move.direction * Math.max(1, lines);
			return isReadingDetail(screen)
				? withScroll(screen, page, viewport)
				: withMovement(screen, page, viewport);
		}
		case 'scroll':
			return withScroll(screen, move.lines, viewport);
		case 'end': {
			const steps = move.edge === 'first' ? -endScrollPosition : endScrollPosition;
			// Details that fit have no other end, so the key moves the cursor of the table.
			return isReadingDetail(screen) && viewport.maxScroll() > 0
				? withScroll(screen, steps, viewport)
				: withMovement(screen, steps, viewport);
		}
		case 'startFilter': {
			// The details, and a view without a filter, lead to the filter of the fleet.
			const { isFilterable } = viewRows[screen.view];
			const filtered = isFilterable ? screen : withViewChosen(screen, homeView);
			return {
				...filtered,
				isDetailOpen: screen.isDetailOpen && !isTable(filtered),
				isFiltering: true,
				beforeFiltering: { filter: currentFilter(filtered), cursor: screen.cursor },
				entry: undefined,
			};
		}
		case 'setFilter':
			return withFilterChosen(screen, move.text);
		case 'endFilter':
			return withFilterKept(screen);
		case 'toggleTerm':
			return withFilter(screen, toggledTerm(currentFilter(screen), move.term));
		case 'orderBy':
		case 'reverse':
		case 'openOrderMenu':
		case 'orderByField':
			return withOrderMove(screen, move, viewport);
		case 'trouble':
			return withCursorOnTrouble(screen, move.direction, viewport);
		case 'column':
			return withColumnMove(screen, move);
		case 'mark':
			return withCursorMoved(withMarkToggled(screen, viewport), 1, viewport);
		case 'markOnward': {
			const moved = withCursorMoved(withRowMarked(screen, viewport), move.steps, viewport);
			return withRowMarked(moved, viewport);
		}
		case 'markRange':
			return withRangeMarked(screen, viewport);
		case 'markAll':
			return withAllToggled(screen, viewport);
		case 'markOthers':
			return withMarksInverted(screen, viewport);
		case 'open':
			return { ...screen, isDetailOpen: true, scroll: 0 };
		case 'view':
			return withViewChosen(screen, move.view);
		case 'nextView': {
			// From a view without a tab, the next and the previous tab are both the home view.
			const at = tabViews.indexOf(screen.view);
			const next = at < 0 ? 0 : at + move.direction;
			return withViewChosen(screen, tabViews.at(next % tabViews.length) ?? homeView);
		}
		case 'openPalette':
			return { ...screen, palette: { ...screen.palette, chosenId: move.chosenId } };
		case 'setColumns':
			return { ...screen, columns: move.columns };
		case 'markIds':
			return { ...screen, marks: new Set([...screen.marks, ...move.ids]), rangeStart: undefined };
		case 'help':
			return { ...screen, isHelpOpen: !screen.isHelpOpen, help: initialHelpLook, scroll: 0 };
		case 'close':
			return withOpenPartClosed(screen);
		case 'back':
			return withTopClosed(screen);
	}
}

/** Whether the pages that a person turns are those of the details, beside the table or in its place. */
const isReadingDetail = (screen: Screen) =>
	screen.isDetailOpen && isTable(screen) && !screen.isHelpOpen;

/** Closes the field of the filter. A space behind the last word is not kept. */
function withFilterKept(screen: Screen): Screen {
	const [filter, kept] = [currentFilter(screen), currentFilter(screen).trimEnd()];
	return { ...(kept === filter ? screen : withFilter(screen, kept)), isFiltering: false };
}

/** Moves the cursor in the table, and scrolls other views. */
function withMovement(screen: Screen, steps: number, viewport: Viewport): Screen {
	if (isTable(screen) && !screen.isHelpOpen) return withCursorMoved(screen, steps, viewport);
	const list = viewport.choiceList?.();
	if (list?.isOfHelp) return withHelpMoved(screen, steps, list, viewport.maxScroll);
	if (!list || list.isSpoken || list.choices.length === 0)
		return withScroll(screen, steps, viewport);
	return withChoiceMoved(screen, steps, list, viewport.maxScroll);
}

function withScroll(screen: Screen, steps: number, { maxScroll }: Viewport): Screen {
	const last = maxScroll();
	const scroll = Math.max(0, Math.min(Math.min(screen.scroll, last) + steps, last));
	const followsEnd = viewRows[screen.view].followsEnd && !screen.isHelpOpen;
	return { ...screen, scroll: followsEnd && scroll === last ? endScrollPosition : scroll };
}

function withCursorMoved(screen: Screen, steps: number, viewport: Viewport): Screen {
	const { ids, maxRows } = viewport;
	const from = cursorIndex(screen, ids);
	const index = Math.max(0, Math.min(from + steps, ids.length - 1));
	const id = ids[index];
	if (id === undefined) return screen;
	const first = firstVisibleRow(screen, viewport);
	const line = Math.max(0, Math.min(index - first, maxRows - 1));
	return { ...screen, scroll: 0, cursor: { id, index, line, isAtTop: index === 0 } };
}

function withCursorOnTrouble(screen: Screen, direction: 1 | -1, viewport: Viewport): Screen {
	const index = indexOfTrouble(screen, direction, viewport);
	if (index === undefined) return screen;
	return withCursorMoved(screen, index - cursorIndex(screen, viewport.ids), viewport);
}
