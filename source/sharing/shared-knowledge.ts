import type { Fact } from '../fleet/fact.ts';
import { isOfThisProcess } from '../fleet/operations/operation.ts';
import type { Clock } from '../foundation/clock.ts';
import type { AccountState } from '../store/state.ts';
import { jobFacts } from './job-facts.ts';
import { type AnswerMemory, shareFacts, usageFacts } from './known-facts.ts';
import type { LeaderOptions } from './leader.ts';

/** Returns the functions with which a leader collects what this process knows, for other processes. */
export const leaderKnowledge = (
	account: string,
	memory: AnswerMemory,
	state: () => AccountState,
	clock: Clock,
): Pick<LeaderOptions, 'knownFacts' | 'histories'> => ({
	knownFacts: () => [
		...memory.facts(),
		...shareFacts(account, state()),
		...jobFacts(account, state(), () => true),
	],
	histories: () => usageFacts(account, state(), clock.now()),
});

/** Returns the facts from which a leader learns what only this follower knows. */
export const followerKnowledge = (account: string, state: AccountState): readonly Fact[] => [
	...shareFacts(account, state),
	...jobFacts(account, state, isOfThisProcess),
];
