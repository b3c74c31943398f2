import type { Wish } from '../fleet/fact.ts';
import type { Skipped } from './capture.ts';
import type { Question } from './question.ts';

/** Why something that was asked for is not done. */
export type Refusal = {
	why:
		| 'read-only'
		| 'locked'
		/** The program is ending. */
		| 'closing'
		/** None of the computers takes it; `skipped` says why of each. */
		| 'not-allowed'
		/** That question is not the open one, or not answered as it wants to be. */
		| 'no-answer';
	message: string;
	skipped: readonly Skipped[];
};

/** What comes of asking: mostly a question. */
export type Asked =
	| { type: 'question'; question: Question }
	| { type: 'begun'; wishes: readonly Wish[] }
	| { type: 'refused'; refusal: Refusal };

export type Answered = Exclude<Asked, { type: 'question' }>;

/** What a key did to the open question. */
export type Pressed =
	| Asked
	| { type: 'cancelled' }
	/** Its command is to be copied; the question stays open. */
	| { type: 'copy'; question: Question }
	/** There is no question. */
	| { type: 'none' };

export function refused(
	why: Refusal['why'],
	message: string,
	skipped: readonly Skipped[] = [],
): Extract<Asked, { type: 'refused' }> {
	return { type: 'refused', refusal: { why, message, skipped } };
}
