import type { Fact, FactBody } from '../fleet/fact.ts';
import type { Clock } from '../foundation/clock.ts';
import type { AccountState } from '../store/state.ts';
import type { Store } from '../store/store.ts';
import type { Attention } from '../watch/planner-input.ts';
import type { Read } from '../watch/reads.ts';
import type { OwnWatch } from '../watch/watch.ts';
import type { Election } from './election.ts';
import type { Audience } from './shared-facts.ts';

/** A process that takes part in the shared watch, as its role sees it. */
export type Member = {
	account: string;
	store: Store;
	clock: Clock;
	random: () => number;
	election: Election;
	/** Reads for this process, and for others while this process leads. */
	ownWatch: OwnWatch;
	/** Whether a person looks at this process, so that its view decides what is read, and its terminal may ring. */
	hasScreen: boolean;
	state(): AccountState;
	fold(body: FactBody): void;
	/** Whether the platform accepts the credentials of this process, so that it can lead. */
	canRead(): boolean;
	setReading(isReading: boolean): void;
	/** Ends the role for another election, in which this process leads only if its reads work again. */
	resign(): void;
	rejoin(): void;
	/** Takes the place of a leader that does not answer. */
	replaceLeader(place: string | undefined): void;
	/** The leader has closed the connection. */
	loseLeader(followedForMs: number): void;
};

export type Role = {
	kind: 'leader' | 'follower';
	/** Only the terminal of the process that a person used last rings. */
	usedLast(): string;
	/** A fact of this process; without an audience, others do not learn of it. */
	noteOwn(fact: Fact, audience: Audience | undefined): void;
	setAttention(attention: Attention): void;
	readNow(reads: readonly Read[] | undefined): void;
	close(): void;
};

export const heartbeatMs = 1_000;
