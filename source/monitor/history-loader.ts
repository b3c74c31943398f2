import type { Clock } from '../fleet/clock.ts';

type HistoryLoaderDeps = {
	clock: Clock;
	/** Reads the journal of a computer into the store. */
	load: (id: string) => void;
};

/** The journal is read only after the cursor has rested for this time. */
const restTime = 300;

/** Loads the history of the computer whose details are open. */
export function createHistoryLoader({ clock, load }: HistoryLoaderDeps) {
	let shown: string | undefined;
	let callOff: (() => void) | undefined;

	return {
		/** Called with the computer whose details are open, whenever that may have changed. */
		show(id: string | undefined) {
			if (id === shown) return;
			shown = id;
			callOff?.();
			callOff = id === undefined ? undefined : clock.after(restTime, () => load(id));
		},
		close() {
			callOff?.();
		},
	};
}
