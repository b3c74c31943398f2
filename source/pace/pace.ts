import type { Clock } from '../fleet/clock.ts';
import { type Budget, budgetByOtherClock } from './budget.ts';
import type { Ledger } from './ledger.ts';
import { documentedLimits, type Limits, type RateLimiter, type Scope } from './limits.ts';
import { createScopeLimiter } from './scope-limiter.ts';

export type Pace = RateLimiter & {
	/** How each scope stands at this moment, other processes included. */
	budgets(): Record<Scope, Budget>;
	/**
	 * Calls when this process changed a budget. `nextAt` tells when time will, and what other processes
	 * spend shows whenever `budgets` is asked.
	 */
	subscribe(listener: () => void): () => void;
	/** Refuses all who wait, and counts what is under way as lost. */
	close(): Promise<void>;
};

type Parts = {
	clock: Clock;
	/** From 0 to 1. */
	random: () => number;
	ledger: Ledger;
	limits?: Limits;
};

export function createPace({ clock, random, ledger, limits = documentedLimits }: Parts): Pace {
	const listeners = new Set<() => void>();
	const onChange = () => {
		for (const listener of listeners) listener();
	};
	const laneOf = (scope: Scope) =>
		createScopeLimiter({ scope, rule: limits[scope], clock, random, ledger, onChange });
	const lanes = { create: laneOf('create'), status: laneOf('status'), other: laneOf('other') };

	// The wall's clock may jump; the ledger's does not. Only what is shown is told by the wall's.
	const budgetOf = (scope: Scope) =>
		budgetByOtherClock(lanes[scope].budget(), clock.now() - ledger.elapsed());

	return {
		acquire: (scope, wish) => lanes[scope].acquire(wish),
		budgets: () => ({
			create: budgetOf('create'),
			status: budgetOf('status'),
			other: budgetOf('other'),
		}),
		subscribe(listener) {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
		async close() {
			for (const lane of Object.values(lanes)) lane.close();
			ledger.close();
		},
	};
}
