import type { Met } from './screen-walk.ts';

type Kept = { seed: number; because: string; meets: readonly (keyof Met)[] };

/**
 * The walks of `npm test`. `npm run walk` prints what each of its walks meets; one that reaches
 * something new, or that once found a fault, gets a row here. What a seed leads to changes with the
 * steps that a walk is made of: a row that no longer meets what it is kept for needs another seed.
 */
export const keptSeeds: readonly Kept[] = [
	{
		seed: 66,
		because: 'loses every answer of a batch',
		meets: ['many', 'lost', 'kept'],
	},
	{
		seed: 108,
		because: 'deletes batches that are refused for a while, and locks itself',
		meets: ['deletes', 'many', 'resent', 'locks', 'covered', 'endings'],
	},
	{
		seed: 105,
		because: 'loses an answer between a delete and a create',
		meets: ['deletes', 'creates', 'lost'],
	},
	{
		seed: 72,
		because: 'locks itself after an answer was lost',
		meets: ['creates', 'lost', 'locks', 'kept', 'many'],
	},
	{ seed: 106, because: 'keeps a batch from being stopped', meets: ['many', 'kept'] },
	{
		seed: 107,
		because: 'confirms batches at any size of the terminal',
		meets: ['many', 'covered'],
	},
	{ seed: 117, because: 'creates, and locks itself afterwards', meets: ['creates', 'locks'] },
	{
		seed: 35,
		because: 'asks for more creates than an hour allows, and ends the program meanwhile',
		meets: ['creates', 'many', 'resent', 'endings', 'covered'],
	},
	{ seed: 119, because: 'ends the program with operations waiting', meets: ['deeds', 'endings'] },
	{ seed: 92, because: 'covers questions with a terminal too small', meets: ['covered', 'kept'] },
];
