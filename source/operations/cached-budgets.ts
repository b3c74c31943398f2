import { isUnsent } from '../fleet/operations/operation.ts';
import type { Clock } from '../foundation/clock.ts';
import type { Pace } from '../pace/pace.ts';
import type { Store } from '../store/store.ts';
import type { AccountStore } from './account-store.ts';

export type CachedBudgets = {
	/** Returns the budgets from the last read of the ledger, without reading the ledger again. */
	latest(): ReturnType<Pace['budgets']>;
	close(): void;
};

type CachedBudgetsOptions = {
	pace: Pick<Pace, 'budgets' | 'subscribe'>;
	clock: Clock;
	store: Store;
	accountStore: AccountStore;
};

const refreshIntervalMs = 1000;

/**
 * Caches the budgets for drawing. `pace.budgets` reads the ledger, which is a file, and every waiting row of a
 * frame needs the budgets. So the ledger is read only when a request of this process changes it, and every
 * second while an operation waits to be sent, because other processes spend the same limits.
 */
export function createCachedBudgets({
	pace,
	clock,
	store,
	accountStore,
}: CachedBudgetsOptions): CachedBudgets {
	let cached: ReturnType<Pace['budgets']> | undefined;
	// The first picture does not wait for the ledger. Nothing waits to be sent yet, so it needs no budgets.
	const cancelFirst = clock.after(0, latest);
	let cancelTimer: (() => void) | undefined;

	function latest() {
		cached ??= pace.budgets();
		return cached;
	}

	function refresh() {
		cached = pace.budgets();
	}

	function refreshWhileWaiting() {
		if (cancelTimer || ![...accountStore.state().operations.values()].some(isUnsent)) return;
		cancelTimer = clock.after(refreshIntervalMs, () => {
			cancelTimer = undefined;
			refresh();
			refreshWhileWaiting();
		});
	}

	const unsubscribers = [pace.subscribe(refresh), store.subscribe(refreshWhileWaiting)];
	return {
		latest,
		close() {
			for (const unsubscribe of unsubscribers) unsubscribe();
			cancelFirst();
			cancelTimer?.();
		},
	};
}
