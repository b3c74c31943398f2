import type { WalkCounts } from './walk.ts';

type ChosenSeed = { seed: number; description: string; meets: readonly (keyof WalkCounts)[] };

/**
 * The walks of `npm test`. A long run prints the situations that each walk reaches. A walk that reaches a new
 * situation, or that has found a bug, gets a row here. The walk of a seed changes whenever the steps change: a row
 * whose walk no longer reaches its situations needs another seed.
 */
export const chosenSeeds: readonly ChosenSeed[] = [
	{
		seed: 2008,
		description: 'asks for operations and cancels them',
		meets: ['creates', 'cancelled', 'escapes'],
	},
	{ seed: 7003, description: 'covers countdowns', meets: ['held', 'requests', 'batches'] },
	{
		seed: 7129,
		description: 'resizes the terminal and locks the monitor',
		meets: ['resized', 'locks', 'signedOut'],
	},
	{
		seed: 7106,
		description: 'sends bytes that are not keys',
		meets: ['junk', 'queueHeld'],
	},
	{
		seed: 3326,
		description: 'asks a question while the platform is silent',
		meets: ['silences', 'silentQuestions'],
	},
];
