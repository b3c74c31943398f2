import type { SimulatorClock } from '../source/simulator/simulator.ts';

/** The real clock, for a simulator that serves another process. */
export const liveClock: SimulatorClock = {
	now: () => Date.now(),
	after(milliseconds, call) {
		const timer = setTimeout(call, milliseconds);
		return () => clearTimeout(timer);
	},
};
