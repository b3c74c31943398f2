import type { Clock } from '../../source/foundation/clock.ts';

/** The real clock, for programs that run in processes of their own, and the simulators that serve them. */
export const liveClock: Clock = {
	now: () => Date.now(),
	monotonic: () => performance.now(),
	after(milliseconds, call) {
		const timer = setTimeout(call, milliseconds);
		return () => clearTimeout(timer);
	},
};
