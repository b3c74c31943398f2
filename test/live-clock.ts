import type { SimulatorClock } from '../source/simulator/simulator.ts';

/** For a platform that another process talks to, whose time goes on by itself. */
export const liveClock: SimulatorClock = {
	now: () => Date.now(),
	after(milliseconds, call) {
		const timer = setTimeout(call, milliseconds);
		return () => clearTimeout(timer);
	},
};
