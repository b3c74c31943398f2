import type { GlobalId } from '../../fleet/computers/global-id.ts';
import type { Choice } from './choice.ts';
import { currentFilter, isMap, isTable, type Screen, type Viewport } from './screen.ts';
import { endScrollPosition, homeView, type View, viewRows } from './view-table.ts';

export function withFilter(screen: Screen, text: string): Screen {
	const filters = { ...screen.filters, [screen.view]: text };
	if (isTable(screen)) return { ...screen, filters };
	const viewCursors = { ...screen.viewCursors, [screen.view]: undefined };
	return { ...screen, filters, viewCursors, scroll: 0 };
}

/**
 * Sets the filter that a person typed or chose. After a filter of the table, going back no longer leads to an earlier
 * view, because the person now works in the table.
 */
export function withFilterChosen(screen: Screen, text: string): Screen {
	const filtered = withFilter(screen, text);
	return isTable(screen) ? { ...filtered, viewsBehind: [] } : filtered;
}

function withView(screen: Screen, view: View): Screen {
	const viewCursors = { ...screen.viewCursors, [view]: undefined };
	const scroll = viewRows[view].followsEnd ? endScrollPosition : 0;
	return { ...screen, view, scroll, viewCursors, isHelpOpen: false, isFiltering: false };
}

/**
 * Shows the view that a person chose. Going back from it leads to the previous view only if the chosen view has no
 * tab.
 */
export function withViewChosen(screen: Screen, view: View): Screen {
	if (viewRows[view].isApart)
		return withView(view === screen.view ? screen : withViewKept(screen), view);
	return { ...withView(screen, view), viewsBehind: [] };
}

/** Keeps the current view, so that going back leads to it. */
export function withViewKept(screen: Screen, hasOpenedDetail = false): Screen {
	const { view, scroll, viewCursors, filters, isDetailOpen } = screen;
	const cursor = viewCursors[view];
	const kept = { view, scroll, cursor, filter: filters.fleet, isDetailOpen, hasOpenedDetail };
	return { ...screen, viewsBehind: [...screen.viewsBehind, kept].slice(-maxViewsBehind) };
}

// The most views that going back can lead through. A person does not remember more.
const maxViewsBehind = 20;

function withViewBack(screen: Screen): Screen {
	const behind = screen.viewsBehind.at(-1);
	if (!behind) return withView(screen, homeView);
	const { view, scroll, cursor, filter, isDetailOpen } = behind;
	const there = withView(screen, view);
	return {
		...there,
		viewsBehind: screen.viewsBehind.slice(0, -1),
		viewCursors: { ...there.viewCursors, [view]: cursor },
		filters: { ...screen.filters, fleet: filter },
		scroll,
		isDetailOpen,
	};
}

/** Shows the computer, the computers or the parts for which the chosen line of a view stands. */
export function withChoiceOpened(
	screen: Screen,
	{ id: lineId, opens }: Choice,
	viewport: Viewport,
): Screen {
	if (!opens) return screen;
	if (opens.type === 'parts') {
		const unfoldedIds = new Set(screen.unfoldedIds);
		if (!unfoldedIds.delete(lineId)) unfoldedIds.add(lineId);
		return { ...screen, unfoldedIds };
	}
	if (opens.type === 'filter') {
		const home = { ...withView(withViewKept(screen), homeView), isDetailOpen: false };
		return withFilter(home, opens.text);
	}
	return withDetailShown(screen, opens.id, viewport);
}

/** Opens the details of a computer. Closing them leads back to the current view. */
export function withDetailShown(screen: Screen, id: GlobalId, viewport: Viewport): Screen {
	const kept = isTable(screen) ? screen : withViewKept(screen, true);
	return { ...withComputerShown(kept, id, viewport), isDetailOpen: true };
}

/**
 * Moves the cursor to a computer in the table. A filter that hides the computer is cleared, because the cursor is never on
 * a hidden row.
 */
export function withComputerShown(
	screen: Screen,
	id: GlobalId,
	{ ids, maxRows }: Viewport,
): Screen {
	const home = { ...withView(screen, homeView), isDetailOpen: false };
	const index = ids.indexOf(id);
	const line = Math.max(0, Math.min(index, Math.floor(maxRows / 2)));
	const shown = index < 0 ? withFilter(home, '') : home;
	return { ...shown, cursor: { id, index: Math.max(0, index), line } };
}

/** Whether something is open that `close` closes: the help, a menu, a view or the details. */
export function hasOpenPart(screen: Screen): boolean {
	const { isHelpOpen, columnMenu, view, isDetailOpen, viewsBehind } = screen;
	const isMenuOpen = isHelpOpen || columnMenu !== undefined;
	return isMenuOpen || view !== homeView || isDetailOpen || viewsBehind.length > 0;
}

export function withOpenPartClosed(screen: Screen): Screen {
	if (screen.isHelpOpen) return { ...screen, isHelpOpen: false, scroll: 0 };
	if (screen.columnMenu) return { ...screen, columnMenu: undefined };
	if (screen.view !== homeView) return withViewBack(screen);
	if (screen.isDetailOpen) return withDetailClosed(screen);
	return screen.viewsBehind.length > 0 ? withViewBack(screen) : screen;
}

function withHelpClosed(screen: Screen): Screen {
	const isFiltered = screen.help.isFiltering || screen.help.filter !== '';
	const help = { ...screen.help, filter: '', isFiltering: false };
	return { ...screen, isHelpOpen: isFiltered, help, scroll: 0 };
}

/** Goes back one step, by closing what was opened last. */
export function withTopClosed(screen: Screen): Screen {
	if (screen.isWelcomeOpen) return { ...screen, isWelcomeOpen: false };
	if (screen.palette) return { ...screen, palette: undefined };
	if (screen.columnMenu) return { ...screen, columnMenu: undefined };
	if (screen.isOrderMenuOpen) return { ...screen, isOrderMenuOpen: false };
	if (screen.isHelpOpen) return withHelpClosed(screen);
	if (screen.isFiltering) {
		const { filter = '', cursor } = screen.beforeFiltering ?? {};
		const restored = (isTable(screen) ? cursor : undefined) ?? screen.cursor;
		return withFilter({ ...screen, cursor: restored, isFiltering: false }, filter);
	}
	if (viewRows[screen.view].showsPayment && screen.payment)
		return { ...screen, payment: undefined };
	if (!isTable(screen)) {
		return currentFilter(screen) === '' ? withViewBack(screen) : withFilter(screen, '');
	}
	if (screen.isDetailOpen) return withDetailClosed(screen);
	if (screen.marks.size > 0) return { ...screen, marks: new Set() };
	if (screen.viewsBehind.length > 0) return withViewBack(screen);
	if (isMap(screen) && currentFilter(screen) === '')
		return { ...screen, map: { ...screen.map, isOpen: false } };
	return withFilter(screen, '');
}

/** Closes the details, and goes back to the view from which they were opened. */
function withDetailClosed(screen: Screen): Screen {
	const isFromView = screen.viewsBehind.at(-1)?.hasOpenedDetail;
	return isFromView ? withViewBack(screen) : { ...screen, isDetailOpen: false };
}
