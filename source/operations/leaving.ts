import type { Wish } from '../fleet/fact.ts';
import type { Operation } from '../fleet/operation.ts';
import type { Run } from './queue.ts';

/** What becomes of all that is under way when the program ends. */
export type Leaving = {
	/** Sent: it goes on without us. */
	safe: readonly Wish[];
	/** Sent, and no answer came. */
	unknown: readonly Wish[];
	/** Not sent. */
	dropped: readonly Wish[];
	/** What is left of the shortest countdown among those, while countdowns are held. */
	heldWith?: number;
};

export function leavingFrom(
	all: readonly Operation[],
	unsent: readonly Pick<Run, 'wish' | 'heldWith'>[],
): Leaving {
	const inStage = (...stages: readonly Operation['stage'][]) =>
		all.filter(({ stage }) => stages.includes(stage)).map(({ wish }) => wish);
	const lefts = unsent.flatMap(({ heldWith }) => heldWith ?? []);
	return {
		safe: inStage('sent', 'accepted'),
		unknown: inStage('unknown'),
		dropped: unsent.map(({ wish }) => wish),
		...(lefts.length > 0 && { heldWith: Math.min(...lefts) }),
	};
}
