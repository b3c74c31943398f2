import type { Clock, Ticker } from '../foundation/clock.ts';
import { createListeners } from '../foundation/listeners.ts';

const secondMs = 1000;

/** Creates a ticker that ticks at each full second while it has subscribers. */
export function createTicker(clock: Clock): Ticker & { stop(): void } {
	const listeners = createListeners();
	let now = clock.now();
	let cancelTick: (() => void) | undefined;

	function scheduleTick() {
		cancelTick = clock.after(secondMs - (clock.now() % secondMs), tick);
	}

	function tick() {
		now = clock.now();
		scheduleTick();
		listeners.notify();
	}

	function stop() {
		cancelTick?.();
		cancelTick = undefined;
	}

	return {
		now: () => now,
		subscribe(call) {
			const unsubscribe = listeners.subscribe(call);
			if (cancelTick === undefined) scheduleTick();
			return () => {
				unsubscribe();
				if (listeners.isEmpty()) stop();
			};
		},
		stop,
	};
}
