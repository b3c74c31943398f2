import { render } from 'ink';
import { defaultNotices } from '../accounts/settings.ts';
import { startWatches } from '../session/session-table.ts';
import { silentInput } from '../terminal/process/streams.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { App } from '../views/App.tsx';
import { createDispatcher } from '../views/actions/dispatcher.ts';
import { actions as allActions } from '../views/actions/table.ts';
import { CrashBoundary } from '../views/CrashBoundary.tsx';
import { detailPlacement } from '../views/fleet/column-widths.ts';
import { layoutFor } from '../views/layout.ts';
import { isTable } from '../views/look/screen.ts';
import { startAnnouncing } from './announcements.ts';
import { createAttention, setAttentionOfSessions } from './attention.ts';
import { createDialogVisibility, type TerminalSize } from './dialog-visibility.ts';
import { followCreations } from './follow-creations.ts';
import { createThrottledStore, joinStores } from './joined-store.ts';
import { announcementEffects, createReadLimit, startLiveSettings } from './live-settings.ts';
import { createMonitorState, followDialogs, type MonitorOptions } from './monitor-state.ts';
import { createActionRunner } from './run-actions.ts';
import { createTicker } from './ticker.ts';
import { showUnfinishedPaste } from './unfinished-paste.ts';

type DrawnMonitorOptions = MonitorOptions & {
	terminal: Terminal;
	/** Whether Ink writes each frame as complete plain text, for tests without a terminal. */
	isPlain?: boolean;
};

