import { isTable, type Screen } from './screen.ts';
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

export function withView(screen: Screen, view: View): Screen {
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

/** Shows the view from which the current one was opened, as it was, or else the home view. */
export function withViewBack(screen: Screen): Screen {
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
