const minutes = process.env['TEST_MINUTES'];
const usualSeed = 20_261_121;
const randomSeed = () => Math.floor(Math.random() * 0x7fff_ffff);

/** Whether `TEST_MINUTES` asks for more cases, with a seed that the run prints. */
export const isLongRun = minutes !== undefined;

// `npm test` uses a fixed seed, so that a failure always means that the code has changed.
const seed = Number(process.env['TEST_SEED'] ?? (isLongRun ? randomSeed() : usualSeed));
if (isLongRun) process.stdout.write(`Repeat it with TEST_SEED=${seed}\n`);

/** The fast-check parameters of a property that `npm test` runs `count` times. */
export const runs = (count: number) => ({ seed, numRuns: isLongRun ? count * 20 : count });

/** Returns the first seed of a long run, and a function that says whether its time is over. */
export function longRun(): { seed: number; isOver: () => boolean } {
	const until = Date.now() + Number(minutes ?? 0) * 60_000;
	return { seed, isOver: () => Date.now() >= until };
}
