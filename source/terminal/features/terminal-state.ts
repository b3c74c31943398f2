import type { Clock } from '../../foundation/clock.ts';
import { createListeners } from '../../foundation/listeners.ts';

/** The current properties of the terminal. Each change creates a new object. */
export type TerminalState = {
	/** Whether the window has the focus; false only after the terminal reported that another window has it. */
	readonly isFocused: boolean;
	/** Whether the terminal has ever reported its focus. Many terminals and multiplexers never do. */
	readonly reportsFocus: boolean;
	/**
	 * Whether the line is slow: an option says so, or the terminal reads slowly. The monitor then shows no spinners,
	 * and ages in minutes.
	 */
	readonly isLowBandwidth: boolean;
	/** The number of bits of a colour: 0 without colours, 4 for 16 colours, 8 for 256, or 24. */
	readonly colourBits: 0 | 4 | 8 | 24;
	/** The brightness of the background; undefined if the terminal does not report its colour. */
	readonly background: 'dark' | 'light' | undefined;
	/** Whether the terminal can show more characters than ASCII. */
	readonly hasUnicode: boolean;
	/** Whether a paste has begun and not ended, so that every key counts as a part of the paste. */
	readonly isPasteUnfinished?: boolean;
	/** The terminal's name and version, such as `kitty(0.39.1)`; undefined until the terminal reports them. */
	readonly name: string | undefined;
};

/** Holds the state of the terminal, and calls its listeners when a value changes. */
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

/** A terminal that takes longer than this to read a frame counts as slow for `slownessLastsMs`. */
const slowFrameMs = 500;
const slownessLastsMs = 60_000;

/** Decides whether the terminal is slow, from the time that it takes to read each frame. */
export function createSlownessDetector(clock: Clock, onChange: (isSlow: boolean) => void) {
	let cancelEnd: (() => void) | undefined;

	return (milliseconds: number) => {
		if (milliseconds < slowFrameMs) return;
		onChange(true);
		cancelEnd?.();
		cancelEnd = clock.after(slownessLastsMs, () => onChange(false));
	};
}
