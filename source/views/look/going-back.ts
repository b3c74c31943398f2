import type { GlobalId } from '../../fleet/computers/global-id.ts';
import type { Choice } from './choice.ts';
import { currentFilter, isMap, isTable, type Screen } from './screen.ts';
import { endScrollPosition, homeView, type View, viewRows } from './view-table.ts';
import type { Viewport } from './viewport.ts';

export function withFilter(screen: Screen, text: string): Screen {
	const filters = { ...screen.filters, [screen.view]: text };
	if (isTable(screen)) return { ...screen, filters };
	const listCursors = { ...screen.listCursors, [screen.view]: undefined };
	return { ...screen, filters, listCursors, scroll: 0 };
}

/** After a filter of the table, going back leads to no earlier view, because the person now works in the table. */
export function withFilterChosen(screen: Screen, text: string): Screen {
	const filtered = withFilter(screen, text);
	return isTable(screen) ? { ...filtered, viewsBehind: [] } : filtered;
}

export function withHelpFilter(screen: Screen, filter: string): Screen {
	const listCursors = { ...screen.listCursors, help: undefined };
	return { ...screen, help: { ...screen.help, filter }, listCursors, scroll: 0 };
}

function withView(screen: Screen, view: View): Screen {
	const listCursors = { ...screen.listCursors, [view]: undefined };
	const scroll = viewRows[view].followsEnd ? endScrollPosition : 0;
	return { ...screen, view, scroll, listCursors, isHelpOpen: false, isFiltering: false };
}

/** Going back leads to the previous view only from a view without a tab. */
export function withViewChosen(screen: Screen, view: View): Screen {
	if (!viewRows[view].isApart) return { ...withView(screen, view), viewsBehind: [] };
	return withView(view === screen.view ? screen : withLookKept(screen), view);
}

export function withLookKept(screen: Screen, hasOpenedDetail = false): Screen {
	const { view, scroll, listCursors, filters, isDetailOpen } = screen;
	const look = { view, scroll, listCursors, filters, isDetailOpen };
	return { ...screen, viewsBehind: [...screen.viewsBehind, { look, hasOpenedDetail }] };
}

function withLookBehind(screen: Screen): Screen {
	const viewsBehind = screen.viewsBehind.slice(0, -1);
	return { ...withView(screen, homeView), ...screen.viewsBehind.at(-1)?.look, viewsBehind };
}

export function withChoiceOpened(
	screen: Screen,
	{ id: lineId, opens }: Choice,
	viewport: Viewport,
): Screen {
	if (!opens) return screen;
	if (opens.type === 'computer') return withDetailShown(screen, opens.id, viewport);
	if (opens.type === 'filter') {
		const home = { ...withView(withLookKept(screen), homeView), isDetailOpen: false };
		return withFilter(home, opens.text);
	}
	const unfoldedIds = new Set(screen.unfoldedIds);
	if (!unfoldedIds.delete(lineId)) unfoldedIds.add(lineId);
	return { ...screen, unfoldedIds };
}

/** Closing the details leads back to the current view. */
export function withDetailShown(screen: Screen, id: GlobalId, viewport: Viewport): Screen {
	const kept = isTable(screen) ? screen : withLookKept(screen, true);
	return { ...withComputerShown(kept, id, viewport), isDetailOpen: true };
}

/** A filter that hides the computer is cleared, because the cursor is never on a hidden row. */
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

export function withOpenPartClosed(screen: Screen): Screen | undefined {
	if (screen.isHelpOpen) return { ...screen, isHelpOpen: false, scroll: 0 };
	if (screen.columnMenu) return { ...screen, columnMenu: undefined };
	const behind = screen.viewsBehind.at(-1);
	if (isTable(screen) && screen.isDetailOpen && !behind?.hasOpenedDetail)
		return { ...screen, isDetailOpen: false };
	return behind || !isTable(screen) ? withLookBehind(screen) : undefined;
}

export function withTopClosed(screen: Screen): Screen {
	if (screen.isWelcomeOpen) return { ...screen, isWelcomeOpen: false };
	if (screen.palette) return { ...screen, palette: undefined };
	if (screen.isOrderMenuOpen) return { ...screen, isOrderMenuOpen: false };
	const { help } = screen;
	if (screen.isHelpOpen && (help.isFiltering || help.filter !== ''))
		return withHelpFilter({ ...screen, help: { ...help, isFiltering: false } }, '');
	if (screen.isFiltering) {
		const { filter = '', cursor } = screen.beforeFiltering ?? {};
		const restored = (isTable(screen) ? cursor : undefined) ?? screen.cursor;
		return withFilter({ ...screen, cursor: restored, isFiltering: false }, filter);
	}
	const hasFilter = currentFilter(screen) !== '';
	if (!screen.isHelpOpen && !screen.columnMenu) {
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
