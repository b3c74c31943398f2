import type { Clock } from '../fleet/clock.ts';

type Parts = {
	clock: Clock;
	/** Reads what was kept of a computer; it is known from then on. */
	recall: (id: string) => void;
};

/** Whoever only passes by does not wait for anything to be read. */
const patience = 300;

/** Sees to it that the past is there of the computer whose details are looked at. */
export function createDetailHistory({ clock, recall }: Parts) {
	let shown: string | undefined;
	let callOff: (() => void) | undefined;

	return {
		look(id: string | undefined) {
			if (id === shown) return;
			shown = id;
			callOff?.();
			callOff = id === undefined ? undefined : clock.after(patience, () => recall(id));
		},
		close() {
			callOff?.();
		},
	};
}
