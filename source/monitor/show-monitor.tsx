import { render } from 'ink';
import { layoutFor } from '../drawing/layout.ts';
import { createDispatcher } from '../keys/dispatcher.ts';
import { needsPlatform } from '../keys/replay-bindings.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { App } from '../views/App.tsx';
import { startAnnouncing } from './announcements.ts';
import { createAttention } from './attention.ts';
import { createDialogVisibility } from './dialog-visibility.ts';
import type { TerminalSize } from './hold-countdowns.ts';
import { createIntents } from './intents.ts';
import {
	createMonitorState,
	followDialogs,
	type MonitorOptions,
	type MonitorState,
	markRefusedBindings,
} from './monitor-state.ts';
import { showUnfinishedPaste } from './notices.ts';
import { createThrottledStore } from './throttled-store.ts';
import { createTicker } from './ticker.ts';

type DrawnMonitorOptions = MonitorOptions & {
	terminal: Terminal;
	/** Whether Ink writes each frame as complete plain text, for tests without a terminal. */
	isPlain?: boolean;
};

/**
 * Shows a session on the screen until `close` is called.
 *
 * The function is long, because it only creates the parts of the monitor in the order of their dependencies.
 */
export function showMonitor(options: DrawnMonitorOptions) {
	const { session, welcome, player, terminal, clock, isPlain = false } = options;
	const state = createMonitorState(options, options.columns);
	const { screens, passwordRequest, passwordIntents, history } = state;
	const { store, watch, operations } = session;
	const bindings = markRefusedBindings(options.bindings, ({ intent }) =>
		player ? needsPlatform(intent) : session.isReadOnly && intent.type === 'ask',
	);
	const showNotice = (text: string) => screens.setState({ notice: { text, at: clock.now() } });
	const openingNotice = state.droppedFilterNotice ?? options.greeting;
	if (openingNotice !== undefined) showNotice(openingNotice);

	const dialogs = createDialogVisibility({
		currentDialog: () =>
			screens.getState().confirmation?.about ??
			passwordRequest?.prompt() ??
			operations.state().question?.id,
		whenFrameShown: call => void newestFrameWritten().then(() => terminal.whenFrameShown(call)),
		onVisible: () => ignoreKeysBriefly(options, state),
	});
	/** Resolves when Ink has written its newest frame. Ink draws the first frame before `render` returns. */
	async function newestFrameWritten() {
		await Promise.resolve();
		await ink.waitUntilRenderFlush();
	}

	const onIntent = createIntents({
		screens,
		bindings,
		session,
		passwordIntents,
		defaultColumns: options.columns,
		leaveToSignIn: welcome?.leaveToSignIn,
		player,
		isDialogVisible: dialogs.isVisible,
		terminal,
		clock,
	});
	const ticker = player ?? createTicker(clock);
	const throttledStore = createThrottledStore(store, clock);
	const attention = createAttention({ watch, screens, history, terminal });
	const unsubscribers = [
		attention.close,
		showUnfinishedPaste({ terminal, screens, clock }),
		announceUnlessReplay(options),
		// A dialog that was open during a suspension becomes visible again.
		terminal.onResume(dialogs.onDrawn),
		followDialogs({ session, state, terminal, terminalSize: terminalSizeOf(terminal), clock }),
	];

	if (!player) watch.start();
	const ink = render(
		<App
			stateStore={throttledStore}
			screenStore={screens}
			operations={operations}
			passwordRequest={passwordRequest}
			ticker={ticker}
			player={player}
			terminal={terminal}
			dispatcher={createDispatcher(bindings)}
			badge={options.badge}
			bindings={bindings}
			publicAddress={session.platform.publicAddress}
			shareAddress={session.platform.shareAddress}
			onIntent={(intent, shown) => {
				onIntent(intent, shown);
				// The effect of a key is drawn at once, not after the time between two frames.
				throttledStore.flush();
			}}
			onRowsShown={attention.onShown}
			onDialogDrawn={dialogs.onDrawn}
		/>,
		{
			stdin: terminal.stdin,
			stdout: terminal.stdout,
			stderr: terminal.stderr,
			exitOnCtrlC: false,
			patchConsole: false,
			interactive: true,
			maxFps: 120,
			debug: isPlain,
		},
	);

	return {
		closed: ink.waitUntilExit(),
		/** Draws every change of the store, and resolves when Ink has written the frame. */
		settled() {
			throttledStore.flush();
			return ink.waitUntilRenderFlush();
		},
		say: showNotice,
		close() {
			state.saveScreen();
			for (const unsubscribe of unsubscribers) unsubscribe();
			history.close();
			ticker.stop();
			throttledStore.close();
			ink.unmount();
		},
	};
}

/** Starts the short time in which a dialog that has just become visible ignores keys. */
function ignoreKeysBriefly(
	{ session, clock }: DrawnMonitorOptions,
	{ screens, passwordIntents }: MonitorState,
) {
	passwordIntents.onVisible();
	session.operations.noteQuestionShown();
	const { confirmation } = screens.getState();
	const openedAt = clock.now();
	if (!confirmation || confirmation.openedAt >= openedAt) return;
	screens.setState({ confirmation: { ...confirmation, openedAt } });
}

/** Announces events, but not those of a replay, because they happened long ago. */
function announceUnlessReplay({
	session,
	player,
	terminal,
	announcementSettings,
	clock,
}: DrawnMonitorOptions) {
	if (!player)
		return startAnnouncing({
			session,
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
