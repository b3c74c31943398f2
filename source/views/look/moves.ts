import { toggledTerm } from '../../fleet/change-filter.ts';
import type { GlobalId } from '../../fleet/computers/global-id.ts';
import {
	isReversible,
	type OrderField,
	orderFieldFrom,
	showsLargestFirst,
} from '../../fleet/computers/order-fields.ts';
import { withChoiceMoved, withChoicePaged } from './choice.ts';
import { cursorIndex, withCursorAt, withFirstPage, withFirstRowShown } from './cursor.ts';
import { withFilter, withFilterChosen, withViewChosen } from './going-back.ts';
import { cellAcross, cellBelow, cellOfGroup, cellUnderCursor, withCell } from './map-moves.ts';
import { withMarkHere, withMarksAdded, withMarkToggled } from './marks.ts';
import {
	type ColumnChoice,
	colourings,
	currentFilter,
	currentOrdering,
	groupings,
	initialHelp,
	isTable,
	type Screen,
} from './screen.ts';
import { endScrollPosition, homeView, tabViews, type View, viewRows } from './view-table.ts';
import type { Viewport } from './viewport.ts';

/** A change to how a person looks, which another key can undo. */
export type Move = (screen: Screen, viewport: Viewport) => Screen;

/** What a click on a text does. It never answers a question. */
export type Click =
	| { type: 'key'; key: string }
	| { type: 'move'; move: Move }
	| { type: 'found'; id: string };

/** Rows that another filter adds above the cursor are shown if they fit. */
export function applyMove(screen: Screen, move: Move, viewport: Viewport): Screen {
	const moved = move(screen, viewport);
	if (moved.filters.fleet === screen.filters.fleet || !isTable(moved)) return moved;
	return withFirstPage(moved, viewport) ?? moved;
}

// The cursor

export const step =
	(steps: number): Move =>
	(screen, viewport) =>
		withCell(screen, viewport, cellBelow(steps), { keepsColumn: true }) ??
		withMovement(screen, steps, viewport);

export const page =
	(direction: 1 | -1): Move =>
	(screen, viewport) =>
		withCell(screen, viewport, cellOfGroup(direction), { keepsColumn: true }) ??
		withPage(screen, direction * Math.max(1, viewport.maxRows - 1), viewport);

const rowsOfHalfPageInMap = 5;

export const halfPage =
	(direction: 1 | -1): Move =>
	(screen, viewport) =>
		withCell(screen, viewport, cellBelow(direction * rowsOfHalfPageInMap), { keepsColumn: true }) ??
		withPage(screen, direction * Math.max(1, Math.floor(viewport.maxRows / 2)), viewport);

export const toEnd =
	(edge: 'first' | 'last'): Move =>
	(screen, viewport) => {
		const steps = edge === 'first' ? -endScrollPosition : endScrollPosition;
		// Details that fit have no other end, so the key moves the cursor of the table.
		const isForDetail = isReadingDetail(screen) && viewport.maxScroll() > 0;
		return (
			withCell(screen, viewport, cellAcross(steps)) ??
			(isForDetail ? withScroll : withMovement)(screen, steps, viewport)
		);
	};

export const across =
	(steps: number): Move =>
	(screen, viewport) =>
		withCell(screen, viewport, cellAcross(steps)) ?? screen;

export const scroll =
	(lines: number): Move =>
	(screen, viewport) =>
		withScroll(screen, lines, viewport);

export const goTo =
	(id: GlobalId): Move =>
	(screen, viewport) =>
		withCursorAt(screen, viewport.ids.indexOf(id), viewport);

const isReadingDetail = (screen: Screen) =>
	screen.isDetailOpen && isTable(screen) && !screen.isHelpOpen;

const withPage = (screen: Screen, lines: number, viewport: Viewport): Screen =>
	isReadingDetail(screen)
		? withScroll(screen, lines, viewport)
		: withMovement(screen, lines, viewport, withChoicePaged);

function withMovement(
	screen: Screen,
	steps: number,
	viewport: Viewport,
	withListMoved = withChoiceMoved,
): Screen {
	const { ids, maxScroll } = viewport;
	if (isTable(screen) && !screen.isHelpOpen) {
		const index = Math.max(0, Math.min(cursorIndex(screen, ids) + steps, ids.length - 1));
		return withCursorAt(screen, index, viewport);
	}
	const list = viewport.choiceList?.();
	if (!list || list.isSpoken || list.choices.length === 0)
		return withScroll(screen, steps, viewport);
	return withListMoved(screen, steps, list, maxScroll());
}

function withScroll(screen: Screen, steps: number, { maxScroll }: Viewport): Screen {
	const last = maxScroll();
	const scroll = Math.max(0, Math.min(Math.min(screen.scroll, last) + steps, last));
	const followsEnd = viewRows[screen.view].followsEnd && !screen.isHelpOpen;
	return { ...screen, scroll: followsEnd && scroll === last ? endScrollPosition : scroll };
}

// Marks

export const mark: Move = (screen, viewport) => {
	const toNext = cellUnderCursor(screen, viewport) ? across(1) : step(1);
	return toNext(withMarkToggled(screen, viewport), viewport);
};

export const markOnward =
	(steps: 1 | -1): Move =>
	(screen, viewport) => {
		const moved = step(steps)(withMarkHere(screen, viewport), viewport);
		return withMarkHere(moved, viewport);
	};

export const markIds =
	(ids: readonly GlobalId[]): Move =>
	screen =>
		withMarksAdded(screen, ids);

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

export const endFilter: Move = screen => {
	const filter = currentFilter(screen);
	const kept = filter.trimEnd();
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
		const { orderFields = [] } = viewRows[screen.view];
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
	help: initialHelp,
	listCursors: { ...screen.listCursors, help: undefined },
	scroll: 0,
});

export const chooseInPalette =
	(chosenId: string | undefined): Move =>
	screen => ({ ...screen, palette: { ...screen.palette, chosenId } });

// The map

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

export const filterToCell: Move = (screen, viewport) => {
	const at = cellUnderCursor(screen, viewport);
	if (!at) return screen;
	const fleet = at.map.filterTo(at.cell, currentFilter(screen));
	return { ...screen, filters: { ...screen.filters, fleet } };
};

function valueAfter<T>(values: readonly T[], current: T): T {
	return values[(values.indexOf(current) + 1) % values.length] ?? current;
}
