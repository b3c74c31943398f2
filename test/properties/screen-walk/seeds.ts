import type { WalkCounts } from './walk.ts';

type KeptSeed = { seed: number; because: string; meets: readonly (keyof WalkCounts)[] };

/**
 * The walks of `npm test`. `npm run walk` prints the situations that each walk meets. A walk that meets a
 * new one, or that found a fault, gets a row here. The walk of a seed changes whenever the steps change: a
 * row whose walk no longer meets its situations needs another seed.
 */
export const keptSeeds: readonly KeptSeed[] = [
	{
		seed: 2008,
		because: 'asks for operations and cancels them',
		meets: ['creates', 'cancelled', 'escapes'],
	},
	{ seed: 3051, because: 'covers countdowns', meets: ['held', 'requests', 'batches'] },
	{ seed: 710_043, because: 'resizes over a notice', meets: ['resized', 'locks'] },
	{
		seed: 710_089,
		because: 'sends bytes that are not keys',
		meets: ['junk', 'queueHeld', 'signedOut'],
	},
	{
		seed: 2_200_236,
		because: 'asks a question while the platform is silent',
		meets: ['silences', 'silentQuestions'],
	},
];
