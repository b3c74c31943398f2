import type { Clock } from '../fleet/clock.ts';

/** A terminal that takes longer for a frame is slow, and stays so for a while. */
const slowFrame = 500;
const slowTime = 60_000;

/** Tells from how long frames take whether the terminal is slow. */
export function createSlowness(clock: Clock, tell: (isSlow: boolean) => void) {
	let cancelEnd: (() => void) | undefined;

	return (milliseconds: number) => {
		if (milliseconds < slowFrame) return;
		tell(true);
		cancelEnd?.();
		cancelEnd = clock.after(slowTime, () => tell(false));
	};
}
