import { toggledTerm } from '../../fleet/change.ts';
import {
	isReversible,
	type OrderField,
	orderFieldFrom,
	showsLargestFirst,
} from '../../fleet/computers/fields.ts';
import type { GlobalId } from '../../fleet/computers/global-id.ts';
import {
	type Choice,
	clamp,
	cursorIndex,
	headingIndex,
	type Viewport,
	withCursorAt,
	withFirstRowShown,
} from './cursor.ts';
import type { Move } from './moves.ts';
import {
	currentFilter,
	currentOrdering,
	everyGroupLike,
	groupings,
	type HeadingId,
	helpOf,
	initialHelp,
	isGroupFolded,
	isHeadingId,
	isHelpOpen,
	isMap,
	isTable,
	type Open,
	type Screen,
} from './screen.ts';
import {
	endScrollPosition,
	homeView,
	isFilterable,
	tabViews,
	type ViewName,
	viewRows,
} from './view-table.ts';

// Views, and going back from them

const withoutCursorIn = ({ listCursors }: Screen, list: ViewName | 'help') => ({
	...listCursors,
	[list]: undefined,
});

function withView(screen: Screen, view: ViewName): Screen {
	const scroll = viewRows[view].followsEnd ? endScrollPosition : 0;
	const pastAt = isTable({ view }) ? screen.pastAt : undefined;
	const listCursors = withoutCursorIn(screen, view);
	return { ...screen, view, pastAt, scroll, listCursors, open: undefined };
}

/** Going back leads to the previous view only from a view without a tab. */
export const showView =
	(view: ViewName) =>
	(screen: Screen): Screen => {
		if (!viewRows[view].isApart) return { ...withView(screen, view), viewsBehind: [] };
		return withView(view === screen.view ? screen : withLookKept(screen), view);
	};

export const nextView =
	(direction: 1 | -1): Move =>
	screen => {
		// From a view without a tab, the next and the previous tab are both the home view.
		const at = tabViews.indexOf(screen.view);
		const next = at < 0 ? 0 : at + direction;
		return showView(tabViews.at(next % tabViews.length) ?? homeView)(screen);
	};

function withLookKept(screen: Screen, hasOpenedDetail = false): Screen {
	const { view, scroll, listCursors, filters, isDetailOpen } = screen;
	const look = { view, scroll, listCursors, filters, isDetailOpen };
	return { ...screen, viewsBehind: [...screen.viewsBehind, { look, hasOpenedDetail }] };
}

export const openDetail: Move = screen => ({ ...screen, isDetailOpen: true, scroll: 0 });

export const showDetail =
	(id: GlobalId): Move =>
	(screen, viewport) => {
		const kept = isTable(screen) ? screen : withLookKept(screen, true);
		return { ...withComputerShown(kept, id, viewport), isDetailOpen: true };
	};

export const showComputer =
	(id: GlobalId): Move =>
	(screen, viewport) =>
		withComputerShown(isTable(screen) ? screen : withLookKept(screen), id, viewport);

/** A filter that hides the computer is cleared, because the cursor is never on a hidden row. */
function withComputerShown(
	screen: Screen,
	id: GlobalId,
	{ lines, ids, maxRows }: Viewport,
): Screen {
	const home = { ...withView(screen, homeView), isDetailOpen: false };
	const index = lines.findIndex(line => line.id === id);
	const line = Math.max(0, Math.min(index, Math.floor(maxRows / 2)));
	const shown = !ids.includes(id) ? withFilter(home, '') : home;
	return { ...shown, cursor: { id, index: Math.max(0, index), line } };
}

export const openChoice =
	({ id, opens }: Choice): Move =>
	(screen, viewport) => {
		if (!opens) return screen;
		if (opens.type === 'computer') return showDetail(opens.id)(screen, viewport);
		if (opens.type === 'filter') {
			const home = { ...withView(withLookKept(screen), homeView), isDetailOpen: false };
			return withFilter(home, opens.text);
		}
		const unfoldedIds = new Set(screen.unfoldedIds);
		if (!unfoldedIds.delete(id)) unfoldedIds.add(id);
		return { ...screen, unfoldedIds };
	};

/** Undefined if only the table is there. */
export function withOpenPartClosed(screen: Screen): Screen | undefined {
	const { open, isDetailOpen, viewsBehind } = screen;
	if (open) return { ...screen, open: undefined, scroll: isHelpOpen(screen) ? 0 : screen.scroll };
	if (screen.pastAt !== undefined) return { ...screen, pastAt: undefined };
	const behind = viewsBehind.at(-1);
	if (isTable(screen) && isDetailOpen && !behind?.hasOpenedDetail)
		return { ...screen, isDetailOpen: false };
	if (!behind && isTable(screen)) return undefined;
	return {
		...withView(screen, homeView),
		...behind?.look,
		viewsBehind: viewsBehind.slice(0, -1),
	};
}

