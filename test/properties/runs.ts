const wanted = {
	seed: process.env['WALK_SEED'],
	times: process.env['WALK_TIMES'],
	steps: process.env['WALK_STEPS'],
	until: process.env['WALK_UNTIL'],
};

/** `npm run walk` asks for another seed, for more of everything, and for longer walks. */
export const isLongRun = wanted.seed !== undefined;

// `npm test` repeats the same runs, so that it fails only where the code has changed.
const seed = Number(wanted.seed ?? 20_261_121);

/** The parameters of a property that `npm test` tries so often. */
export const runs = (count: number) => ({
	seed,
	numRuns: Math.ceil(count * Number(wanted.times ?? 1)),
});

/** Where a long walk begins, and whether it has gone on for so many steps or for so long. */
export function longRun(): { seed: number; isOver: (steps: number) => boolean } {
	const { steps, until } = wanted;
	const isOver = (walked: number) =>
		until !== undefined ? Date.now() >= Number(until) : walked >= Number(steps ?? 0);
	return { seed, isOver };
}
