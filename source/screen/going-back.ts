import { currentFilter, isMap, isTable, type Screen } from './screen.ts';
import { withFilter, withViewBack } from './view-change.ts';
import { homeView, viewRows } from './view-table.ts';

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

/** Clears the filter of the help, or else closes the help. */
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
