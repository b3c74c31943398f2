import type { Clock, Ticker } from '../fleet/clock.ts';
import { createListeners } from '../fleet/listeners.ts';

const lengths = { second: 1000, minute: 60_000 } as const;

/** Ticks at each full second or minute while it has subscribers. */
export function createTicker(clock: Clock): Ticker & { stop(): void } {
	const listeners = createListeners();
	let now = clock.now();
	let step: number = lengths.second;
	let callOff: (() => void) | undefined;

	function wait() {
		callOff?.();
		callOff = clock.after(step - (clock.now() % step), tick);
	}

	function tick() {
		now = clock.now();
		wait();
		listeners.notify();
	}

	function stop() {
		callOff?.();
		callOff = undefined;
	}

	return {
		now: () => now,
		subscribe(call) {
			const unsubscribe = listeners.subscribe(call);
			if (callOff === undefined) wait();
			return () => {
				unsubscribe();
				if (listeners.isEmpty()) stop();
			};
		},
		setStep(name) {
			const next = lengths[name];
			if (next === step) return;
			step = next;
			if (callOff === undefined) return;
			// A time shown to the minute is too old to be shown to the second.
			if (clock.now() - now >= step) tick();
			else wait();
		},
		stop,
	};
}
