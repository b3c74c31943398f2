import type { StoreApi } from 'zustand/vanilla';
import type { AccountProfile } from '../fleet/computers/account-profile.ts';
import type { ReadName } from '../fleet/fact.ts';
import type { QuestionStrictness } from '../fleet/operations/preferences.ts';
import type { Clock } from '../foundation/clock.ts';
import type { Limiter } from '../limits/limiter.ts';
import type { OperationApi } from '../platform/operation-requests.ts';
import type { Store } from '../store/store.ts';
import type { AccountStore } from './account-store.ts';
import type { OperationsState } from './operations-state.ts';
import type { PendingOperations } from './pending-operations.ts';
import type { ChangePolicy } from './refusal.ts';

/** The methods of the watch that operations use. */
export type WatchHandle = {
	/** Plans reads again, because an operation was sent or has ended. */
	wake(): void;
	/** Sends these reads as soon as the limits allow. */
	readNow(reads: readonly { name: ReadName; id?: string }[]): void;
};

/** The services and settings that the operations of all accounts share. */
export type OperationsOptions = {
	store: Store;
	clock: Clock;
	/** Returns a number from 0 to below 1. */
	random: () => number;
	/** The time without a key press after which the monitor locks; `Infinity` for never. */
	lockAfterMs: number;
	/** Whether operations are sent without a countdown. */
	skipsGrace?: boolean | undefined;
};

/** An account whose computers can be operated: its rules, and the services that its requests go through. */
export type OperatedAccount = {
	profile: AccountProfile;
	platform: OperationApi;
	limiter: Pick<Limiter, 'slots' | 'subscribe'>;
	watch: WatchHandle;
	/** The strictness of those questions for which the profile changes it. */
	questionStrictness?: QuestionStrictness | undefined;
	/** Whether this process follows the operations of processes that have ended. Only one process of a host does. */
	isRecorder?: (() => boolean) | undefined;
	/** Options that the equivalent shell command needs, such as the profile. */
	commandOptions?: readonly string[] | undefined;
};

/** The objects that all parts of one account's operations use. */
export type OperationsDeps = Pick<OperationsOptions, 'store' | 'clock'> &
	OperatedAccount & {
		accountStore: AccountStore;
		pending: PendingOperations;
		policy: ChangePolicy;
		state: StoreApi<OperationsState>;
		/** Aborted when the account is closed. */
		signal: AbortSignal;
	};
