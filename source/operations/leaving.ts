import type { Wish } from '../fleet/fact.ts';
import type { Operation } from '../fleet/operation.ts';

/** What becomes of all that is under way when the program ends. */
export type Leaving = {
	/** Sent: it goes on without us. */
	safe: readonly Wish[];
	/** Sent, and no answer came. */
	unknown: readonly Wish[];
	/** Not sent. */
	dropped: readonly Wish[];
};

export function leavingFrom(all: readonly Operation[], dropped: readonly Wish[]): Leaving {
	const inStage = (...stages: readonly Operation['stage'][]) =>
		all.filter(({ stage }) => stages.includes(stage)).map(({ wish }) => wish);
	return { safe: inStage('sent', 'accepted'), unknown: inStage('unknown'), dropped };
}
