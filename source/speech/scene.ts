import type { StoreApi } from 'zustand/vanilla';
import type { Theme } from '../drawing/theme.ts';
import type { Clock } from '../fleet/clock.ts';
import type { Preferences } from '../fleet/preferences.ts';
import type { Runway } from '../fleet/runway.ts';
import type { Operations, OperationsState } from '../operations/operations.ts';
import type { WaitReason } from '../operations/waiting.ts';
import type { Screen } from '../screen/screen.ts';
import type { AccountSession } from '../session/session.ts';
import { type Counts, createCountsOf, createRunwayOf } from '../store/selectors.ts';
import { type AccountState, emptyAccount } from '../store/state.ts';
import type { AddressBuilders } from '../wording/ports-table.ts';
import { createVisibleRows, type VisibleRows } from '../wording/visible-rows.ts';
import { createSpokenTheme, unlimitedWidth } from './words.ts';

/** Everything that can be spoken about, at one moment. */
export type Scene = AddressBuilders & {
	account: AccountState;
	screen: Screen;
	shown: VisibleRows;
	operationsState: OperationsState;
	waitingFor: Operations['waitingFor'];
	timeLeft: Operations['timeLeft'];
	counts: Counts;
	runway: Runway | null;
	now: number;
	theme: Theme;
};

/** News are the differences between two moments. */
export type Moment = {
	account: AccountState;
	operationsState: OperationsState;
	/** Why each unsent operation waits, by its key. */
	waitReasonByKey: ReadonlyMap<string, WaitReason>;
	timeLeft: Operations['timeLeft'];
	runway: Runway | null;
	/** Credits are low when they last no longer than this. */
	lowCreditsMs: number;
	now: number;
};

type SceneDeps = {
	session: AccountSession;
	screens: StoreApi<Screen>;
	clock: Clock;
	notify: Preferences['notify'] | undefined;
};

export type SceneReader = { sceneNow(): Scene; momentNow(): Moment };

const dayMs = 86_400_000;

/** How many lines are spoken at once of a longer text. */
export const linesPerPage = 10;

// A page moves by one line less than it has.
const spokenLayout = {
	isTooSmall: false,
	columns: unlimitedWidth,
	rows: unlimitedWidth,
	hasCounts: true,
	hasRules: true,
	hasNews: true,
	lines: linesPerPage + 1,
} as const;

/** Reads the current scene and moment from the store. */
export function createSceneReader({ session, screens, clock, notify }: SceneDeps): SceneReader {
	const { store, operations, platform } = session;
	const theme = createSpokenTheme();
	const shownOf = createVisibleRows();
	const countsOf = createCountsOf();
	const runwayOf = createRunwayOf();
	const accountNow = () => store.getState().accounts.get(session.account) ?? emptyAccount;

	return {
		sceneNow() {
			const account = accountNow();
			const screen = screens.getState();
			const now = clock.now();
			const shown = shownOf({ account, screen, layout: spokenLayout, now });
			return {
				account,
				screen,
				shown,
				operationsState: operations.state(),
				waitingFor: operations.waiting(),
				timeLeft: operations.timeLeft,
				counts: countsOf(shown.allRows),
				runway: runwayOf(account),
				publicAddress: platform.publicAddress,
				shareAddress: platform.shareAddress,
				now,
				theme,
			};
		},
		momentNow() {
			const account = accountNow();
			const waitingFor = operations.waiting();
			const waits: Moment['waitReasonByKey'] = new Map(
				[...account.operations.values()].flatMap(({ spec, stage }) => {
					const isAlone = stage === 'asked' && spec.batch === undefined;
					const waiting = isAlone ? waitingFor(spec.key) : undefined;
					return waiting ? [[spec.key, waiting] as const] : [];
				}),
			);
			return {
				account,
				operationsState: operations.state(),
				waitReasonByKey: waits,
				timeLeft: operations.timeLeft,
				runway: runwayOf(account),
				lowCreditsMs: notify?.creditsLeft ?? dayMs,
				now: clock.now(),
			};
		},
	};
}
