import { createListeners } from './listeners.ts';

export type Clock = {
	now(): number;
	/** Milliseconds since some moment. Sleep of the machine counts, and setting the clock changes nothing. */
	monotonic(): number;
	after(milliseconds: number, callback: () => void): () => void;
};

export type Ticker = {
	now(): number;
	subscribe(listener: () => void): () => void;
};

export type Jumps = ReturnType<typeof createJumps>;

const tickMs = 1_000;

const leastJumpMs = 5_000;

export function createJumps(clock: Clock) {
	/** Called with the milliseconds that the machine slept; 0 if only its clock was set. */
	const listeners = createListeners<number>();
	let last = { wall: 0, monotonic: 0 };
	let cancelTick = () => {};

	const present = () => ({ wall: clock.now(), monotonic: clock.monotonic() });

	function check() {
		const now = present();
		const lived = now.monotonic - last.monotonic;
		const sleptMs = Math.max(0, lived - tickMs);
		const setMs = now.wall - last.wall - lived;
		last = now;
		if (sleptMs <= leastJumpMs && Math.abs(setMs) <= leastJumpMs) return;
		listeners.notify(sleptMs);
	}

	function tick() {
		cancelTick = clock.after(tickMs, tick);
		check();
	}

	return {
		check() {
			if (!listeners.isEmpty()) check();
		},
		onJump(listener: (sleptMs: number) => void) {
			if (listeners.isEmpty()) {
				last = present();
				cancelTick = clock.after(tickMs, tick);
			}
			const unsubscribe = listeners.subscribe(listener);
			return () => {
				unsubscribe();
				if (listeners.isEmpty()) cancelTick();
			};
		},
	};
}
