/** The simulator's only source of time. */
export type SimulatorClock = {
	/** Returns the time in milliseconds since 1970. */
	now(): number;
	/** Calls a function once after this many milliseconds. Returns a function that cancels the call. */
	after(milliseconds: number, callback: () => void): () => void;
};

/** Returns a clock that starts at the time of another clock and runs `factor` times as fast. */
export function acceleratedClock(clock: SimulatorClock, factor: number): SimulatorClock {
	const start = clock.now();
	return {
		now: () => start + (clock.now() - start) * factor,
		after: (milliseconds, call) => clock.after(milliseconds / factor, call),
	};
}

/** Returns a clock in whole milliseconds that never goes back, even if the host's clock is set back. */
export function forwardOnlyClock(clock: SimulatorClock): SimulatorClock {
	let latest = Math.floor(clock.now());
	return {
		now() {
			latest = Math.max(latest, Math.floor(clock.now()));
			return latest;
		},
		after: (milliseconds, call) => clock.after(milliseconds, call),
	};
}
