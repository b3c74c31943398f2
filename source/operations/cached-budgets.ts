import type { Clock } from '../fleet/clock.ts';
import type { Pace } from '../pace/pace.ts';

export type CachedBudgets = {
	/** The budgets of the last read. It reads nothing itself. */
	now(): ReturnType<Pace['budgets']>;
	/** An operation may have begun to wait. */
	wake(): void;
	close(): void;
};

type Parts = {
	pace: Pick<Pace, 'budgets' | 'subscribe'>;
	clock: Clock;
	/** Whether any operation waits to be sent. */
	isWaiting: () => boolean;
};

const refreshInterval = 1000;

/**
 * The budgets for drawing. `pace.budgets` reads the ledger, which is a file, and a frame needs the budgets
 * for each waiting row. So the ledger is read only when a request of this process changes it, and every
 * second while an operation waits, because other processes spend the same limits.
 */
export function createCachedBudgets({ pace, clock, isWaiting }: Parts): CachedBudgets {
	let cached = pace.budgets();
	let cancelTimer: (() => void) | undefined;
	let isClosed = false;

	function refresh() {
		cached = pace.budgets();
	}

	function wake() {
		if (isClosed || cancelTimer || !isWaiting()) return;
		cancelTimer = clock.after(refreshInterval, () => {
			cancelTimer = undefined;
			refresh();
			wake();
		});
	}

	const unsubscribe = pace.subscribe(refresh);
	return {
		now: () => cached,
		wake,
		close() {
			isClosed = true;
			unsubscribe();
			cancelTimer?.();
		},
	};
}
