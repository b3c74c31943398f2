import type { PasswordPrompt } from '../accounts/password-request.ts';
import { memoize } from '../foundation/memoize.ts';
import { maxScrollOf } from '../lines/line.ts';
import { createTheme, type OwnColours } from '../lines/theme.ts';
import { createTimeFormatter } from '../lines/time-text.ts';
import { initialOperationsState, type OperationsState } from '../operations/operations.ts';
import { waitReasonsIn } from '../operations/why-not.ts';
import { accountAt } from '../store/past.ts';
import {
	countsOf,
	createJointRunwaySelector,
	createOpenedAccountsSelector,
	type FleetRow,
	happeningsIn,
	oldestAnswering,
} from '../store/selectors.ts';
import type { State } from '../store/state.ts';
import type { TerminalState } from '../terminal/features/environment.ts';
import { stateOfLines } from '../terminal/line-terminal.ts';
import { openDialogOf, placeOf } from './dialogs/dialog-table.ts';
import { mapOf } from './fleet/map.ts';
import { createVisibleRows, orderHeldMs } from './fleet/rows.ts';
import { extraRuleCount } from './frame/rules.ts';
import { layoutFor } from './layout.ts';
import { firstVisibleRow } from './look/cursor.ts';
import { initialScreen, type Screen } from './look/screen.ts';
import { openText } from './open-text.ts';
import type { AddressesOf, Scene } from './scene.ts';

type Passed = 'profiles' | 'badge' | 'replay' | 'exitSummary' | 'canSignIn' | 'actions';

export type MonitorData = Pick<Scene, Passed> & {
	accounts: State['accounts'];
	operations: OperationsState;
	passwordPrompt: PasswordPrompt | undefined;
};

export type SceneReader = (present: Present) => Scene;

type Present = {
	data: MonitorData;
	screen: Screen;
	terminal: TerminalState;
	columns: number;
	rows: number;
	now: number;
	lastKeyAt: number;
};

/** For a frame from the state that is drawn, and for a key from the latest state, which may not be on screen yet. */
export function createSceneReader(addressesOf: AddressesOf): SceneReader {
	const readLive = createReader(addressesOf);
	const readPast = createReader(addressesOf);
	const accountsAt = memoize(
		(accounts: State['accounts'], time: number) =>
			new Map(Array.from(accounts, ([name, state]) => [name, accountAt(state, time)])),
	);

	return present => {
		const { data, screen, now: end } = present;
		const { pastAt: time } = screen;
		const live = readLive(present);
		if (time === undefined) return live;
		const start = Math.min(...live.accounts.map(({ state }) => state.changes[0]?.at ?? end));
		const replay = { time, start, end, speed: 1, isPaused: true, isOver: false };
		const past = { ...data, replay, accounts: accountsAt(data.accounts, time) };
		// No key acts on a row there, so each time has its own order at once.
		const lastKeyAt = Number.NEGATIVE_INFINITY;
		return { ...readPast({ ...present, data: past, now: time, lastKeyAt }), live };
	};
}

function createReader(addressesOf: AddressesOf): SceneReader {
	const accountsOf = createOpenedAccountsSelector();
	const happeningsOf = memoize(happeningsIn);
	const visibleRows = createVisibleRows();
	const countsIn = memoize(countsOf);
	const runwayOf = createJointRunwaySelector();
	const themeOf = memoize(
		(
			colourBits: TerminalState['colourBits'],
			background: 'dark' | 'light',
			hasUnicode: boolean,
			ownColours: OwnColours | undefined,
		) => createTheme({ colourBits, background, hasUnicode, ownColours }),
	);
	const timesOf = memoize(createTimeFormatter);

	return function readScene(present: Present): Scene {
		const { data, screen, terminal, columns, rows, now, lastKeyAt } = present;
		const { operations: operationsState } = data;
		const { isLowBandwidth, hasUnicode, colourBits } = terminal;
		const background = screen.themeChoice ?? terminal.background ?? 'dark';
		const accounts = accountsOf(data.accounts, data.profiles);
		const layout = layoutFor(columns, rows, extraRuleCount(accounts, now));
		const dialog = openDialogOf(screen, data);
		// The welcome opens before a person has looked at any row.
		const isActing = dialog !== undefined && dialog.kind !== 'welcome';
		const isOrderHeld = isActing || now - lastKeyAt < orderHeldMs;
		const rowsShown = visibleRows({ accounts, screen, layout, isOrderHeld, now });
		const { operations, endedOperations, changes } = happeningsOf(accounts);
		// What is open is composed only when it is asked for.
		const scene: Scene = {
			profiles: data.profiles,
			badge: data.badge,
			replay: data.replay,
			exitSummary: data.exitSummary,
			canSignIn: data.canSignIn,
			actions: data.actions,
			accounts,
			account: oldestAnswering(accounts),
			operations,
			endedOperations,
			changes,
			runway: runwayOf(accounts),
			addressesOf,
			operationsState,
			waitingFor: waitReasonsIn(
				accounts.map(({ state }) => state),
				operationsState,
				now,
			),
			isPasswordWanted: data.passwordPrompt !== undefined,
			canChange: !operationsState.isReadOnly,
			screen,
			shown: {
				...rowsShown,
				filterCompletions: line =>
					(openText(scene)?.filterCompletions ?? rowsShown.filterCompletions)(line),
				linesFor: other => readScene({ ...present, screen: other }).shown.lines,
				mapCells: other => mapOf({ ...scene, screen: other }).groups.map(({ cells }) => cells),
				maxScroll: () => maxScrollOf(openText(scene)?.lines ?? [], scene.height - 1),
				choiceList: () => openText(scene)?.choiceList,
			},
			firstRow: firstVisibleRow(screen, rowsShown),
			counts: countsIn(rowsShown.allRows),
			dialog,
			place: layout.isTooSmall ? 'tooSmall' : placeOf(dialog, screen),
			width: columns,
			height: layout.tableRowCount + 1,
			layout,
			hasUnicode,
			isLowBandwidth,
			times: timesOf(isLowBandwidth),
			now,
			theme: themeOf(colourBits, background, hasUnicode, screen.ownColours),
		};
		return scene;
	};
}

// What a command prints: nobody moves a cursor or presses a key there.

export function printedScene({
	accounts,
	now,
	theme,
	width,
}: Pick<Scene, 'accounts' | 'now' | 'theme' | 'width'>): Scene {
	const addresses = { publicAddress: () => '', shareAddress: () => '' };
	const scene = createSceneReader(() => addresses)({
		data: {
			accounts: new Map(accounts.map(({ profile, state }) => [profile.account, state])),
			profiles: accounts.map(({ profile }) => profile),
			badge: undefined,
			replay: undefined,
			exitSummary: () => ({ sent: [], running: [], unknown: [], dropped: [] }),
			canSignIn: false,
			actions: [],
			operations: { ...initialOperationsState, isReadOnly: true },
			passwordPrompt: undefined,
		},
		screen: initialScreen(),
		terminal: stateOfLines,
		columns: Infinity,
		rows: Infinity,
		now,
		lastKeyAt: now,
	});
	return { ...scene, theme, width };
}

export const sceneOfRows = (scene: Scene, rows: readonly FleetRow[]): Scene => ({
	...scene,
	shown: { ...scene.shown, allRows: rows, rows, lines: rows, ids: rows.map(({ id }) => id) },
});
