import type { StoreApi } from 'zustand/vanilla';
import type { Clock } from '../fleet/clock.ts';
import type { Preferences } from '../fleet/preferences.ts';
import type { Screen } from '../screen/screen.ts';
import type { AccountSession } from '../session/session.ts';
import { createCountsOf } from '../store/counts.ts';
import { createRunwayOf } from '../store/runway.ts';
import { emptyAccount } from '../store/state.ts';
import { createVisibleRows } from '../wording/visible-rows.ts';
import type { Moment } from './moment.ts';
import { pageLines } from './reading.ts';
import type { Scene } from './scene.ts';
import { createSpokenTheme, unbounded } from './words.ts';

type SceneDeps = {
	session: AccountSession;
	screens: StoreApi<Screen>;
	clock: Clock;
	notify: Preferences['notify'] | undefined;
};

export type SceneReader = { sceneNow(): Scene; momentNow(): Moment };

const day = 86_400_000;

// A page moves by one line less than there are.
const layout = {
	isTooSmall: false,
	columns: unbounded,
	rows: unbounded,
	hasCounts: true,
	hasRules: true,
	hasNews: true,
	lines: pageLines + 1,
} as const;

/** All that there is to tell of, looked up whenever somebody asks. */
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
			const shown = shownOf({ account, screen, layout, now });
			return {
				account,
				screen,
				shown,
				picture: operations.picture(),
				waitingFor: operations.waiting(),
				timeLeft: operations.timeLeft,
				counts: countsOf(shown.all),
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
			const waits: Moment['waiting'] = new Map(
				[...account.operations.values()].flatMap(({ wish, stage }) => {
					const isAlone = stage === 'asked' && wish.batch === undefined;
					const waiting = isAlone ? waitingFor(wish.key) : undefined;
					return waiting ? [[wish.key, waiting] as const] : [];
				}),
			);
			return {
				account,
				picture: operations.picture(),
				waiting: waits,
				timeLeft: operations.timeLeft,
				runway: runwayOf(account),
				lowBelow: notify?.creditsLeft ?? day,
				now: clock.now(),
			};
		},
	};
}
