/** Returns a generator of numbers from 0 to 1 that repeats for the same seed. */
export function createRandom(seed: number): () => number {
	let state = seed >>> 0;
	return () => {
		state = (state + 0x6d2b79f5) >>> 0;
		let mixed = Math.imul(state ^ (state >>> 15), state | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
}

/** Draws the time until the next event, for events that come every `every` milliseconds on average. */
export const randomWait = (random: () => number, every: number): number =>
	-Math.log(1 - random()) * every;
