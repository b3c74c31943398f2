import { toggledTerm } from '../../fleet/change-filter.ts';
import type { GlobalId } from '../../fleet/computers/global-id.ts';
import {
	isReversible,
	type OrderField,
	orderFieldFrom,
	showsLargestFirst,
} from '../../fleet/computers/order-fields.ts';
import { initialHelpLook, withChoiceMoved, withHelpMoved } from './choice.ts';
import {
	cursorIndex,
	firstVisibleRow,
	indexOfTrouble,
	withAddedRowsShown,
	withCursorAttached,
	withCursorOn,
	withFirstRowShown,
} from './cursor.ts';
import { withFilter, withFilterChosen, withViewChosen } from './going-back.ts';
import {
	cellUnderCursor,
	withCellAcross,
	withCellBelow,
	withCellMarked,
	withCellRangeMarked,
	withCellsMarkedOnward,
	withEndCell,
	withFilterToCell,
	withGroupBelow,
} from './map-moves.ts';
import { withMarksAdded, withMarkToggled, withRangeMarked, withRowMarked } from './marks.ts';
import {
	type ColumnChoice,
	colourings,
	currentFilter,
	currentOrdering,
	groupings,
	isTable,
	type Screen,
	type Viewport,
} from './screen.ts';
import { endScrollPosition, homeView, tabViews, type View, viewRows } from './view-table.ts';

/** A change to how a person looks, which a key or a click makes. Each one can be undone with another key. */
export type Move = (screen: Screen, viewport: Viewport) => Screen;

/** The effect of a click on a text: it presses a key or makes a move. A click never answers a question. */
export type Click =
	| { type: 'key'; key: string }
	| { type: 'move'; move: Move }
	| { type: 'found'; id: string };

export function applyMove(before: Screen, move: Move, viewport: Viewport): Screen {
	const screen = withCursorAttached(before, viewport);
	const moved = move(screen, viewport);
	return moved.filters.fleet === screen.filters.fleet ? moved : withAddedRowsShown(moved, viewport);
}

// The cursor

export const step =
	(steps: number): Move =>
	(screen, viewport) => {
		const at = cellUnderCursor(screen, viewport);
		return at ? withCellBelow(screen, at, steps) : withMovement(screen, steps, viewport);
	};

export const page =
	(direction: 1 | -1): Move =>
	(screen, viewport) => {
		const at = cellUnderCursor(screen, viewport);
		const lines = Math.max(1, viewport.maxRows - 1);
		return at
			? withGroupBelow(screen, at, direction)
			: withPage(screen, direction * lines, viewport);
	};

const rowsOfHalfPageInMap = 5;

export const halfPage =
	(direction: 1 | -1): Move =>
	(screen, viewport) => {
		const at = cellUnderCursor(screen, viewport);
		const lines = Math.max(1, Math.floor(viewport.maxRows / 2));
		return at
			? withCellBelow(screen, at, direction * rowsOfHalfPageInMap)
			: withPage(screen, direction * lines, viewport);
	};

export const toEnd =
	(edge: 'first' | 'last'): Move =>
	(screen, viewport) => {
		const at = cellUnderCursor(screen, viewport);
		if (at) return withEndCell(screen, at, edge);
		const steps = edge === 'first' ? -endScrollPosition : endScrollPosition;
		// Details that fit have no other end, so the key moves the cursor of the table.
		return isReadingDetail(screen) && viewport.maxScroll() > 0
			? withScroll(screen, steps, viewport)
			: withMovement(screen, steps, viewport);
	};

/** Scrolls the view that is beside the table or replaces the table. */
export const scroll =
	(lines: number): Move =>
	(screen, viewport) =>
		withScroll(screen, lines, viewport);

export const goTo =
	(id: GlobalId): Move =>
	(screen, viewport) =>
		withCursorOn(screen, { id }, viewport);

/** Moves to the next or the previous computer in trouble. After the last one, the first one follows. */
export const goToTrouble =
	(direction: 1 | -1): Move =>
	(screen, viewport) => {
		const index = indexOfTrouble(screen, direction, viewport);
		if (index === undefined) return screen;
		return withCursorMoved(screen, index - cursorIndex(screen, viewport.ids), viewport);
	};

