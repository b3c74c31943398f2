/** A parameter everywhere, so that tests can control time. */
export type Clock = {
	now(): number;
	/** Milliseconds since some moment. Sleep of the machine counts, and setting the clock changes nothing. */
	monotonic(): number;
	after(milliseconds: number, callback: () => void): () => void;
};

export type Ticker = {
	now(): number;
	subscribe(listener: () => void): () => void;
};
