import type { Clock } from '../source/foundation/clock.ts';

/** The real clock, for a simulator that serves another process. */
export const liveClock: Clock = {
	now: () => Date.now(),
	monotonic: () => performance.now(),
	after(milliseconds, call) {
		const timer = setTimeout(call, milliseconds);
		return () => clearTimeout(timer);
	},
};
