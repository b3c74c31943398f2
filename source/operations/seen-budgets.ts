import type { Pace } from '../pace/pace.ts';

export type SeenBudgets = {
	/** As they stood when a request of this process last changed them. Reads nothing. */
	now(): ReturnType<Pace['budgets']>;
	close(): void;
};

/**
 * The budgets for what is drawn. `pace.budgets` reads the ledger, which is a file; drawing asks several
 * times a second and for every waiting row, so it is read here when something changed instead.
 */
export function createSeenBudgets(pace: Pick<Pace, 'budgets' | 'subscribe'>): SeenBudgets {
	let seen = pace.budgets();
	const close = pace.subscribe(() => {
		seen = pace.budgets();
	});
	return { now: () => seen, close };
}