export function withTopClosed(screen: Screen): Screen {
	const { open } = screen;
	const { filter, isFiltering } = helpOf(screen);
	if (filter !== '' || isFiltering) return setHelpFilter('', false)(screen);
	if (open?.kind === 'filter') {
		const { before } = open;
		const cursor = (isTable(screen) ? before.cursor : undefined) ?? screen.cursor;
		return withFilter({ ...screen, cursor, open: undefined }, before.filter);
	}
	const hasFilter = currentFilter(screen) !== '';
	if (!open && screen.pastAt === undefined) {
		if (screen.view === 'billing' && screen.payment) return { ...screen, payment: undefined };
		if (!isTable(screen) && hasFilter) return withFilter(screen, '');
		if (isTable(screen) && !screen.isDetailOpen && screen.marks.size > 0)
			return { ...screen, marks: new Set() };
	}
	const closed = withOpenPartClosed(screen);
	if (closed) return closed;
	if (isMap(screen) && !hasFilter) return { ...screen, map: { ...screen.map, isOpen: false } };
	return withFilter(screen, '');
}

// The help and the palette

export const toggleHelp: Move = screen => ({
	...screen,
	open: isHelpOpen(screen) ? undefined : initialHelp,
	listCursors: withoutCursorIn(screen, 'help'),
	scroll: 0,
});

export const setHelpFilter =
	(filter: string, isFiltering = true) =>
	(screen: Screen): Screen => ({
		...screen,
		open: { ...helpOf(screen), filter, isFiltering },
		listCursors: withoutCursorIn(screen, 'help'),
		scroll: 0,
	});

export const chooseInPalette =
	(chosenId: string | undefined): Move =>
	screen => ({ ...screen, open: { ...screen.open, kind: 'palette', chosenId } });

// The filter

/** Rows that another filter of the table adds above the cursor are shown as far as they fit. */
function withFilter(screen: Screen, text: string): Screen {
	const { cursor } = screen;
	const filters = { ...screen.filters, [screen.view]: text };
	if (isTable(screen))
		return { ...screen, filters, cursor: cursor && { ...cursor, isAtTop: true } };
	return { ...screen, filters, listCursors: withoutCursorIn(screen, screen.view), scroll: 0 };
}

export const startFilter: Move = screen => {
	// The details, and a view without a filter, lead to the filter of the fleet.
	const filtered = isFilterable(screen.view) ? screen : showView(homeView)(screen);
	return {
		...filtered,
		isDetailOpen: screen.isDetailOpen && !isTable(filtered),
		open: {
			kind: 'filter',
			before: { filter: currentFilter(filtered), cursor: screen.cursor },
		},
		entry: undefined,
	};
};

/** After a filter of the table, going back leads to no earlier view, because the person now works in the table. */
export const setFilter =
	(text: string): Move =>
	screen => {
		const filtered = withFilter(screen, text);
		return isTable(screen) ? { ...filtered, viewsBehind: [] } : filtered;
	};

export const endFilter: Move = screen => {
	const filter = currentFilter(screen);
	const kept = filter.trimEnd();
	return { ...(kept === filter ? screen : withFilter(screen, kept)), open: undefined };
};

export const filterFleet =
	(text: string): Move =>
	screen => {
		const fleet = showView(homeView)(screen);
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
		const fields: readonly string[] = isTable(screen)
			? viewport.orderableFields
			: (viewRows[screen.view].orderFields ?? []);
		const at = fields.indexOf(currentOrdering(screen)?.by ?? '');
		const next = fields[(Math.max(0, at) + direction + fields.length) % fields.length];
		if (next === undefined) return screen;
		return withOrdering(screen, next, isTable(screen) && isFirstReversed(next), viewport);
	};

export const reverseOrder: Move = (screen, viewport) => {
	const ordering = currentOrdering(screen);
	return ordering && isReversible(ordering.by)
		? withOrdering(screen, ordering.by, !ordering.isReversed, viewport)
		: screen;
};

export const openOrderMenu: Move = screen => ({
	...screen,
	open: { kind: 'order' },
	entry: undefined,
});

export const orderByField =
	(field: OrderField): Move =>
	(screen, viewport) => {
		const ordering = currentOrdering(screen);
		const isAgain = ordering?.by === field && isReversible(field);
		const isReversed = isAgain ? !ordering.isReversed : isFirstReversed(field);
		return withOrdering({ ...screen, open: undefined }, field, isReversed, viewport);
	};