/** Whether the pages that a person turns are those of the details, beside the table or in its place. */
const isReadingDetail = (screen: Screen) =>
	screen.isDetailOpen && isTable(screen) && !screen.isHelpOpen;

const withPage = (screen: Screen, lines: number, viewport: Viewport): Screen =>
	isReadingDetail(screen)
		? withScroll(screen, lines, viewport)
		: withMovement(screen, lines, viewport);

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

// Marks

export const mark: Move = (screen, viewport) => {
	const at = cellUnderCursor(screen, viewport);
	return at
		? withCellMarked(screen, at)
		: withCursorMoved(withMarkToggled(screen, viewport), 1, viewport);
};

/** Marks the current row, moves, and marks the row that is reached. */
export const markOnward =
	(steps: 1 | -1): Move =>
	(screen, viewport) => {
		const at = cellUnderCursor(screen, viewport);
		if (at) return withCellsMarkedOnward(screen, at, steps);
		const moved = withCursorMoved(withRowMarked(screen, viewport), steps, viewport);
		return withRowMarked(moved, viewport);
	};

export const markRange: Move = (screen, viewport) => {
	const at = cellUnderCursor(screen, viewport);
	return at ? withCellRangeMarked(screen, at) : withRangeMarked(screen, viewport);
};

export const markIds =
	(ids: readonly GlobalId[]): Move =>
	screen =>
		withMarksAdded(screen, ids, undefined);

// The filter

export const startFilter: Move = screen => {
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
};

export const setFilter =
	(text: string): Move =>
	screen =>
		withFilterChosen(screen, text);

/** Closes the field of the filter. A space behind the last word is not kept. */
export const endFilter: Move = screen => {
	const [filter, kept] = [currentFilter(screen), currentFilter(screen).trimEnd()];
	return { ...(kept === filter ? screen : withFilter(screen, kept)), isFiltering: false };
};

export const filterFleet =
	(text: string): Move =>
	screen => {
		const fleet = withViewChosen(screen, homeView);
		return withFilter(fleet, currentFilter(fleet) === text ? '' : text);
	};

export const toggleTerm =
	(term: string): Move =>
	screen =>
		withFilter(screen, toggledTerm(currentFilter(screen), term));

// The order

export const orderBy =
	(direction: 1 | -1): Move =>
	(screen, viewport) => {
		const { orderFields } = viewRows[screen.view];
		const hasColumns = orderFields === 'columns';
		const fields: readonly string[] = hasColumns ? viewport.orderableFields : orderFields;
		const at = fields.indexOf(currentOrdering(screen)?.by ?? '');
		const next = fields[(Math.max(0, at) + direction + fields.length) % fields.length];
		if (next === undefined) return screen;
		return withOrdering(screen, next, hasColumns && isFirstReversed(next), viewport);
	};

export const reverseOrder: Move = (screen, viewport) => {
	const ordering = currentOrdering(screen);
	return ordering && isReversible(ordering.by)
		? withOrdering(screen, ordering.by, !ordering.isReversed, viewport)
		: screen;
};

export const openOrderMenu: Move = screen => ({
	...screen,
	isOrderMenuOpen: true,
	entry: undefined,
});

/** Orders the table by this field. The field that orders it already reverses it. */
export const orderByField =
	(field: OrderField): Move =>
	(screen, viewport) => {
		const ordering = currentOrdering(screen);
		const isAgain = ordering?.by === field && isReversible(field);
		const isReversed = isAgain ? !ordering.isReversed : isFirstReversed(field);
		return withOrdering({ ...screen, isOrderMenuOpen: false }, field, isReversed, viewport);
	};

function isFirstReversed(by: string): boolean {
	const field = orderFieldFrom(by);
	return field !== undefined && showsLargestFirst(field);
}

