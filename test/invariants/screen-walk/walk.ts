import fc from 'fast-check';
import { isLongRun } from '../../runs.ts';
import { names, openWalk } from './open-walk.ts';
import { performStep } from './perform-step.ts';
import type { SituationCounts as Situations } from './report.ts';
import { actionTables, randomWalk } from './steps.ts';

/** A program that has ended or is suspended is opened again after this many steps. */
const stepsUntilReopened = 4;

/** Counts the steps of a walk, the programs that ended, and the situations that the witness saw. */
export type WalkCounts = Readonly<Record<'steps' | 'endings' | keyof Situations, number>>;

type RandomWalk = typeof randomWalk extends fc.Arbitrary<infer T> ? T : never;

/** Performs all steps of a walk, and throws when one of the rules is broken. */
async function walkThrough({
	isReadOnly,
	isSlow,
	table,
	steps: chosen,
}: RandomWalk): Promise<WalkCounts> {
	const walk = openWalk({ isReadOnly, isSlow, actions: actionTables[table] ?? [] });
	for (const name of names) walk.add(name);
	await walk.pass(2_000);
	let [steps, endings, stepsSinceEnd, stepsSuspended] = [0, 0, 0, 0];
	try {
		for (const step of chosen) {
			steps += await performStep(walk, step);
			if (walk.hasQuit()) stepsSinceEnd += 1;
			stepsSuspended = walk.isSuspended() ? stepsSuspended + 1 : 0;
			if (stepsSuspended > stepsUntilReopened) {
				walk.resume();
				await walk.observe();
			}
			if (stepsSinceEnd > stepsUntilReopened) {
				endings += 1;
				stepsSinceEnd = 0;
				await walk.reopen();
			}
			walk.witness.throwProblems();
		}
	} finally {
		walk.close();
	}
	return { steps, endings, ...walk.witness.counts };
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
