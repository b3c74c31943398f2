import { createStore, type StoreApi } from 'zustand/vanilla';
import type { PasswordRequest } from '../accounts/password-request.ts';
import type { Badge } from '../drawing/theme.ts';
import type { Clock } from '../fleet/clock.ts';
import type { Preferences } from '../fleet/preferences.ts';
import type { Binding } from '../keys/binding.ts';
import { bindings as defaultBindings } from '../keys/bindings.ts';
import { initialScreen, type Screen } from '../screen/screen.ts';
import type { AccountSession } from '../session/session.ts';
import { acceptOnSignIn } from '../session/sign-in-request.ts';
import type { SuspendEvents } from '../terminal/job-control.ts';
import { createHistoryLoader } from './history-loader.ts';
import { closeFinishedQuitDialog, holdCountdowns, type TerminalSize } from './hold-countdowns.ts';
import type { Player } from './replay-player.ts';
import { droppedFilterText, type ScreenKeeper } from './screen-persistence.ts';
import { createPasswordIntents, postponedWhileBusy } from './sign-in-intents.ts';

/** What a monitor shows: an account, the demo or a recording. */
export type MonitorContents = {
	session: AccountSession;
	/** Asks for a password while the monitor runs. */
	passwordRequest?: PasswordRequest;
	/** The account's badge in the header; a recording changes it when it ends. */
	badge?: StoreApi<Badge>;
	/** A notice for the opening of the monitor. */
	greeting?: string;
	/** Keeps the order, filter and view for the next start. */
	keeper?: ScreenKeeper;
	/** Reads the journal of a computer. */
	loadHistory?: (id: string) => void;
	/** All bindings, including the person's own keys. */
	bindings?: readonly Binding[];
	/** Which events are announced, and how. */
	notify?: Preferences['notify'];
	/** The names of the table's columns until others are chosen. */
	columns?: readonly string[];
	/** Plays a recording; absent in a live monitor. */
	player?: Player;
};

/** The options of every monitor, drawn or spoken. */
export type MonitorOptions = MonitorContents & {
	/** Lends the terminal to a password command that asks the person itself. */
	lend?: (work: () => Promise<void>) => Promise<void>;
	/** The welcome of the first start. */
	welcome?: { signIn: () => void };
	clock: Clock;
};

export type MonitorState = ReturnType<typeof createMonitorState>;

/** The state that the drawn and the spoken monitor have in common, with the screen of the last start. */
export function createMonitorState(
	options: Omit<MonitorOptions, 'columns'>,
	defaultColumns?: readonly string[],
) {
	const { session, keeper, loadHistory = () => {}, lend, welcome, clock } = options;
	const { account, operations } = session;
	const { droppedFilter, ...restoredScreen } = keeper?.restore() ?? {};
	const screens = createStore<Screen>(() => ({
		...initialScreen(account),
		columns: defaultColumns,
		...restoredScreen,
		isWelcoming: welcome !== undefined,
	}));
	const passwordRequest =
		options.passwordRequest && postponedWhileBusy(options.passwordRequest, { screens, operations });

	return {
		screens,
		passwordRequest,
		passwords: createPasswordIntents(
			passwordRequest,
			clock,
			passwordLetters => screens.setState({ passwordLetters }),
			lend,
		),
		history: createHistoryLoader({ clock, loadHistory }),
		/** Explains why the saved filter is gone. */
		droppedFilterNotice: droppedFilter === undefined ? undefined : droppedFilterText(droppedFilter),
		/** Saves the screen for the next start. */
		saveScreen() {
			const { columns, ...screen } = screens.getState();
			const isDefault = String(columns) === String(defaultColumns);
			keeper?.save({ ...screen, columns: isDefault ? undefined : columns });
		},
	};
}

/** Keys that would be refused are not offered; pressing one shows why. */
export function withRefusals(
	bindings: readonly Binding[] = defaultBindings,
	isRefused: (binding: Binding) => boolean,
): readonly Binding[] {
	return bindings.map(binding => ({ ...binding, isRefused: isRefused(binding) }));
}

type FollowDialogsDeps = {
	session: AccountSession;
	state: Pick<MonitorState, 'screens' | 'passwordRequest'>;
	terminal: SuspendEvents;
	/** Absent where any terminal is large enough. */
	size?: TerminalSize;
	clock: Clock;
};

/** Holds countdowns while a dialog covers them, and closes a dialog once events have made it pointless. */
export function followDialogs({
	session,
	state: { screens, passwordRequest },
	terminal,
	size,
	clock,
}: FollowDialogsDeps): () => void {
	const { operations } = session;
	const unsubscribers = [
		holdCountdowns({ screens, operations, passwordRequest, terminal, size }),
		closeFinishedQuitDialog({ screens, session, clock }),
		passwordRequest ? acceptOnSignIn(passwordRequest, session) : () => {},
	];
	return () => {
		for (const unsubscribe of unsubscribers) unsubscribe();
	};
}
