import type { Ref } from 'react';
import type { Layout } from '../drawing/layout.ts';
import type { Badge, Theme } from '../drawing/theme.ts';
import type { AccountProfile } from '../fleet/computers/account-profile.ts';
import type { Runway } from '../fleet/computers/runway.ts';
import type { Binding, KeyContext } from '../keys/binding.ts';
import type { Operations } from '../operations/operations.ts';
import type { OperationsState } from '../operations/operations-state.ts';
import type { WaitReasonOf } from '../operations/why-not.ts';
import { isTable, type Screen } from '../screen/screen.ts';
import type { OpenedAccount } from '../store/opened-accounts.ts';
import type { FleetCounts } from '../store/selectors.ts';
import type { JointAccount } from '../store/state.ts';
import type { StatusAges } from '../store/freshness.ts';
import type { ReplayState } from '../wording/frame/replay-text.ts';
import { detailPlacement } from '../wording/table/detail-placement.ts';
import type { VisibleRows } from '../wording/table/visible-rows.ts';
import type { OpenText } from '../wording/views/open-text.ts';
import type { AddressesOf } from '../wording/views/ports-table.ts';
import type { ViewSelectors } from '../wording/views/view-texts.ts';
import type { DrawnTable } from './DrawnTable.ts';

/** All that the screen is drawn from. */
export type ScreenProps = {
	accounts: readonly OpenedAccount[];
	/** The joint state of all accounts. */
	account: JointAccount;
	addressesOf: AddressesOf;
	screen: Screen;
	badge: Badge | undefined;
	profiles?: readonly AccountProfile[] | undefined;
	/** The position in the recording that is replayed, if any. */
	replay?: ReplayState | undefined;
	table?: Ref<DrawnTable> | undefined;
	shown: VisibleRows;
	/** The index of the first visible row. */
	firstRow: number;
	counts: FleetCounts;
	statusAges: StatusAges | undefined;
	runway: Runway | null;
	layout: Extract<Layout, { isTooSmall: false }>;
	bindings: readonly Binding[];
	operationsState: OperationsState;
	/** The context of the next key, which decides what the keys line offers. */
	keyContext: KeyContext;
	/** Whether this program can open the password dialog. */
	canSignIn?: boolean;
	/** Whether the sign-in waits for a password. */
	isPasswordWanted?: boolean;
	waitingFor: WaitReasonOf;
	estimateTimeLeft: Operations['estimateTimeLeft'];
	viewSelectors: ViewSelectors;
	isDialogOpen?: boolean;
	isLowBandwidth: boolean;
	now: number;
	theme: Theme;
};

export function isTableShown(
	{ accounts, screen, layout }: ScreenProps,
	text: OpenText | undefined,
): boolean {
	const { place } = detailPlacement(screen, layout.columns, accounts.length);
	const hasRoom = text === undefined || place === 'beside';
	return isTable(screen) && !screen.isHelpOpen && hasRoom;
}
