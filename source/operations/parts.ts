import type { Clock } from '../fleet/clock.ts';
import type { OperationId } from '../fleet/operation.ts';
import type { Strictness } from '../fleet/preferences.ts';
import type { Pace } from '../pace/pace.ts';
import type { Store } from '../store/store.ts';
import type { OperationApi } from './operation-row.ts';
import type { WatchHandle } from './responses.ts';

/** What the operations of one account are made of. */
export type OperationsOptions = {
	account: string;
	store: Store;
	platform: OperationApi;
	pace: Pick<Pace, 'budgets' | 'subscribe'>;
	clock: Clock;
	/** At least 0, below 1. */
	random: () => number;
	watch: WatchHandle;
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
