/** Time comes in as a parameter: tests hold it and move it. */
export type Clock = {
	/** Milliseconds since 1970. */
	now(): number;
	/** Calls once after that many milliseconds; what it returns calls it off. */
	after(milliseconds: number, call: () => void): () => void;
};
