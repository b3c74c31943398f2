import type { Clock } from '../fleet/clock.ts';

type HistoryLoaderDeps = {
	clock: Clock;
	/** Reads the journal of a computer into the store. */
	loadHistory: (id: string) => void;
};

/** The journal is read only after the cursor has rested for this time. */
const cursorRestMs = 300;

/** Loads the history of the computer whose details are open. */
export function createHistoryLoader({ clock, loadHistory }: HistoryLoaderDeps) {
	let requestedId: string | undefined;
	let cancelLoad: (() => void) | undefined;

	return {
		/** Called with the computer whose details are open, whenever that may have changed. */
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
