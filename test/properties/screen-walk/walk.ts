import fc from 'fast-check';
import { isLongRun } from '../runs.ts';
import { live } from './person.ts';
import type { Met as Situations } from './report.ts';
import { names, openWalk } from './stage.ts';
import { type Step, sitting, tables } from './steps.ts';

/** A program that has ended or is suspended is left alone for so many steps, and opened again. */
const leftAlone = 4;

/** What a walk came upon: steps, programs that ended, and what the witness counts. */
export type Met = Readonly<Record<'steps' | 'endings' | keyof Situations, number>>;

type Sitting = typeof sitting extends fc.Arbitrary<infer T> ? T : never;

/** A walk whose steps a test may have chosen. */
type Chosen = Omit<Sitting, 'steps'> & { steps: readonly Step[] };

/** Sits one person down before the monitor; throws when anything is done that was not confirmed. */
export async function walkThrough({
	isReadOnly,
	isSlow,
	table,
	steps: chosen,
}: Chosen): Promise<Met> {
	const walk = openWalk({ isReadOnly, isSlow, bindings: tables[table] ?? [] });
	for (const name of names) walk.add(name);
	await walk.pass(2_000);
	let [steps, endings, over, away] = [0, 0, 0, 0];
	try {
		for (const step of chosen) {
			steps += await live(walk, step);
			if (walk.hasQuit()) over += 1;
			away = walk.isAway() ? away + 1 : 0;
			if (away > leftAlone) {
				walk.resume();
				await walk.settleDown();
			}
			if (over > leftAlone) {
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
 * The walk of one seed. When a long run fails, fast-check looks for the shortest walk that fails too;
 * `npm test` has no time for that, and shows the last steps of the walk as it was.
 */
export async function walkFrom(seed: number): Promise<Met> {
	let met: Met | undefined;
	await fc.assert(
		fc.asyncProperty(sitting, async each => {
			met = await walkThrough(each);
		}),
		{ seed, numRuns: 1, unbiased: true, endOnFailure: !isLongRun },
	);
	if (!met) throw new Error('No walk was made.');
	return met;
}

export function sumOf(walks: readonly Met[]): Record<string, number> {
	const sum: Record<string, number> = {};
	for (const [what, count] of walks.flatMap(met => Object.entries(met))) {
		sum[what] = (sum[what] ?? 0) + count;
	}
	return sum;
}
