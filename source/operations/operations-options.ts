import type { StoreApi } from 'zustand/vanilla';
import type { ReadName } from '../fleet/fact.ts';
import type { QuestionStrictness } from '../fleet/operations/preferences.ts';
import type { Clock } from '../foundation/clock.ts';
import type { Pace } from '../pace/pace.ts';
import type { OperationApi } from '../platform/operation-requests.ts';
import type { Store } from '../store/store.ts';
import type { CachedBudgets } from './cached-budgets.ts';
import type { OperationsState } from './operations-state.ts';
import type { AccountStore, PendingOperations } from './pending-operations.ts';
import type { ChangePolicy } from './refusal.ts';

/** The calls of the watch that operations use. */
export type WatchHandle = {
	/** Plans reads again, because an operation was sent or has ended. */
	wake(): void;
	/** Sends these reads as soon as the budget allows. */
	readNow(reads: readonly { name: ReadName; id?: string }[]): void;
};

/** The services and settings that the operations of one account depend on. */
export type OperationsOptions = {
	account: string;
	store: Store;
	platform: OperationApi;
	pace: Pick<Pace, 'budgets' | 'subscribe'>;
	clock: Clock;
	/** Returns a number from 0 to below 1. */
	random: () => number;
	watch: WatchHandle;
	/** Whether the profile forbids every change. */
	isReadOnly: boolean;
	/** The time without a key press after which the monitor locks; `Infinity` for never. */
	lockAfterMs: number;
	/** The strictness of each question that the profile makes stricter or laxer than usual. */
	questionStrictness?: QuestionStrictness | undefined;
	/** Whether operations are sent without a countdown. */
	skipsGrace?: boolean | undefined;
	/** Options that the equivalent shell command needs, such as the profile. */
	commandOptions?: readonly string[] | undefined;
};

/** The objects that all parts of one account's operations use. */
export type OperationsDeps = OperationsOptions & {
	accountStore: AccountStore;
	pending: PendingOperations;
	policy: ChangePolicy;
	state: StoreApi<OperationsState>;
	cachedBudgets: CachedBudgets;
	createId: () => string;
	/** Aborted when the program ends. */
	signal: AbortSignal;
};