function isFirstReversed(by: string): boolean {
	const field = orderFieldFrom(by);
	return field !== undefined && showsLargestFirst(field);
}

function withOrdering(screen: Screen, by: string, isReversed: boolean, viewport: Viewport): Screen {
	const { orderings, view } = screen;
	const ordered = { ...screen, orderings: { ...orderings, [view]: { by, isReversed } } };
	return isTable(screen) ? withFirstRowShown(ordered, viewport) : ordered;
}

// The columns

export const showColumns =
	(columns: readonly string[]): Move =>
	screen => ({ ...screen, columns });

type ColumnMenu = Extract<Open, { kind: 'columns' }>;

const inColumnMenu =
	(change: (menu: ColumnMenu) => Partial<ColumnMenu>): Move =>
	screen => {
		const { open: menu } = screen;
		if (menu?.kind !== 'columns') return screen;
		const { choices, index } = { ...menu, ...change(menu) };
		const shown = choices.filter(({ isShown }) => isShown).map(({ name }) => name);
		return {
			...screen,
			columns: choices === menu.choices ? screen.columns : shown,
			open: { kind: 'columns', choices, index },
		};
	};

export const stepInColumns = (steps: 1 | -1): Move =>
	inColumnMenu(({ choices, index }) => ({ index: clamp(index + steps, choices.length) }));

export const toggleColumn = inColumnMenu(({ choices, index }) => {
	const chosen = choices[index];
	if (!chosen || chosen.isFixed) return {};
	return { choices: choices.with(index, { ...chosen, isShown: !chosen.isShown }) };
});

export const shiftColumn = (direction: 1 | -1): Move =>
	inColumnMenu(({ choices, index }) => {
		const to = clamp(index + direction, choices.length);
		const chosen = choices.slice(index, index + 1);
		return { choices: choices.toSpliced(index, 1).toSpliced(to, 0, ...chosen), index: to };
	});

// The map

export const toggleMap: Move = screen => ({
	...screen,
	map: { ...screen.map, isOpen: !screen.map.isOpen },
});

// The groups of the table

const nextGrouping = (grouping: Screen['grouping']) =>
	groupings[grouping === undefined ? 0 : groupings.indexOf(grouping) + 1];

/** The cursor stays on its computer. The table may be hidden behind the details. */
const tableGroupedBy = (screen: Screen, grouping: Screen['grouping']): Screen => ({
	...screen,
	grouping,
	isDetailOpen: false,
});

/** Of the map while it is open. */
export const groupBy =
	(grouping: Screen['grouping']): Move =>
	screen =>
		screen.map.isOpen
			? { ...screen, map: { ...screen.map, grouping: grouping ?? screen.map.grouping } }
			: tableGroupedBy(screen, grouping);

export const groupByNext: Move = screen => tableGroupedBy(screen, nextGrouping(screen.grouping));

function withFolded(
	screen: Screen,
	viewport: Viewport,
	foldedGroups: Screen['foldedGroups'],
	isFolded: boolean,
): Screen {
	const folded = { ...screen, foldedGroups, isDetailOpen: false };
	const { lines } = viewport;
	const index = headingIndex(lines, cursorIndex(screen, lines));
	return isFolded ? withCursorAt(folded, index, viewport) : folded;
}

export const toggleGroup =
	(heading?: HeadingId): Move =>
	(screen, viewport) => {
		const { lines } = viewport;
		const index = lines.findIndex(({ id }) => id === heading);
		const there = withCursorAt(screen, index, viewport);
		const id = lines[headingIndex(lines, cursorIndex(there, lines))]?.id;
		if (!isHeadingId(id)) return screen;
		const foldedGroups = new Set(screen.foldedGroups);
		if (!foldedGroups.delete(id)) foldedGroups.add(id);
		return withFolded(there, viewport, foldedGroups, isGroupFolded(foldedGroups, id));
	};

export const toggleAllGroups: Move = (screen, viewport) => {
	const ids = viewport.lines.flatMap(({ id }) => (isHeadingId(id) ? id : []));
	const [first] = ids;
	if (first === undefined) return screen;
	const every = everyGroupLike(first);
	const isFolded = ids.some(id => !isGroupFolded(screen.foldedGroups, id));
	const others = [...screen.foldedGroups].filter(id => everyGroupLike(id) !== every);
	return withFolded(screen, viewport, new Set(isFolded ? [...others, every] : others), isFolded);
};

export const nextInMap =
	(look: 'grouping' | 'colouring'): Move =>
	screen => {
		const next = groupings[(groupings.indexOf(screen.map[look]) + 1) % groupings.length];
		return { ...screen, map: { ...screen.map, [look]: next } };
	};
