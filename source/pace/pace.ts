import type { Clock } from '../foundation/clock.ts';
import { createListeners } from '../foundation/listeners.ts';
import { type Budget, budgetByOtherClock } from './budget.ts';
import type { Ledger } from './ledger.ts';
import type { LedgerState } from './ledger-state.ts';
import {
	documentedLimits,
	type LimitsByScope,
	type RateLimiter,
	type Scope,
	scopes,
} from './limits.ts';
import type { ReadBudget } from './read-budget.ts';
import { createScopeLimiter } from './scope-limiter.ts';

/** The rate limiter of one account. */
export type Pace = RateLimiter & {
	/** Returns the present budget of each scope, in which the requests of other processes are counted too. */
	budgets(): Record<Scope, Budget>;
	/** Returns what the watch of this process may spend. */
	readBudgets(): ReadBudgets;
	/**
	 * Limits the reads of this process to a share of each limit, in any window. Reads that a person requests may
	 * exceed the share.
	 */
	limitReads(share: number): void;
	/**
	 * Calls the listener when this process changes a budget, or when the watch finds a scope closed. Budgets also change without
	 * a call, as time passes (see `nextRequestAt`) and when other processes send requests.
	 */
	subscribe(listener: () => void): () => void;
	/** Rejects the waiting requests, and counts the requests in flight as lost. */
	close(): Promise<void>;
};

/** The requests that a watch may send in each scope that it reads. */
export type ReadBudgets = Readonly<Record<'status' | 'other', ReadBudget>>;

type PaceOptions = {
	clock: Clock;
	/** Returns a number from 0 to 1. */
	random: () => number;
	ledger: Ledger;
	limits?: LimitsByScope;
};

export function createPace({
	clock,
	random,
	ledger,
	limits = documentedLimits,
}: PaceOptions): Pace {
	const listeners = createListeners();
	const onChange = listeners.notify;
	const createLimiter = (scope: Scope) =>
		createScopeLimiter({ scope, rule: limits[scope], clock, random, ledger, onChange });
	const limiters = {
		create: createLimiter('create'),
		status: createLimiter('status'),
		other: createLimiter('other'),
	};

	// The ledger's clock never jumps, but budgets are shown by the wall clock. Reading the ledger's clock reads a file.
	const budgetIn = (ledgerState: LedgerState, scope: Scope, now: number) =>
		budgetByOtherClock(limiters[scope].budgetIn(ledgerState, now), clock.now() - now);

	function readBudgetIn(
		ledgerState: LedgerState,
		scope: Scope,
		ledgerClockNow: number,
	): ReadBudget {
		const budget = limiters[scope].readBudgetIn(ledgerState, ledgerClockNow);
		return { ...budget, nextRequestAt: budget.nextRequestAt + clock.now() - ledgerClockNow };
	}

	let knownClosures = '';

	/**
	 * A scope may be closed by a refusal that an earlier run or another process met, or because the ledger was damaged, so
	 * that no request of this process has told.
	 */
	function noticeClosures(ledgerState: LedgerState) {
		const closures = scopes.flatMap(scope => {
			const { freeze, fullSince } = ledgerState[scope];
			return freeze || fullSince !== undefined ? [{ scope, freeze, fullSince }] : [];
		});
		const serialised = closures.length === 0 ? '' : JSON.stringify(closures);
		if (serialised === knownClosures) return;
		knownClosures = serialised;
		onChange();
	}

	return {
		acquire: (scope, request) => limiters[scope].acquire(request),
		budgets() {
			const ledgerState = ledger.refresh();
			const now = ledger.now();
			return {
				create: budgetIn(ledgerState, 'create', now),
				status: budgetIn(ledgerState, 'status', now),
				other: budgetIn(ledgerState, 'other', now),
			};
		},
		readBudgets() {
			const ledgerState = ledger.refresh();
			noticeClosures(ledgerState);
			const now = ledger.now();
			return {
				status: readBudgetIn(ledgerState, 'status', now),
				other: readBudgetIn(ledgerState, 'other', now),
			};
		},
		limitReads(share) {
			for (const limiter of Object.values(limiters)) limiter.limitReads(share);
		},
		subscribe: listeners.subscribe,
		async close() {
			for (const limiter of Object.values(limiters)) limiter.close();
			ledger.close();
		},
	};
}
