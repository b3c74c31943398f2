import type { Clock } from '../fleet/clock.ts';
import { createListeners } from '../fleet/listeners.ts';

/** What is known about the terminal at the moment. A new value whenever something changed. */
export type TerminalState = {
	/** False when the terminal said that another window has the keyboard. */
	readonly isFocused: boolean;
	/** No spinners, ages to the minute: asked for, or the terminal was measured to be slow. */
	readonly isLowBandwidth: boolean;
	/** Bits of colour: 0, 4 (16 colours), 8 (256) or 24. */
	readonly colours: 0 | 4 | 8 | 24;
	/** Undefined when the terminal does not tell. */
	readonly background: 'dark' | 'light' | undefined;
	/** False where only ASCII can be shown. */
	readonly hasUnicode: boolean;
	/** A paste has begun and does not end: every key is taken for a part of it. */
	readonly isPasteUnfinished?: boolean;
	/** The terminal's own name and version, such as `kitty(0.39.1)`, when it tells. */
	readonly name: string | undefined;
};

/** Holds what is known about the terminal, and tells when it changed. */
export function createTerminalState(initial: TerminalState) {
	const listeners = createListeners();
	let current = initial;

	return {
		get: () => current,
		set(change: Partial<TerminalState>) {
			const next = { ...current, ...change };
			const keys = Object.keys(change) as (keyof TerminalState)[];
			if (keys.every(key => next[key] === current[key])) return;
			current = next;
			listeners.notify();
		},
		subscribe: listeners.subscribe,
	};
}

/** A terminal that takes longer for a frame is slow, and stays so for a while. */
const slowFrame = 500;
const slowTime = 60_000;

/** Tells from how long frames take whether the terminal is slow. */
export function createSlownessDetector(clock: Clock, tell: (isSlow: boolean) => void) {
	let cancelEnd: (() => void) | undefined;

	return (milliseconds: number) => {
		if (milliseconds < slowFrame) return;
		tell(true);
		cancelEnd?.();
		cancelEnd = clock.after(slowTime, () => tell(false));
	};
}
