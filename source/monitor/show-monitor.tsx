import { render } from 'ink';
import { startWatches } from '../session/session-table.ts';
import { silentInput } from '../terminal/process/streams.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { App, CrashBoundary } from '../views/App.tsx';
import { createDispatcher } from '../views/actions/dispatcher.ts';
import { actions as allActions } from '../views/actions/table.ts';
import { detailPlacement, layoutFor } from '../views/layout.ts';
import { isTable } from '../views/look/screen.ts';
import { createSceneReader } from '../views/read-scene.ts';
import { createDialogVisibility, type TerminalSize } from './dialog-visibility.ts';
import { followCreations } from './follow-creations.ts';
import { createThrottledStore } from './joined-store.ts';
import { createMonitorState, type MonitorOptions } from './monitor-state.ts';
import { startMonitor } from './start-monitor.ts';
import { createTicker } from './ticker.ts';

type DrawnMonitorOptions = MonitorOptions & {
	terminal: Terminal;
};

const unfinishedPasteText = 'A paste has not ended. Press Esc to end it.';

/** Shows accounts on the screen until `close` is called. */
export function showMonitor(options: DrawnMonitorOptions) {
	const { sessions, player, terminal, clock, greeting } = options;
	const state = createMonitorState(options);
	const { screenStore, openDialog } = state;
	const showNotice = (text: string) =>
		screenStore.setState({ notice: { text, shownAt: clock.now() } });
	const whenFrameShown = (call: () => void) =>
		void newestFrameWritten().then(() => terminal.whenFrameShown(call));
	/** Resolves when Ink has written its newest frame. Ink draws the first frame before `render` returns. */
	async function newestFrameWritten() {
		await Promise.resolve();
		await ink.waitUntilRenderFlush();
	}
	/** All keys are ignored until the terminal has ended a paste. */
	function showUnfinishedPaste() {
		const isShown = screenStore.getState().notice?.text === unfinishedPasteText;
		const { isPasteUnfinished = false } = terminal.state();
		if (isPasteUnfinished === isShown) return;
		const notice = { text: unfinishedPasteText, shownAt: clock.now(), isLasting: true };
		screenStore.setState({ notice: isPasteUnfinished ? notice : undefined });
	}
	const monitor = startMonitor(options, state, {
		terminal,
		terminalSize: terminalSizeOf(terminal),
		say: showNotice,
		isDetailShown: screen =>
			isTable(screen) && detailPlacement(screen, terminal.stdout.columns).place !== 'hidden',
		whenFrameShown,
		screenEffects: {
			theme: word =>
				screenStore.setState({
					themeChoice: word === 'dark' || word === 'light' ? word : undefined,
				}),
			mouse: word => terminal.reportMouse(word === 'on'),
		},
		hasForms: true,
	});
	const { attention, runAction } = monitor;
	const openingNotice = state.droppedFilterNotice ?? greeting;
	if (openingNotice !== undefined) showNotice(openingNotice);
	const onDialogDrawn = createDialogVisibility({ screenStore, openDialog, whenFrameShown, clock });
	const readScene = createSceneReader(
		monitor.lowCreditsMs,
		account => sessions.sessionOf(account).platform,
	);
	const ticker = player ?? createTicker(clock);
	const monitorData = createThrottledStore(state.monitorData, clock);
	const unsubscribers = [
		terminal.onStateChange(showUnfinishedPaste),
		followCreations(
			sessions.store,
			screenStore,
			() => openDialog() !== undefined,
			showNotice,
			clock,
		),
		// A dialog that was open during a suspension becomes visible again.
		terminal.onResume(() => onDialogDrawn()),
	];
	let onCrash: (error: unknown) => void = () => {};
	const crashed = new Promise<never>((_, reject) => {
		onCrash = reject;
	});
	const ink = render(
		<CrashBoundary onCrash={onCrash}>
			<App
				monitorData={monitorData}
				screenAndTerminal={monitor.screenAndTerminal}
				clock={ticker}
				dispatcher={createDispatcher(options.actions ?? allActions)}
				readScene={readScene}
				onInput={terminal.onInput}
				onMouse={terminal.onMouse}
				runAction={(effect, key, scene) => {
					attention.onKey();
					runAction(effect, key, scene);
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
			monitor.close();
			for (const unsubscribe of unsubscribers) unsubscribe();
			ticker.stop();
			monitorData.close();
			ink.unmount();
		},
	};
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