function withOrdering(screen: Screen, by: string, isReversed: boolean, viewport: Viewport): Screen {
	const { cursor, orderings, view } = screen;
	const isFleet = viewRows[view].orderFields === 'columns';
	const ordered = {
		...screen,
		cursor: cursor && { ...cursor, isAtTop: false },
		orderings: { ...orderings, [view]: { by, isReversed } },
	};
	return isFleet ? withFirstRowShown(ordered, viewport) : ordered;
}

// The columns

export const showColumns =
	(columns: readonly string[]): Move =>
	screen => ({ ...screen, columns });

export const stepInColumns =
	(steps: 1 | -1): Move =>
	screen => {
		const { columnMenu: menu } = screen;
		if (!menu) return screen;
		const { choices, index } = menu;
		return { ...screen, columnMenu: { choices, index: clampIndex(choices, index + steps) } };
	};

export const toggleColumn: Move = screen => {
	const { choices = [], index = 0 } = screen.columnMenu ?? {};
	const chosen = choices[index];
	if (!chosen || chosen.isFixed) return screen;
	const toggled = { ...chosen, isShown: !chosen.isShown };
	return withChosenColumns(screen, choices.with(index, toggled), index);
};

export const shiftColumn =
	(direction: 1 | -1): Move =>
	screen => {
		const { choices = [], index = 0 } = screen.columnMenu ?? {};
		const chosen = choices[index];
		if (!chosen) return screen;
		const to = clampIndex(choices, index + direction);
		const others = choices.toSpliced(index, 1);
		return withChosenColumns(screen, others.toSpliced(to, 0, chosen), to);
	};

const clampIndex = (choices: readonly ColumnChoice[], index: number) =>
	Math.max(0, Math.min(index, choices.length - 1));

function withChosenColumns(
	screen: Screen,
	choices: readonly ColumnChoice[],
	index: number,
): Screen {
	const columns = choices.filter(({ isShown }) => isShown).map(({ name }) => name);
	return { ...screen, columns, columnMenu: { choices, index } };
}

// Views, details, help and palette

export const showView =
	(view: View): Move =>
	screen =>
		withViewChosen(screen, view);

export const nextView =
	(direction: 1 | -1): Move =>
	screen => {
		// From a view without a tab, the next and the previous tab are both the home view.
		const at = tabViews.indexOf(screen.view);
		const next = at < 0 ? 0 : at + direction;
		return withViewChosen(screen, tabViews.at(next % tabViews.length) ?? homeView);
	};

export const openDetail: Move = screen => ({ ...screen, isDetailOpen: true, scroll: 0 });

export const toggleHelp: Move = screen => ({
	...screen,
	isHelpOpen: !screen.isHelpOpen,
	help: initialHelpLook,
	scroll: 0,
});

export const chooseInPalette =
	(chosenId: string | undefined): Move =>
	screen => ({ ...screen, palette: { ...screen.palette, chosenId } });

// The map

/** Shows the map in place of the table, or the table again. */
export const toggleMap: Move = screen => ({
	...screen,
	map: { ...screen.map, isOpen: !screen.map.isOpen },
	isHelpOpen: false,
});

export const nextGrouping: Move = (screen, { groupings: fields = groupings }) => {
	const { map } = screen;
	return { ...screen, map: { ...map, grouping: valueAfter(fields, map.grouping) } };
};

export const nextColouring: Move = (screen, { groupings: fields = groupings }) => {
	const { map } = screen;
	const values = colourings.filter(each => fields.includes(each));
	return { ...screen, map: { ...map, colouring: valueAfter(values, map.colouring) } };
};

/** Moves the cursor by this many cells to the left (negative) or right. */
export const across =
	(steps: number): Move =>
	(screen, viewport) => {
		const at = cellUnderCursor(screen, viewport);
		return at ? withCellAcross(screen, at, steps) : screen;
	};

/** Filters to the group of the cell under the cursor, or to the cell if it stands for several computers. */
export const filterToCell: Move = (screen, viewport) => {
	const at = cellUnderCursor(screen, viewport);
	return at ? withFilterToCell(screen, at) : screen;
};

/** After the last value, the first one follows. */
function valueAfter<T>(values: readonly T[], current: T): T {
	return values[(values.indexOf(current) + 1) % values.length] ?? current;
}
