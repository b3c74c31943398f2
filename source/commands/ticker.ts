import type { Clock } from '../fleet/clock.ts';
import type { Ticker } from '../views/ticker.ts';

/** Ticks at the full second, or the full minute, for as long as somebody listens. */
export function createTicker(clock: Clock, interval: () => number): Ticker & { stop(): void } {
	const listeners = new Set<() => void>();
	let now = clock.now();
	let callOff: (() => void) | undefined;

	function wait() {
		const every = interval();
		callOff = clock.after(every - (clock.now() % every), tick);
	}

	function tick() {
		now = clock.now();
		for (const listener of listeners) listener();
		wait();
	}

	function stop() {
		callOff?.();
		callOff = undefined;
	}

	return {
		now: () => now,
		subscribe(call) {
			listeners.add(call);
			if (callOff === undefined) wait();
			return () => {
				listeners.delete(call);
				if (listeners.size === 0) stop();
			};
		},
		stop,
	};
}
