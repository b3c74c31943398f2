import type { Clock } from '../fleet/clock.ts';
import type { Fact, FactBody } from '../fleet/fact.ts';
import { type AccountState, emptyAccount } from '../store/state.ts';
import type { Store } from '../store/store.ts';

/** One account's part of the store: what is known of it, and what is told of it. */
export type AccountStore = {
	state(): AccountState;
	fold(happening: FactBody, askedAt?: number): void;
	/** One notice to all who look at the store. */
	foldAll(happenings: readonly FactBody[]): void;
};

export function createAccountStore(account: string, store: Store, clock: Clock): AccountStore {
	const factFrom = (happening: FactBody, askedAt?: number): Fact => ({
		account,
		at: clock.now(),
		...(askedAt !== undefined && { askedAt }),
		...happening,
	});

	return {
		state: () => store.getState().accounts.get(account) ?? emptyAccount,
		fold: (happening, askedAt) => store.fold(factFrom(happening, askedAt)),
		foldAll: happenings => store.foldAll(happenings.map(each => factFrom(each))),
	};
}
