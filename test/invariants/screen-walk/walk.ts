import fc from 'fast-check';
import { isLongRun } from '../../runs.ts';
import { names, openWalk } from './open-walk.ts';
import { performStep } from './perform-step.ts';
import type { SituationCounts } from './report.ts';
import { actionTables, randomWalk } from './steps.ts';

/** A suspended program goes on after this many steps. */
const stepsUntilResumed = 4;

/** Counts the steps of a walk, whether the program has ended, and the situations that the witness saw. */
export type WalkCounts = Readonly<Record<'steps' | 'endings' | keyof SituationCounts, number>>;

type RandomWalk = typeof randomWalk extends fc.Arbitrary<infer T> ? T : never;

/** Performs all steps of a walk until the program ends, and throws when one of the rules is broken. */
async function walkThrough({ isReadOnly, isSlow, table, steps: chosen }: RandomWalk) {
	const walk = await openWalk({ isReadOnly, isSlow, actions: actionTables[table] ?? [] });
	for (const name of names) walk.add(name);
	await walk.pass(10_000);
	let [steps, stepsSuspended] = [0, 0];
	try {
		for (const step of chosen) {
			if (walk.hasQuit()) break;
			steps += await performStep(walk, step);
			stepsSuspended = walk.isSuspended() ? stepsSuspended + 1 : 0;
			if (stepsSuspended > stepsUntilResumed) {
				walk.resume();
				await walk.observe();
			}
			walk.witness.throwProblems();
		}
		// Nothing may be sent after the end.
		if (walk.hasQuit()) await walk.pass(20_000);
		walk.witness.throwProblems();
	} finally {
		await walk.close();
	}
	return { steps, endings: Number(walk.hasQuit()), ...walk.witness.counts };
}

/**
 * Performs the walk of a seed. After a failure in a long run, fast-check searches for the shortest walk that
 * fails too. `npm test` has no time for that, and shows the last steps of the original walk.
 */
export async function walkFrom(seed: number): Promise<WalkCounts> {
	let counts: WalkCounts | undefined;
	await fc.assert(
		fc.asyncProperty(randomWalk, async walk => {
			counts = await walkThrough(walk);
		}),
		{ seed, numRuns: 1, unbiased: true, endOnFailure: !isLongRun },
	);
	if (!counts) throw new Error('fast-check ran no walk.');
	return counts;
}
