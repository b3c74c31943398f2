import type { Span } from '../../drawing/span.ts';
import type { Theme } from '../../drawing/theme.ts';
import { type Binding, shownKeyOf } from '../../keys/binding.ts';
import { tabViews, type View, viewRows } from '../../screen/view-table.ts';

//  1 Fleet  2 Billing  3 Models  4 Versions  5 Log      the open view stands out in colour,
// [1 Fleet] 2 Billing  3 Models  4 Versions  5 Log      or in brackets where there are no colours
// [1 Fleet] 2  3  4  5                                  on a narrow screen
// [Fleet]                                               on a very narrow screen

/** How much of the tabs a line shows, from the longest form to the shortest. */
export type TabsForm = 'titles' | 'keys' | 'openOnly';

type TabsOptions = { view: View; bindings: readonly Binding[]; theme: Theme };

/** A tab of the header, with the cells that it takes, counted from the left edge of the line. */
export type Tab = { view: View; text: string; from: number; to: number };

/** Returns the tabs of the header from left to right. Each has a blank or a bracket at either side. */
export function tabsOf(form: TabsForm, { view: openView, bindings, theme }: TabsOptions) {
	const tabs: Tab[] = [];
	let from = 0;
	// A view without a tab of its own has one while it is open.
	const isOther = !tabViews.includes(openView);
	for (const view of isOther ? [...tabViews, openView] : tabViews) {
		const isOpen = view === openView;
		if (form === 'openOnly' && !isOpen) continue;
		const key = form === 'openOnly' ? '' : (shownKeyOf(bindings, view) ?? '');
		const title = form === 'titles' || isOpen ? viewRows[view].title : '';
		const label = [key, title].filter(part => part !== '').join(' ');
		const text = isOpen && !theme.hasColours ? `[${label}]` : ` ${label} `;
		const to = from + theme.ruler.width(text);
		tabs.push({ view, text, from, to });
		from = to;
	}
	return tabs;
}

export function tabsSpans(tabs: readonly Tab[], openView: View): readonly Span[] {
	return tabs.map(({ view, text }) => [
		text,
		view === openView ? 'chosen' : 'faint',
		{ type: 'move', move: { type: 'view', view } },
	]);
}
