import { maxScroll } from '../drawing/layout.ts';
import { createQrOf, type QrOf } from '../drawing/qr.ts';
import { sectionsHeight } from '../drawing/section.ts';
import type { Theme } from '../drawing/theme.ts';
import type { Runway } from '../fleet/runway.ts';
import type { Screen } from '../screen/screen.ts';
import type { AccountState } from '../store/state.ts';
import { billingSections } from '../wording/billing-text.ts';
import { createLogFilter } from '../wording/log-text.ts';
import { modelsSections } from '../wording/models-text.ts';
import { createVersionCounts, versionsSections } from '../wording/versions-text.ts';
import { BillingView } from './BillingView.tsx';
import { LogView } from './LogView.tsx';
import { ModelsView } from './ModelsView.tsx';
import { VersionsView } from './VersionsView.tsx';

/** What these views compute once and keep until something in it changes. */
export type Selections = {
	runningOf: ReturnType<typeof createVersionCounts>;
	logOf: ReturnType<typeof createLogFilter>;
	qrOf: QrOf;
};

export function createSelections(): Selections {
	return { runningOf: createVersionCounts(), logOf: createLogFilter(), qrOf: createQrOf() };
}

type Asked = {
	account: AccountState;
	screen: Screen;
	runway: Runway | null;
	selections: Selections;
	width: number;
	lines: number;
	now: number;
	theme: Theme;
};

/** The view that was chosen, if it is not the fleet. */
export function OtherView({ isLowBandwidth, ...asked }: Asked & { isLowBandwidth: boolean }) {
	const { account, screen, selections, width, lines, now, theme } = asked;
	const shared = { width, lines, now, theme, first: screen.scroll };
	switch (screen.view) {
		case 'billing':
			return <BillingView {...billingAsked(asked)} {...shared} isLowBandwidth={isLowBandwidth} />;
		case 'models': {
			const ordering = screen.modelOrdering;
			return <ModelsView {...shared} {...{ account, ordering }} isLowBandwidth={isLowBandwidth} />;
		}
		case 'versions': {
			const running = selections.runningOf(account);
			return (
				<VersionsView
					{...shared}
					{...{ account, versionCounts: running }}
					isLowBandwidth={isLowBandwidth}
				/>
			);
		}
		case 'log': {
			const { changes } = account;
			const entries = selections.logOf(changes, screen.logFilter);
			const about = { entries, total: changes.length, filter: screen.logFilter };
			return <LogView {...shared} {...about} />;
		}
		case 'fleet':
			return null;
	}
}

/** How far it can be scrolled. */
export function scrollableOf(asked: Asked): number {
	const { account, screen, selections, width, lines, now, theme } = asked;
	const height = () => {
		switch (screen.view) {
			case 'billing':
				return sectionsHeight(billingSections(billingAsked(asked)));
			case 'models': {
				const ordering = screen.modelOrdering;
				return sectionsHeight(modelsSections({ account, ordering, now, width, theme }));
			}
			case 'versions': {
				const running = selections.runningOf(account);
				return sectionsHeight(
					versionsSections({ account, versionCounts: running, now, width, theme }),
				);
			}
			case 'log':
				return selections.logOf(account.changes, screen.logFilter).length;
			case 'fleet':
				return 0;
		}
	};
	return maxScroll(height(), lines);
}

function billingAsked({ account, screen, runway, selections, width, lines, now, theme }: Asked) {
	const { payment } = screen;
	const { qrOf } = selections;
	return { account, runway, qrOf, width, lines, now, theme, ...(payment && { payment }) };
}
