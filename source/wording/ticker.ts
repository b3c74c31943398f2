/** The one thing that moves by itself: the time, as often as something on screen needs it. */
export type Ticker = {
	now(): number;
	subscribe(call: () => void): () => void;
	/** How often from here on. */
	setStep(step: 'second' | 'minute'): void;
};
