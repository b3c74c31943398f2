import { createJointAccountSelector, createJointRunwaySelector } from '../store/joint-account.ts';
import { createOpenedAccountsSelector } from '../store/opened-accounts.ts';
import { createCountsSelector } from '../store/selectors.ts';
import { createOldStatusCount, createStatusAges } from '../store/freshness.ts';
import { createVisibleRows } from '../wording/table/visible-rows.ts';
import { createViewSelectors } from '../wording/views/view-texts.ts';

export type Selectors = ReturnType<typeof createSelectors>;

/** Creates the selectors. Each keeps its last result until its input changes. */
export function createSelectors(lowCreditsMs: number) {
	return {
		accountsOf: createOpenedAccountsSelector(),
		jointAccount: createJointAccountSelector(),
		visibleRows: createVisibleRows(),
		countsOf: createCountsSelector(),
		withOldApart: createOldStatusCount(),
		statusAgesOf: createStatusAges(),
		runwayOf: createJointRunwaySelector(lowCreditsMs),
		viewSelectors: createViewSelectors(),
	};
}
