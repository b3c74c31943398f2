import { defaultNotices } from '../accounts/settings.ts';
import type { SuspendEvents } from '../terminal/process/job-control.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { Screen } from '../views/look/screen.ts';
import type { ActionContext } from '../views/scene.ts';
import { startAnnouncing } from './announcements.ts';
import { createAttention } from './attention.ts';
import { closeFinishedQuitDialog, holdCountdowns, type TerminalSize } from './dialog-visibility.ts';
import { joinStores } from './joined-store.ts';
import { type LiveEffects, startLiveSettings } from './live-settings.ts';
import type { MonitorOptions, MonitorState } from './monitor-state.ts';
import { createActionRunner } from './run-actions.ts';

/** How the monitor meets a person: drawn on a screen, or spoken. */
type Face = {
	terminal: ActionContext['terminal'] &
		SuspendEvents &
		Pick<Terminal, 'state' | 'onStateChange' | 'isEscapePending'> &
		Pick<Terminal, 'setTitle' | 'ringBell' | 'notify'>;
	/** The size that it needs; absent if it prints lines, which fit a terminal of any size. */
	terminalSize?: TerminalSize;
	say: (notice: string) => void;
	isDetailShown: (screen: Screen) => boolean;
	/** Calls a function once a person can see what the latest key has changed. */
	whenFrameShown: (call: () => void) => void;
	screenEffects: LiveEffects;
	hasForms: boolean;
};

/** Starts everything that the drawn and the spoken monitor have in common. */
export function startMonitor(options: MonitorOptions, state: MonitorState, face: Face) {
	const { sessions, player, clock, memory, lendTerminal, commandRunner } = options;
	const { terminal, terminalSize, say, isDetailShown, whenFrameShown, screenEffects, hasForms } =
		face;
	const { operations } = sessions;
	const { screenStore, monitorData, openDialog } = state;
	if (lendTerminal) commandRunner?.attachTerminal(lendTerminal);

	const notices = { ...(options.announcementSettings ?? defaultNotices) };
	const liveSettings = startLiveSettings({
		sources: options.settingSources,
		memory,
		screenStore,
		sessions,
		clock,
		say,
		screenEffects,
		notices: player ? undefined : notices,
	});
	const runAction = createActionRunner({
		screenStore,
		sessions,
		tableAccounts: options.tableAccounts,
		passwordRequest: state.passwordRequest,
		lendTerminal,
		chooseSetting: liveSettings.choose,
		defaultColumns: options.columns,
		player,
		hasForms,
		leaveToSignIn: options.leaveToSignIn,
		isDemo: options.greeting !== undefined,
		commandRunner,
		terminal,
		clock,
		whenFrameShown,
	});
	const screenAndTerminal = joinStores(
		() => ({ screen: screenStore.getState(), terminal: terminal.state() }),
		[screenStore.subscribe, terminal.onStateChange],
	);
	const attention = createAttention({
		sessions,
		isDetailShown,
		screenStore,
		screenAndTerminal,
		loadHistory: options.loadHistory ?? (() => {}),
		clock,
	});
	operations.waitForEscape(terminal.isEscapePending);
	const dialogChanges = [screenStore.subscribe, monitorData.subscribe];
	const unsubscribers = [
		attention.close,
		liveSettings.close,
		holdCountdowns({ openDialog, dialogChanges, operations, terminal, terminalSize }),
		closeFinishedQuitDialog(screenStore, monitorData, clock),
		// Another process can poll while this one is stopped.
		terminal.onSuspend(() => {
			for (const { sharedWatch } of sessions.all()) sharedWatch?.leave('suspended');
		}),
		terminal.onResume(() => {
			for (const { sharedWatch } of sessions.all()) sharedWatch?.rejoin('suspended');
		}),
	];
	if (player) terminal.setTitle('crowsnest: replay');
	else unsubscribers.push(startAnnouncing(sessions, terminal, notices, clock));

	return {
		screenAndTerminal,
		attention,
		runAction,
		/** The credits are low if they last no longer than this. */
		lowCreditsMs: notices.creditsLeft,
		close() {
			state.saveScreen();
			for (const unsubscribe of unsubscribers) unsubscribe();
		},
	};
}
