import type { Clock } from '../fleet/clock.ts';

/** What is to be done in a while, unless the program ends before. */
export type Countdowns = {
	/** Returns when it is over; then `onOver` hears whether the program was awake all the while. */
	begin(milliseconds: number, onOver: (wasAwake: boolean) => void): number;
	close(): void;
};

// Whoever closed the lid during a countdown has not seen its end.
const asleepFrom = 10_000;

export function createCountdowns(clock: Clock): Countdowns {
	const callOffs = new Set<() => void>();

	return {
		begin(milliseconds, onOver) {
			const until = clock.now() + milliseconds;
			if (milliseconds <= 0) {
				onOver(true);
				return until;
			}
			const callOff = clock.after(milliseconds, () => {
				callOffs.delete(callOff);
				onOver(clock.now() - until < asleepFrom);
			});
			callOffs.add(callOff);
			return until;
		},
		close() {
			for (const callOff of callOffs) callOff();
			callOffs.clear();
		},
	};
}
