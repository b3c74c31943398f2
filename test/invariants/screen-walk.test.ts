import fc from 'fast-check';
import { expect, test } from 'vitest';
import { minute } from '../durations.ts';
import { isLongRun, longRun } from '../runs.ts';
import { names, openWalk } from './screen-walk/open-walk.ts';
import { performStep } from './screen-walk/perform-step.ts';
import type { SituationCounts } from './screen-walk/report.ts';
import { actionTables, type RandomWalk, randomWalk } from './screen-walk/steps.ts';

/** Counts whether the program has ended, and the situations that the witness saw. */
type WalkCounts = Readonly<Record<'endings' | keyof SituationCounts, number>>;

/** A suspended program goes on after this many steps. */
const stepsUntilResumed = 4;

/** Performs all steps of a walk until the program ends, and throws when one of the rules is broken. */
async function walkThrough({ table, steps, ...options }: RandomWalk): Promise<WalkCounts> {
	const walk = await openWalk({ ...options, actions: actionTables[table] ?? [] });
	for (const name of names) walk.add(name);
	await walk.pass(10_000);
	let stepsSuspended = 0;
	try {
		for (const step of steps) {
			if (walk.hasQuit()) break;
			await performStep(walk, step);
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
	return { endings: Number(walk.hasQuit()), ...walk.witness.counts };
}

const longestSearchMs = 5 * minute;

/**
 * Performs the walk of a seed. After a failure in a long run, fast-check searches for a while for the shortest walk that
 * fails too. `npm test` has no time for that, and shows the last steps of the original walk.
 */
async function walkFrom(seed: number): Promise<WalkCounts> {
	let counts: WalkCounts | undefined;
	await fc.assert(
		fc.asyncProperty(randomWalk, async walk => {
			counts = await walkThrough(walk);
		}),
		{
			seed,
			numRuns: 1,
			unbiased: true,
			...(isLongRun ? { interruptAfterTimeLimit: longestSearchMs } : { endOnFailure: true }),
		},
	);
	if (!counts) throw new Error('fast-check ran no walk.');
	return counts;
}

/**
 * The walks of `npm test`, with the situations that each must reach, so that its rules are tried. A long run prints what each
 * walk reaches. A walk that has found a mistake gets a row here. When the steps change, other seeds reach the situations.
 */
const chosenWalks: readonly [seed: number, meets: string][] = [
	[
		658,
		'questions requests batches creates cancelled resent lostAnswers locks resized held escapes ignoredKeys dialogPastes otherPastes junk silences silentQuestions',
	],
	[60, 'endings deletes queueHeld'],
	// Two computers of one name are asked about on a screen that has no room for their names.
	[999, 'questions'],
	// A key that comes too early in a question, after a minute without an answer.
	[1388, 'silentQuestions'],
	// The clock is set back by an hour, and the platform falls silent.
	[657_841_370, 'silences'],
];

if (isLongRun) {
	test('no keys on any screen send an operation that was not asked for, shown and confirmed', async () => {
		const { seed, isOver } = longRun();
		for (let next = seed; !isOver(); next += 1) {
			const met = Object.entries(await walkFrom(next)).filter(([, count]) => count > 0);
			process.stdout.write(
				`seed ${next}: ${met.map(([name, count]) => `${count} ${name}`).join(', ')}\n`,
			);
		}
	}, 0);
} else {
	test.each(chosenWalks)(
		'the random keys of walk %i send only operations that were asked for, shown and confirmed',
		async (seed, meets) => {
			const counts = await walkFrom(seed);
			for (const what of meets.split(' ') as (keyof WalkCounts)[])
				expect(counts[what], what).toBeGreaterThan(0);
		},
	);
}
