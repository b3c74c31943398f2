import type { Clock } from '../fleet/clock.ts';
import type { OperationId } from '../fleet/fact.ts';
import type { Strictness } from '../fleet/preferences.ts';
import type { Pace } from '../pace/pace.ts';
import type { Store } from '../store/store.ts';
import type { AccountSession } from './endings.ts';
import type { Doer } from './rule.ts';

/** What the operations of one account are made of. */
export type OperationsParts = {
	account: string;
	store: Store;
	platform: Doer;
	pace: Pick<Pace, 'budgets' | 'subscribe'>;
	clock: Clock;
	/** At least 0, below 1. */
	random: () => number;
	watch: AccountSession;
	isReadOnly: () => boolean;
	/** Milliseconds without a key; Infinity for never. */
	lockAfter: number;
	/** Where a profile wants other questions than usual. */
	confirm?: Readonly<Partial<Record<OperationId, Strictness>>>;
	/** Other graces than those of the table, in milliseconds. */
	graces?: Readonly<Partial<Record<OperationId, number>>>;
	/** What an equivalent command needs beside, such as the profile. */
	commandOptions?: readonly string[];
};
