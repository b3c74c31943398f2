import type { Fact } from '../fleet/fact.ts';
import type { AccountState } from '../store/state.ts';
import { isRefusalOfList } from './can-read.ts';
import type { Follower } from './follower.ts';
import { type AnswerMemory, audienceOf } from './known-facts.ts';
import type { Leader } from './leader.ts';

/** Sends the facts of this process to the others, each once. */
export type OutgoingFacts = {
	/** Sends an answer to the followers before this process folds it, so that all work on it at the same time. */
	sendFirst(answer: Fact): void;
	/** Sends a fact that this process has folded, unless it was sent before. */
	send(fact: Fact): void;
};

type OutgoingFactsOptions = {
	memory: AnswerMemory;
	state: () => AccountState;
	/** Returns to whom this process is connected at the moment. */
	receivers: () => { leader: Leader | undefined; follower: Follower | undefined };
};

export function createOutgoingFacts(options: OutgoingFactsOptions): OutgoingFacts {
	const { memory, state, receivers } = options;
	const sent = new WeakSet<Fact>();

	function share(fact: Fact) {
		if (fact.pane !== undefined) return;
		const { leader, follower } = receivers();
		const audience = isRefusalOfList(fact) ? undefined : audienceOf(fact, state());
		if (leader && audience) leader.share(fact);
		else if (audience === 'panes') follower?.share(fact);
	}

	return {
		sendFirst(answer) {
			if (!receivers().leader) return;
			sent.add(answer);
			// A follower that joins before the answer is folded gets it from the memory. The answers after it are sent as the
			// differences from it.
			memory.note(answer);
			share(answer);
		},
		send(fact) {
			if (sent.has(fact)) return;
			memory.note(fact);
			share(fact);
		},
	};
}
