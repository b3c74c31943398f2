import { maxScroll } from '../drawing/layout.ts';
import { createQrRenderer, type QrRenderer } from '../drawing/qr.ts';
import { type Section, sectionsHeight } from '../drawing/section.ts';
import type { Theme } from '../drawing/theme.ts';
import type { Runway } from '../fleet/runway.ts';
import type { Screen, View } from '../screen/screen.ts';
import type { AccountState } from '../store/state.ts';
import { billingSections, billingTitle } from '../wording/billing-text.ts';
import { createLogFilter } from '../wording/log-text.ts';
import { modelsSections, modelsTitle } from '../wording/models-text.ts';
import { createVersionCounter, versionsSections, versionsTitle } from '../wording/versions-text.ts';
import { LogView } from './LogView.tsx';
import { Stack, type StackProps } from './Stack.tsx';

/** Functions that compute values for the views, and keep each result until their input changes. */
export type ViewSelectors = {
	versionCounts: ReturnType<typeof createVersionCounter>;
	logOf: ReturnType<typeof createLogFilter>;
	qrOf: QrRenderer;
};

export function createViewSelectors(): ViewSelectors {
	return {
		versionCounts: createVersionCounter(),
		logOf: createLogFilter(),
		qrOf: createQrRenderer(),
	};
}

export type AccountViewOptions = {
	account: AccountState;
	screen: Screen;
	runway: Runway | null;
	viewSelectors: ViewSelectors;
	width: number;
	lines: number;
	now: number;
	theme: Theme;
};

type StackedView = {
	title: (options: AccountViewOptions) => StackProps['title'];
	sections: (options: AccountViewOptions) => readonly Section[];
};

/** The views that consist of a title and sections. The log, which is long, is drawn by LogView instead. */
const stackedViews: Readonly<Record<Exclude<View, 'fleet' | 'log'>, StackedView>> = {
	//  Billing                                                              read 12s ago
	//  Credits   41.50                       Lasts     2d 2h, until 2026-11-23 10:14 at this pace
	//  Burn      0.82 an hour, 19.68 a day   Plan      Pro, active
	//
	//   80.12 │ ───────╮
	//         │        ╰────╮
	//   41.50 │             ╰─────
	//         2026-11-14 07:31                                  now
	//
	//  PLAN    A COMPUTER
	//  Free    sleeps after 15 min idle
	//  Pro     sleeps after 30 min idle   ▪ yours
	billing: {
		title: options => billingTitle(billingOptions(options)),
		sections: options => billingSections(billingOptions(options)),
	},

	//  Models  12  prices per million tokens                          read 4m ago
	//  MODEL▲               OWNER        CONTEXT      INPUT     OUTPUT
	//  harbor-large         crowsnest       200k       3.00      15.00
	//  harbor-small         crowsnest       128k       0.25       1.25
	models: {
		title: options => modelsTitle({ ...options, ordering: options.screen.modelOrdering }),
		sections: options => modelsSections({ ...options, ordering: options.screen.modelOrdering }),
	},

	//  Versions                                                          read 12m ago
	//  Latest  1.4.2  stable  released 2026-11-14 09:00 (7d ago)
	//  Faster starts
	//  · fixed: a full disk no longer stops the image from loading
	//
	//  3 of 24 are behind, of 4 it is not known
	//  VERSION   COMPUTERS
	//  1.4.2            17   ━━━━━━━━━━━━━━━━━━━━━╸─────────
	//  1.3.9 ↑           3   ━━━╸───────────────────────────
	//  unknown           4   ━━━━━──────────────────────────
	versions: {
		title: options => versionsTitle(versionsOptions(options)),
		sections: options => versionsSections(versionsOptions(options)),
	},
};

function billingOptions({
	screen: { payment },
	viewSelectors: { qrOf },
	...options
}: AccountViewOptions) {
	return { ...options, qrOf, ...(payment && { payment }) };
}

function versionsOptions(options: AccountViewOptions) {
	return { ...options, versionCounts: options.viewSelectors.versionCounts(options.account) };
}

/** The open view, unless it is the fleet: billing, models, versions or log. */
export function AccountView(props: AccountViewOptions & Pick<StackProps, 'isLowBandwidth'>) {
	const { account, screen, viewSelectors, width, lines, now, theme, isLowBandwidth } = props;
	const { view, logFilter, scroll: firstLine } = screen;
	if (view === 'fleet') return null;
	if (view === 'log') {
		const { changes } = account;
		const entries = viewSelectors.logOf(changes, logFilter);
		const log = { entries, totalCount: changes.length, filter: logFilter };
		return <LogView {...log} {...{ firstLine, width, lines, now, theme }} />;
	}
	const { title, sections } = stackedViews[view];
	const place = { firstLine, width, lines, isLowBandwidth, theme };
	return <Stack title={title(props)} sections={sections(props)} {...place} />;
}

/** Returns how many lines the open view can be scrolled. */
export function maxAccountViewScroll(options: AccountViewOptions): number {
	const { account, screen, viewSelectors, lines } = options;
	const { view, logFilter } = screen;
	if (view === 'fleet') return 0;
	if (view === 'log')
		return maxScroll(viewSelectors.logOf(account.changes, logFilter).length, lines);
	return maxScroll(sectionsHeight(stackedViews[view].sections(options)), lines);
}
