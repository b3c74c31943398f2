import type { StoreApi } from 'zustand/vanilla';
import type { Clock } from '../foundation/clock.ts';
import type { Store } from '../foundation/listeners.ts';
import type { Operations } from '../operations/operations.ts';
import type { SuspendEvents } from '../terminal/process/job-control.ts';
import { holdReasonOf, type OpenDialog } from '../views/dialogs/dialog-table.ts';
import type { Screen } from '../views/look/screen.ts';
import type { MonitorData } from '../views/read-scene.ts';
import type { Subscribe } from './joined-store.ts';

type DialogVisibilityOptions = {
	screenStore: StoreApi<Screen>;
	openDialog: () => OpenDialog | undefined;
	whenFrameShown: (call: () => void) => void;
	clock: Clock;
};

/**
 * Returns a function that must be called when a dialog or its next step appears, reappears, or shows more or less of its
 * text: `isCut` says that it lacks something that a person must read before answering. The function notes when the frame
 * with the dialog has reached the terminal. Until then nothing confirms: on a slow connection it appears late.
 */
export function createDialogVisibility(
	options: DialogVisibilityOptions,
): (drawing?: { isCut: boolean }) => void {
	const { screenStore, openDialog, whenFrameShown, clock } = options;
	let frameCount = 0;
	let isCut = false;

	return drawing => {
		isCut = drawing?.isCut ?? isCut;
		const entry = openDialog()?.entry;
		const id = entry?.id;
		frameCount += 1;
		const frame = frameCount;
		if (screenStore.getState().seenDialog?.id === id)
			screenStore.setState({ seenDialog: undefined });
		whenFrameShown(() => {
			if (frame !== frameCount || !entry) return;
			const { id, answers } = entry;
			screenStore.setState({
				seenDialog: { id, step: answers.length, visibleSince: clock.now(), isCut },
			});
		});
	};
}

export type TerminalSize = {
	isTooSmall(): boolean;
	onResize(callback: () => void): () => void;
};

type HoldCountdownsDeps = {
	openDialog: () => OpenDialog | undefined;
	dialogChanges: readonly Subscribe[];
	operations: Pick<Operations, 'hold'>;
	terminal: SuspendEvents;
	terminalSize?: TerminalSize | undefined;
};

/** Stops the countdowns of operations while a person cannot see them. */
export function holdCountdowns(deps: HoldCountdownsDeps): () => void {
	const { openDialog, dialogChanges, operations, terminal, terminalSize } = deps;
	let isSuspended = false;

	function update() {
		const reason = holdReasonOf(openDialog());
		const isTooSmall = terminalSize?.isTooSmall() ?? false;
		if (isTooSmall && reason !== 'quit') operations.hold('too small');
		else operations.hold(reason ?? (isSuspended ? 'suspended' : undefined));
	}

	const setSuspended = (isNowSuspended: boolean) => () => {
		isSuspended = isNowSuspended;
		update();
	};
	const unsubscribers = [
		...dialogChanges.map(subscribe => subscribe(update)),
		terminalSize?.onResize(update) ?? (() => {}),
		terminal.onSuspend(setSuspended(true)),
		terminal.onResume(setSuspended(false)),
	];
	update();
	return () => {
		for (const unsubscribe of unsubscribers) unsubscribe();
	};
}

export const closeFinishedQuitDialog = (
	screenStore: StoreApi<Screen>,
	monitorData: Store<MonitorData>,
	clock: Clock,
): (() => void) =>
	monitorData.subscribe(() => {
		if (screenStore.getState().confirmation?.about !== 'leave') return;
		const { sent, running, unknown, dropped } = monitorData.getState().exitSummary();
		if ([...sent, ...running, ...unknown, ...dropped].length > 0) return;
		const notice = { text: 'Everything has finished: q quits.', shownAt: clock.now() };
		screenStore.setState({ confirmation: undefined, notice });
	});
