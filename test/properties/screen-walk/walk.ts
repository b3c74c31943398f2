import fc from 'fast-check';
import { isLongRun } from '../runs.ts';
import { names, openWalk } from './open-walk.ts';
import { performStep } from './perform-step.ts';
import type { SituationCounts as Situations } from './report.ts';
import { bindingTables, randomWalk, type Step } from './steps.ts';

/** The number of steps after which a program that has ended or is suspended is opened again. */
const stepsUntilReopened = 4;

/** The counts of a walk: its steps, the programs that ended, and the situations of the witness. */
export type WalkCounts = Readonly<Record<'steps' | 'endings' | keyof Situations, number>>;

type RandomWalk = typeof randomWalk extends fc.Arbitrary<infer T> ? T : never;

/** A walk with random steps, or with steps that a test has chosen. */
type WalkSteps = Omit<RandomWalk, 'steps'> & { steps: readonly Step[] };

/** Performs all steps of a walk, and throws when one of the rules is broken. */
export async function walkThrough({
	isReadOnly,
	isSlow,
	table,
	steps: chosen,
}: WalkSteps): Promise<WalkCounts> {
	const walk = openWalk({ isReadOnly, isSlow, bindings: bindingTables[table] ?? [] });
	for (const name of names) walk.add(name);
	await walk.pass(2_000);
	let [steps, endings, over, away] = [0, 0, 0, 0];
	try {
		for (const step of chosen) {
			steps += await performStep(walk, step);
			if (walk.hasQuit()) over += 1;
			away = walk.isSuspended() ? away + 1 : 0;
			if (away > stepsUntilReopened) {
				walk.resume();
				await walk.observe();
			}
			if (over > stepsUntilReopened) {
				endings += 1;
				over = 0;
				await walk.reopen();
			}
			walk.witness.throwProblems();
		}
	} finally {
		walk.close();
	}
	return { steps, endings, ...walk.witness.met };
}

/**
 * Performs the walk of a seed. After a failure in a long run, fast-check searches for the shortest walk that
 * fails too. `npm test` has no time for that, and shows the last steps of the original walk.
 */
export async function walkFrom(seed: number): Promise<WalkCounts> {
	let met: WalkCounts | undefined;
	await fc.assert(
		fc.asyncProperty(randomWalk, async each => {
			met = await walkThrough(each);
		}),
		{ seed, numRuns: 1, unbiased: true, endOnFailure: !isLongRun },
	);
	if (!met) throw new Error('fast-check ran no walk.');
	return met;
}

export function sumOf(walks: readonly WalkCounts[]): Record<string, number> {
	const sum: Record<string, number> = {};
	for (const [what, count] of walks.flatMap(met => Object.entries(met))) {
		sum[what] = (sum[what] ?? 0) + count;
	}
	return sum;
}
