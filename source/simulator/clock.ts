/** The simulator's only source of time. Whoever holds it holds the world. */
export type SimulatorClock = {
	/** Milliseconds since 1970. */
	now(): number;
	/** Calls once after that many milliseconds; what it returns calls it off. */
	after(milliseconds: number, call: () => void): () => void;
};

/** The same clock with every second worth that many. */
export function speedUp(clock: SimulatorClock, factor: number): SimulatorClock {
	if (!(factor > 0 && Number.isFinite(factor))) {
		throw new Error(`Time cannot run ${factor} times as fast: give a number above 0.`);
	}
	const start = clock.now();
	return {
		now: () => start + (clock.now() - start) * factor,
		after: (milliseconds, call) => clock.after(milliseconds / factor, call),
	};
}

/** Whole milliseconds that never go back, whatever somebody does to the clock of the host. */
export function forwardOnly(clock: SimulatorClock): SimulatorClock {
	let latest = Math.floor(clock.now());
	return {
		now() {
			latest = Math.max(latest, Math.floor(clock.now()));
			return latest;
		},
		after: (milliseconds, call) => clock.after(milliseconds, call),
	};
}
