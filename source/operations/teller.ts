import type { Clock } from '../fleet/clock.ts';
import type { Fact, Happening } from '../fleet/fact.ts';
import { type AccountState, emptyAccount } from '../store/state.ts';
import type { Store } from '../store/store.ts';

/** One account's part of the store: what is known of it, and what is told of it. */
export type Teller = {
	known(): AccountState;
	tell(happening: Happening, askedAt?: number): void;
	/** One notice to all who look at the store. */
	tellAll(happenings: readonly Happening[]): void;
};

export function createTeller(account: string, store: Store, clock: Clock): Teller {
	const factFrom = (happening: Happening, askedAt?: number): Fact => ({
		account,
		at: clock.now(),
		...(askedAt !== undefined && { askedAt }),
		...happening,
	});

	return {
		known: () => store.getState().accounts.get(account) ?? emptyAccount,
		tell: (happening, askedAt) => store.fold(factFrom(happening, askedAt)),
		tellAll: happenings => store.foldAll(happenings.map(each => factFrom(each))),
	};
}
