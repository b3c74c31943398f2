import type { StoreApi } from 'zustand/vanilla';
import { defaultNotices, type Preferences } from '../accounts/settings.ts';
import { type GlobalId, splitGlobalId } from '../fleet/computers/global-id.ts';
import type { Runway } from '../fleet/computers/runway.ts';
import { isUnsent } from '../fleet/operations/operation.ts';
import type { Clock } from '../foundation/clock.ts';
import { createTheme } from '../lines/theme.ts';
import type { Operations } from '../operations/operations.ts';
import type { OperationsState } from '../operations/operations-state.ts';
import type { WaitReason } from '../operations/why-not.ts';
import type { Screen } from '../screen/screen.ts';
import type { SessionTable } from '../session/session-table.ts';
import { createOldStatusCount } from '../store/freshness.ts';
import {
	createJointAccountSelector,
	createJointRunwaySelector,
	nameWithAccount,
} from '../store/joint-account.ts';
import {
	accountOfRow,
	createOpenedAccountsSelector,
	type OpenedAccount,
} from '../store/opened-accounts.ts';
import { createCountsSelector } from '../store/selectors.ts';
import type { JointAccount } from '../store/state.ts';
import { createVisibleRows, type VisibleRows } from '../views/fleet/rows.ts';
import type { Scene } from '../views/scene.ts';
import { unlimitedWidth } from './words.ts';

/** What a person could hear about at one moment. The spoken answers to keys are made from it. */
export type SpokenScene = Scene & { visibleRows: VisibleRows };

/** The state at one moment. News is found by comparing the states at two moments. */
export type SpokenMoment = {
	account: JointAccount;
	/** Returns the name of a computer. */
	nameOf: (id: GlobalId) => string;
	operationsState: OperationsState;
	/**
	 * The reason why each unsent operation waits, by the key of the operation. Operations of a batch are left
	 * out.
	 */
	waitReasonByKey: ReadonlyMap<string, WaitReason>;
	estimateTimeLeft: Operations['estimateTimeLeft'];
	runway: Runway | null;
	/** If the credits last no longer than this time in milliseconds, a warning is spoken. */
	now: number;
};

type SceneDeps = {
	sessions: SessionTable;
	screenStore: StoreApi<Screen>;
	clock: Clock;
	announcementSettings: Preferences['notify'] | undefined;
};

export type SceneReader = { sceneNow(): SpokenScene; momentNow(): SpokenMoment };

/** The number of lines of a long text that are spoken at once. */
export const linesPerPage = 10;

// A page key moves the cursor by one line less than the height of the layout. So the layout is one line higher than a
// spoken page.
const spokenLayout = {
	isTooSmall: false,
	columns: unlimitedWidth,
	rows: unlimitedWidth,
	hasCounts: true,
	hasRuleAbove: true,
	hasRuleBelow: true,
	hasActivity: true,
	tableRowCount: linesPerPage + 1,
} as const;

/** Creates a reader that takes the current scene and moment from the store. */
export function createSceneReader({
	sessions,
	screenStore,
	clock,
	announcementSettings = defaultNotices,
}: SceneDeps): SceneReader {
	const { store, operations } = sessions;
	const theme = createTheme({ colourBits: 0, background: 'dark', hasUnicode: true });
	const shownOf = createVisibleRows();
	const countsOf = createCountsSelector();
	const withOldApart = createOldStatusCount();
	const accountsOf = createOpenedAccountsSelector();
	const jointOf = createJointAccountSelector();
	const runwayOf = createJointRunwaySelector(announcementSettings.creditsLeft);
	const addressesOf = (account: string) => sessions.sessionOf(account).platform;
	const accountsNow = () => accountsOf(store.getState().accounts, sessions.profiles());

	return {
		sceneNow() {
			const accounts = accountsNow();
			const account = jointOf(accounts);
			const screen = screenStore.getState();
			const now = clock.now();
			const visibleRows = shownOf({ accounts, screen, layout: spokenLayout, now });
			const operationsState = operations.state();
			return {
				accounts,
				account,
				profiles: sessions.profiles(),
				badge: undefined,
				replay: undefined,
				canSignIn: false,
				isPasswordWanted: false,
				canChange: !operationsState.isReadOnly,
				actions: [],
				exitSummary: () => ({ sent: [], running: [], unknown: [], dropped: [] }),
				dialog: undefined,
				isDialogOpen: false,
				place: screen.view,
				layout: spokenLayout,
				shown: visibleRows,
				firstRow: 0,
				statusAges: undefined,
				width: Number.POSITIVE_INFINITY,
				height: Number.POSITIVE_INFINITY,
				hasUnicode: false,
				hasColours: true,
				isLowBandwidth: false,
				times: theme.times,
				addressesOf,
				screen,
				visibleRows,
				operationsState,
				waitingFor: operations.waitReasonsAt(),
				estimateTimeLeft: operations.estimateTimeLeft,
				counts: withOldApart(countsOf(visibleRows.allRows), visibleRows.allRows, accounts, now),
				runway: runwayOf(accounts),
				now,
				theme,
			};
		},
		momentNow() {
			const accounts = accountsNow();
			const account = jointOf(accounts);
			const waitingFor = operations.waitReasonsAt();
			const waits: SpokenMoment['waitReasonByKey'] = new Map(
				[...account.operations.values()].flatMap(({ spec, stage }) => {
					const isAlone = isUnsent({ stage }) && spec.batch === undefined;
					const waiting = isAlone ? waitingFor(spec.key) : undefined;
					return waiting ? [[spec.key, waiting] as const] : [];
				}),
			);
			return {
				account,
				nameOf: globalId => computerNameIn(accounts, globalId),
				operationsState: operations.state(),
				waitReasonByKey: waits,
				estimateTimeLeft: operations.estimateTimeLeft,
				runway: runwayOf(accounts),
				now: clock.now(),
			};
		},
	};
}

/** Returns the name of a computer, or its id. With several accounts, the account comes first. */
export function computerNameIn(accounts: readonly OpenedAccount[], globalId: GlobalId): string {
	const { account, id } = splitGlobalId(globalId);
	const { profile, state } = accountOfRow(accounts, { account }) ?? {};
	const name = state?.computers.get(id)?.reading.name ?? id;
	return profile && accounts.length > 1 ? nameWithAccount(profile.name, name) : name;
}
