import type { Clock } from '../fleet/clock.ts';

type HistoryLoaderDeps = {
	clock: Clock;
	/** Reads what was kept of a computer; it is known from then on. */
	load: (id: string) => void;
};

/** Whoever only passes by does not wait for anything to be read. */
const restTime = 300;

/** Sees to it that the past is there of the computer whose details are looked at. */
export function createHistoryLoader({ clock, load }: HistoryLoaderDeps) {
	let shown: string | undefined;
	let callOff: (() => void) | undefined;

	return {
		look(id: string | undefined) {
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
