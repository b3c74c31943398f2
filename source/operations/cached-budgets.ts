import type { Clock } from '../fleet/clock.ts';
import type { Pace } from '../pace/pace.ts';

export type CachedBudgets = {
	/** Returns the budgets of the last ledger read, without reading the ledger again. */
	latest(): ReturnType<Pace['budgets']>;
	/** Starts the refresh if an operation waits to be sent now. */
	refreshWhileWaiting(): void;
	close(): void;
};

type CachedBudgetsOptions = {
	pace: Pick<Pace, 'budgets' | 'subscribe'>;
	clock: Clock;
	/** Returns whether any operation waits to be sent. */
	hasWaitingOperations: () => boolean;
};

const refreshIntervalMs = 1000;

/**
 * Caches the budgets for drawing. `pace.budgets` reads the ledger, which is a file, and every waiting row of a
 * frame needs the budgets. So the ledger is read only when a request of this process changes it, and every
 * second while an operation waits, because other processes spend the same limits.
 */
export function createCachedBudgets({
	pace,
	clock,
	hasWaitingOperations,
}: CachedBudgetsOptions): CachedBudgets {
	let cached = pace.budgets();
	let cancelTimer: (() => void) | undefined;
	let isClosed = false;

	function refresh() {
		cached = pace.budgets();
	}

	function wake() {
		if (isClosed || cancelTimer || !hasWaitingOperations()) return;
		cancelTimer = clock.after(refreshIntervalMs, () => {
			cancelTimer = undefined;
			refresh();
			wake();
		});
	}

	const unsubscribe = pace.subscribe(refresh);
	return {
		latest: () => cached,
		refreshWhileWaiting: wake,
		close() {
			isClosed = true;
			unsubscribe();
			cancelTimer?.();
		},
	};
}
