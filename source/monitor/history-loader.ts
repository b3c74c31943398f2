import type { Clock } from '../foundation/clock.ts';

type HistoryLoaderDeps = {
	clock: Clock;
	/** Loads the recorded changes of a computer from the journal into the store. */
	loadHistory: (id: string) => void;
};

/** The time for which the cursor must rest on a computer before its history is loaded. */
const cursorRestMs = 300;

/** Loads the history of the computer whose details are open. */
export function createHistoryLoader({ clock, loadHistory }: HistoryLoaderDeps) {
	let requestedId: string | undefined;
	let cancelLoad: (() => void) | undefined;

	return {
		/** Selects the computer whose details are open; undefined when no details are open. */
		show(id: string | undefined) {
			if (id === requestedId) return;
			requestedId = id;
			cancelLoad?.();
			cancelLoad = id === undefined ? undefined : clock.after(cursorRestMs, () => loadHistory(id));
		},
		close() {
			cancelLoad?.();
		},
	};
}
