/** Time comes in as a parameter: tests hold it and move it. */
export type Clock = {
	/** Milliseconds since 1970. */
	now(): number;
	/** Calls once after that many milliseconds; what it returns calls it off. */
	after(milliseconds: number, call: () => void): () => void;
};

/** The one thing that moves by itself: the time, as often as something on screen needs it. */
export type Ticker = {
	now(): number;
	subscribe(call: () => void): () => void;
	/** How often from here on. */
	setStep(step: 'second' | 'minute'): void;
};
