import { createListeners } from './listeners.ts';

/** What is known about the terminal at the moment. A new value whenever something changed. */
export type Conditions = {
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
	readonly isPasteOpen?: boolean;
	/** The terminal's own name and version, such as `kitty(0.39.1)`, when it tells. */
	readonly name: string | undefined;
};

/** Holds what is known about the terminal, and tells when it changed. */
export function createConditions(initial: Conditions) {
	const listeners = createListeners();
	let current = initial;

	return {
		get: () => current,
		set(change: Partial<Conditions>) {
			const next = { ...current, ...change };
			const keys = Object.keys(change) as (keyof Conditions)[];
			if (keys.every(key => next[key] === current[key])) return;
			current = next;
			listeners.tell();
		},
		on: listeners.on,
	};
}
