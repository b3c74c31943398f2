import type { Clock, Ticker } from '../foundation/clock.ts';
import { createListeners } from '../foundation/listeners.ts';

const tickIntervalsMs = { second: 1000, minute: 60_000 } as const;

/** Creates a ticker that ticks at each full second or minute while it has subscribers. */
export function createTicker(clock: Clock): Ticker & { stop(): void } {
	const listeners = createListeners();
	let now = clock.now();
	let stepMs: number = tickIntervalsMs.second;
	let cancelTick: (() => void) | undefined;

	function scheduleTick() {
		cancelTick?.();
		cancelTick = clock.after(stepMs - (clock.now() % stepMs), tick);
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
		setStep(name) {
			const nextStepMs = tickIntervalsMs[name];
			if (nextStepMs === stepMs) return;
			stepMs = nextStepMs;
			if (cancelTick === undefined) return;
			// When the ticker changes from minutes to seconds, its time may be up to a minute old, so it is updated
			// at once.
			if (clock.now() - now >= stepMs) tick();
			else scheduleTick();
		},
		stop,
	};
}
