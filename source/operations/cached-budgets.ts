import type { Clock } from '../fleet/clock.ts';
import type { Pace } from '../pace/pace.ts';

export type CachedBudgets = {
	/** As they were read last. Reads nothing. */
	now(): ReturnType<Pace['budgets']>;
	/** Something may have begun to wait. */
	wake(): void;
	close(): void;
};

type Parts = {
	pace: Pick<Pace, 'budgets' | 'subscribe'>;
	clock: Clock;
	/** Whether anything waits for its turn. */
	isWaiting: () => boolean;
};

const refreshInterval = 1000;

/**
 * The budgets for what is drawn. `pace.budgets` reads the ledger, which is a file, and drawing asks for
 * every waiting row. So the ledger is read when a request of this process changed it, and each second
 * while something waits, because other processes of this host spend the same limits.
 */
export function createCachedBudgets({ pace, clock, isWaiting }: Parts): CachedBudgets {
	let seen = pace.budgets();
	let callOff: (() => void) | undefined;
	let isClosed = false;

	function look() {
		seen = pace.budgets();
	}

	function wake() {
		if (isClosed || callOff || !isWaiting()) return;
		callOff = clock.after(refreshInterval, () => {
			callOff = undefined;
			look();
			wake();
		});
	}

	const endNews = pace.subscribe(look);
	return {
		now: () => seen,
		wake,
		close() {
			isClosed = true;
			endNews();
			callOff?.();
		},
	};
}
