import type { Clock } from '../fleet/clock.ts';
import { createListeners } from '../fleet/listeners.ts';

/** What is known about the terminal at the moment; a new object after each change. */
export type TerminalState = {
	/** False after the terminal reported that another window has the keyboard. */
	readonly isFocused: boolean;
	/** No spinners and ages to the minute: by option, or because the terminal takes frames slowly. */
	readonly isLowBandwidth: boolean;
	/** Bits of colour: 0, 4 (16 colours), 8 (256) or 24. */
	readonly colours: 0 | 4 | 8 | 24;
	/** Undefined when the terminal does not report it. */
	readonly background: 'dark' | 'light' | undefined;
	/** False where only ASCII can be shown. */
	readonly hasUnicode: boolean;
	/** A paste has begun and does not end, so every key is taken for a part of it. */
	readonly isPasteUnfinished?: boolean;
	/** The terminal's name and version, such as `kitty(0.39.1)`, when it reports them. */
	readonly name: string | undefined;
};

/** Holds the state of the terminal and notifies when a value changes. */
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

/** A terminal that takes longer than this for a frame counts as slow for a minute. */
const slowFrame = 500;
const slowTime = 60_000;

/** Decides from the time that each frame takes whether the terminal is slow. */
export function createSlownessDetector(clock: Clock, onChange: (isSlow: boolean) => void) {
	let cancelEnd: (() => void) | undefined;

	return (milliseconds: number) => {
		if (milliseconds < slowFrame) return;
		onChange(true);
		cancelEnd?.();
		cancelEnd = clock.after(slowTime, () => onChange(false));
	};
}