/** Shows accounts on the screen until `close` is called. */
export function showMonitor(options: DrawnMonitorOptions) {
	const { sessions, player, terminal, clock, isPlain = false } = options;
	const { leaveToSignIn, greeting, lendTerminal, tableAccounts } = options;
	const state = createMonitorState(options, options.columns);
	const { screenStore, openDialog, history, passwordRequest } = state;
	if (lendTerminal) options.commandRunner?.attachTerminal(lendTerminal);
	const showNotice = (text: string) =>
		screenStore.setState({ notice: { text, shownAt: clock.now() } });
	const openingNotice = state.droppedFilterNotice ?? greeting;
	if (openingNotice !== undefined) showNotice(openingNotice);

	const whenFrameShown = (call: () => void) =>
		void newestFrameWritten().then(() => terminal.whenFrameShown(call));
	const onDialogDrawn = createDialogVisibility({ screenStore, openDialog, whenFrameShown, clock });
	/** Resolves when Ink has written its newest frame. Ink draws the first frame before `render` returns. */
	async function newestFrameWritten() {
		await Promise.resolve();
		await ink.waitUntilRenderFlush();
	}

	const announcements = { ...(options.announcementSettings ?? defaultNotices) };
	const readLimit = createReadLimit(sessions, clock);
	const liveSettings = startLiveSettings({
		sources: options.settingSources,
		memory: options.memory,
		screenStore,
		sessions,
		clock,
		say: showNotice,
		effects: {
			theme: word =>
				screenStore.setState({
					themeChoice: word === 'dark' || word === 'light' ? word : undefined,
				}),
			mouse: word => terminal.reportMouse(word === 'on'),
			// A replay reads nothing and announces nothing.
			...(!player && {
				share: readLimit.limitReads,
				...announcementEffects(announcements),
			}),
		},
	});
	const runAction = createActionRunner({
		chooseSetting: liveSettings.choose,
		screenStore,
		openDialog,
		actions: state.actions,
		sessions,
		player,
		terminal,
		clock,
		whenFrameShown,
		passwordRequest,
		tableAccounts,
		hasForms: true,
		leaveToSignIn,
		greeting,
		lendTerminal,
		commandRunner: options.commandRunner,
		defaultColumns: options.columns,
	});
	const addressesOf = (account: string) => sessions.sessionOf(account).platform;
	const ticker = player ?? createTicker(clock);
	const monitorData = createThrottledStore(state.monitorData, clock);
	const screenAndTerminal = joinStores(
		() => ({ screen: screenStore.getState(), terminal: terminal.state() }),
		[screenStore.subscribe, terminal.onStateChange],
	);
	const attention = createAttention({
		setAttention: next => setAttentionOfSessions(sessions, next),
		isDetailShown: screen =>
			isTable(screen) &&
			detailPlacement(screen, terminal.stdout.columns, sessions.all().length).place !== 'hidden',
		screenStore,
		screenAndTerminal,
		history,
		clock,
	});
	const unsubscribers = [
		attention.close,
		readLimit.stop,
		liveSettings.close,
		showUnfinishedPaste({ terminal, screenStore, clock }),
		announceUnlessReplay({ ...options, announcementSettings: announcements }),
		followCreations({
			store: sessions.store,
			screenStore,
			showNotice,
			clock,
			isAsking: () => openDialog() !== undefined,
		}),
		// A dialog that was open during a suspension becomes visible again.
		terminal.onResume(() => onDialogDrawn()),
		followDialogs(options, { state, terminal, terminalSize: terminalSizeOf(terminal) }),
	];

	// Lets another process poll while this process is stopped.
	unsubscribers.push(
		terminal.onSuspend(() => {
			for (const { sharedWatch } of sessions.all()) sharedWatch?.leave();
		}),
		terminal.onResume(() => {
			for (const { sharedWatch } of sessions.all()) sharedWatch?.rejoin();
		}),
	);
	let onCrash: (error: unknown) => void = () => {};
	const crashed = new Promise<never>((_, reject) => {
		onCrash = reject;
	});
	const ink = render(
		<CrashBoundary onCrash={onCrash}>
			<App
				monitorData={monitorData}
				screenAndTerminal={screenAndTerminal}
				clock={ticker}
				lowCreditsMs={announcements.creditsLeft}
				dispatcher={createDispatcher(options.actions ?? allActions)}
				addressesOf={addressesOf}
				onInput={terminal.onInput}
				onMouse={terminal.onMouse}
				runAction={(effect, key, shown) => {
					attention.onKey();
					runAction(effect, key, shown);
					// The effect of a key is drawn at once, even if the last frame was drawn a moment ago.
					monitorData.flush();
				}}
				onRowsShown={attention.onShown}
				onDialogDrawn={onDialogDrawn}
			/>
		</CrashBoundary>,
		{
			stdin: silentInput,
			stdout: terminal.stdout,
			stderr: terminal.stderr,
			exitOnCtrlC: false,
			patchConsole: false,
			interactive: true,
			// The effect of a key is drawn at once, even if it follows an answer. Answers wait for each other in their store.
			maxFps: Number.POSITIVE_INFINITY,
			debug: isPlain,
		},
	);
	// The first picture does not wait for the search for a process that polls already.
	if (!player) unsubscribers.push(startWatches(sessions, clock));

	return {
		closed: Promise.race([ink.waitUntilExit(), crashed]),
		/** Draws every change of the store, and resolves when Ink has written the frame. */
		settled() {
			monitorData.flush();
			return ink.waitUntilRenderFlush();
		},
		say: showNotice,
		close() {
			state.saveScreen();
			for (const unsubscribe of unsubscribers) unsubscribe();
			history.close();
			ticker.stop();
			monitorData.close();
			ink.unmount();
		},
	};
}

/** Announces events, but not those of a replay, because they happened long ago. */
function announceUnlessReplay({
	sessions,
	player,
	terminal,
	announcementSettings,
	clock,
}: DrawnMonitorOptions) {
	if (!player)
		return startAnnouncing({
			sessions,
			terminal,
			clock,
			announcementSettings,
		});
	terminal.setTitle('crowsnest: replay');
	return () => {};
}

function terminalSizeOf({ stdout }: Terminal): TerminalSize {
	return {
		isTooSmall: () => layoutFor(stdout.columns, stdout.rows).isTooSmall,
		onResize(call: () => void) {
			stdout.on('resize', call);
			return () => void stdout.off('resize', call);
		},
	};
}
