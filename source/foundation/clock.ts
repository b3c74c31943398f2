/** The source of time. It is a parameter everywhere, so that tests can control time. */
export type Clock = {
	/** Returns the milliseconds since 1970. */
	now(): number;
	/** Returns the milliseconds since some moment. Sleep of the machine counts, and setting the clock changes nothing. */
	monotonic(): number;
	/** Calls `callback` once, after that many milliseconds. Returns a function that cancels the call. */
	after(milliseconds: number, callback: () => void): () => void;
};

/** The current time as a subscription. It advances as often as the content of the screen needs. */
export type Ticker = {
	now(): number;
	subscribe(listener: () => void): () => void;
	/** Sets how often the time advances: every second or every minute. */
	setStep(step: 'second' | 'minute'): void;
};
