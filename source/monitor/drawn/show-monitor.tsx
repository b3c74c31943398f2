import { render } from 'ink';
import { computerName } from '../../fleet/computers/computer.ts';
import { computerFilter } from '../../fleet/computers/fields.ts';
import { globalIdOf } from '../../fleet/computers/global-id.ts';
import { filterFrom } from '../../fleet/filters/filter.ts';
import { operationRowOf } from '../../fleet/operations/operation-table.ts';
import type { Clock, Ticker } from '../../foundation/clock.ts';
import { secondMs } from '../../foundation/duration.ts';
import { createListeners } from '../../foundation/listeners.ts';
import { startWatches } from '../../session/session-table.ts';
import type { Store } from '../../store/store.ts';
import { silentInput, type Terminal } from '../../terminal/terminal.ts';
import { type MonitorOptions, startMonitor } from '../monitor.ts';
import { createThrottledStore } from '../monitor-data.ts';
import { App, CrashBoundary } from './App.tsx';

export function createTicker(clock: Clock): Ticker & { stop(): void } {
	const listeners = createListeners();
	let now = clock.now();
	let cancelTick = () => {};
	function scheduleTick() {
		cancelTick = clock.after(secondMs - (clock.now() % secondMs), () => {
			now = clock.now();
			scheduleTick();
			listeners.notify();
		});
	}
	scheduleTick();
	return { now: () => now, subscribe: listeners.subscribe, stop: () => cancelTick() };
}

const unfinishedPasteText = 'A paste has not ended. Press Esc to end it.';

export function showMonitor(options: MonitorOptions & { terminal: Terminal }) {
	const { sessions, player, terminal, clock } = options;
	/** Ink draws the first frame before `render` returns. */
	async function whenFrameShown(call: () => void) {
		await Promise.resolve();
		await ink.waitUntilRenderFlush();
		terminal.whenFrameShown(call);
	}
	const { reportMouse } = terminal;
	const monitor = startMonitor(options, { terminal, whenFrameShown, reportMouse });
	const { screenStore, openDialog, say } = monitor;
	const openingNotice = monitor.openingNotices.at(-1);
	if (openingNotice !== undefined) say(openingNotice);
	const ticker = player ?? createTicker(clock);
	const monitorData = createThrottledStore(monitor.monitorData, clock);

	/** All keys are ignored until the terminal has ended a paste. */
	function showUnfinishedPaste() {
		const isShown = screenStore.getState().notice?.why === unfinishedPasteText;
		const { isPasteUnfinished = false } = terminal.state();
		if (isPasteUnfinished === isShown) return;
		const notice = { why: unfinishedPasteText, shownAt: clock.now(), isLasting: true };
		screenStore.setState({ notice: isPasteUnfinished ? notice : undefined });
	}

	let dialogFrames = 0;
	let isDialogCut = false;
	/** Until the frame with what a key confirms has reached the terminal, nothing confirms. */
	function onDialogDrawn(drawing?: { isCut: boolean }) {
		isDialogCut = drawing?.isCut ?? isDialogCut;
		const entry = openDialog()?.entry;
		dialogFrames += 1;
		const frame = dialogFrames;
		if (screenStore.getState().seenDialog?.id === entry?.id)
			screenStore.setState({ seenDialog: undefined });
		void whenFrameShown(() => {
			if (frame !== dialogFrames || !entry) return;
			const { id, answers } = entry;
			const seen = { id, step: answers.length, visibleSince: clock.now(), isCut: isDialogCut };
			screenStore.setState({ seenDialog: seen });
		});
	}

	const unsubscribers = [
		terminal.onStateChange(showUnfinishedPaste),
		followCreations(monitor, sessions.store, clock),
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
				screenStore={screenStore}
				terminal={terminal}
				clock={ticker}
				readScene={monitor.readScene}
				runAction={monitor.runAction}
				onShown={monitor.onShown}
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
			maxFps: Infinity,
		},
	);
	// The first picture does not wait for the search for a process that polls already.
	if (!player) unsubscribers.push(startWatches(sessions));

	return {
		closed: Promise.race([ink.waitUntilExit(), crashed]),
		/** Draws every change of the store, and resolves when Ink has written the frame. */
		settled() {
			monitorData.flush();
			return ink.waitUntilRenderFlush();
		},
		say: (notice: string) => say(notice),
		close() {
			monitor.close();
			for (const unsubscribe of unsubscribers) unsubscribe();
			ticker.stop();
			monitorData.close();
			ink.unmount();
		},
	};
}

/** Moves the cursor to a new computer, unless a person has moved it since. */
function followCreations(
	{ screenStore, openDialog, say }: ReturnType<typeof startMonitor>,
	store: Store,
	clock: Clock,
): () => void {
	const cursorIdByKey = new Map<string, unknown>();
	const cursorId = () => screenStore.getState().cursor?.id;

	return store.onFact((fact, _, after) => {
		if (fact.type !== 'operationChanged') return;
		const isCreate = operationRowOf(fact.operation).subject === 'account';
		const isNew = fact.times.sent === undefined && !cursorIdByKey.has(fact.key);
		if (isCreate && isNew) cursorIdByKey.set(fact.key, cursorId());
		if (fact.step !== 'accepted' || !cursorIdByKey.has(fact.key)) return;
		const hasMoved = cursorIdByKey.get(fact.key) !== cursorId();
		cursorIdByKey.delete(fact.key);
		const { account } = fact;
		const computers = after.accounts.get(account)?.computers;
		const computer = computers?.get(fact.computer ?? '');
		if (!computers || !computer || hasMoved || openDialog()) return;
		const { test } = filterFrom(
			screenStore.getState().filters.fleet,
			computerFilter,
			computers.values(),
		);
		if (test(computer, clock.now())) {
			const id = globalIdOf(account, computer.id);
			screenStore.setState({ cursor: { id, index: 0, line: 0, isAtTop: true } });
		} else
			say(
				`${computerName(computer)} is being created. The filter hides it: Esc clears the filter.`,
			);
	});
}
