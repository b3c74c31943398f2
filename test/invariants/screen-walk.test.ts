import { expect, test } from 'vitest';
import { isLongRun, longRun } from '../runs.ts';
import { type WalkCounts, walkFrom } from './screen-walk/walk.ts';

/**
 * The walks of `npm test`, with the situations that each must reach, so that its rules are tried. A long run prints what each
 * walk reaches. A walk that has found a mistake gets a row here. When the steps change, other seeds reach the situations.
 */
const chosenWalks: readonly [seed: number, meets: string][] = [
	[
		24,
		'deletes batches resent resized escapes dialogPastes otherPastes junk silences silentQuestions',
	],
	[36, 'questions requests ignoredKeys creates cancelled held queueHeld'],
	[53, 'endings locks'],
	[69, 'lostAnswers'],
	[500_221_285, 'dialogPastes'],
	[164_014_711, 'resized'],
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
