const options = {
	seed: process.env['WALK_SEED'],
	times: process.env['WALK_TIMES'],
	steps: process.env['WALK_STEPS'],
	until: process.env['WALK_UNTIL'],
};

/** Whether `npm run walk` runs the properties, with another seed, more runs and longer walks. */
export const isLongRun = options.seed !== undefined;

// `npm test` uses a fixed seed, so that a failure always means that the code has changed.
const seed = Number(options.seed ?? 20_261_121);

/** The fast-check parameters of a property that `npm test` runs `count` times. */
export const runs = (count: number) => ({
	seed,
	numRuns: Math.ceil(count * Number(options.times ?? 1)),
});

/** Returns the first seed of a long run, and a function that says whether its steps or its time are used up. */
export function longRun(): { seed: number; isOver: (steps: number) => boolean } {
	const { steps, until } = options;
	const isOver = (stepsDone: number) =>
		until !== undefined ? Date.now() >= Number(until) : stepsDone >= Number(steps ?? 0);
	return { seed, isOver };
}
