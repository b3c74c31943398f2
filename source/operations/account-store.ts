import type { Fact, FactBody } from '../fleet/fact.ts';
import type { Clock } from '../foundation/clock.ts';
import { type AccountState, emptyAccount } from '../store/state.ts';
import type { Store } from '../store/store.ts';

/** The store as one account sees it. It adds the account and the time to each fact. */
export type AccountStore = {
	state(): AccountState;
	fold(fact: FactBody, askedAt?: number): void;
	/** Folds all facts and notifies subscribers once. */
	foldAll(facts: readonly FactBody[]): void;
};

export function createAccountStore(account: string, store: Store, clock: Clock): AccountStore {
	const stamped = (fact: FactBody, askedAt?: number): Fact => ({
		account,
		at: clock.now(),
		...(askedAt !== undefined && { askedAt }),
		...fact,
	});

	return {
		state: () => store.getState().accounts.get(account) ?? emptyAccount,
		fold: (fact, askedAt) => store.fold(stamped(fact, askedAt)),
		foldAll: facts => store.foldAll(facts.map(fact => stamped(fact))),
	};
}
