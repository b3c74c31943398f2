import type { Span } from '../../drawing/span.ts';
import { memoize } from '../../foundation/memoize.ts';
import type { Binding } from '../../keys/binding.ts';
import { shownKeyOf } from '../../keys/shown-keys.ts';
import type { Theme } from '../../lines/theme.ts';
import { tabViews, type View, viewRows } from '../../screen/view-table.ts';

//  1 Fleet  2 Billing  3 Models  4 Versions  5 Log      the open view stands out in colour,
// [1 Fleet] 2 Billing  3 Models  4 Versions  5 Log      or in brackets where there are no colours
// [1 Fleet] 2  3  4  5                                  on a narrow screen
// [Fleet]                                               on a very narrow screen

/** How much of the tabs a line shows, from the longest form to the shortest. */
export type TabsForm = 'titles' | 'keys' | 'openOnly';

type TabsOptions = { view: View; bindings: readonly Binding[]; theme: Theme };

/** A tab of the header, with the cells that it takes, counted from the left edge of the line. */
export type HeaderTab = { view: View; text: string; from: number; to: number };

/** Returns the tabs of the header from left to right. Each has a blank or a bracket at either side. */
export function headerTabsOf(form: TabsForm, { view: openView, bindings, theme }: TabsOptions) {
	const tabs: HeaderTab[] = [];
	let from = 0;
	// In the shortest form, the only tab is that of the open view.
	const shown = form === 'openOnly' ? [openView] : tabViews;
	for (const view of shown) {
		const isOpen = view === openView;
		const key = form === 'openOnly' ? '' : (shownKeyOf(bindings, view) ?? '');
		const title = form === 'titles' || isOpen ? viewRows[view].title : '';
		const label = [key, title].filter(part => part !== '').join(' ');
		const text = tabText(label, isOpen, theme);
		const to = from + theme.ruler.width(text);
		tabs.push({ view, text, from, to });
		from = to;
	}
	return tabs;
}

const tabText = (label: string, isOpen: boolean, { hasColours }: Theme) =>
	isOpen && !hasColours ? `[${label}]` : ` ${label} `;

/** Returns how many cells the tabs take in this form. The number does not depend on the open view. */
export function tabsSlotWidth(form: TabsForm, { view, bindings, theme }: TabsOptions): number {
	return form === 'openOnly'
		? widestTabs(form, [view], bindings, theme)
		: slotWidths[form](form, tabViews, bindings, theme);
}

function widestTabs(
	form: TabsForm,
	open: readonly View[],
	bindings: readonly Binding[],
	theme: Theme,
): number {
	return Math.max(
		...open.map(view => headerTabsOf(form, { view, bindings, theme }).at(-1)?.to ?? 0),
	);
}

/** The line above the table compares several forms in each frame, so the widths are kept. */
const slotWidths = { titles: memoize(widestTabs), keys: memoize(widestTabs) };

export function tabsSpans(tabs: readonly HeaderTab[], openView: View): readonly Span[] {
	return tabs.map(({ view, text }) => [
		text,
		view === openView ? 'chosen' : 'faint',
		{ type: 'move', move: { type: 'view', view } },
	]);
}
