import type { Budget } from './budget.ts';
import { type createFairShare, typicalSlotMs } from './fair-share.ts';
import type { ScopeState } from './ledger-state.ts';
import { type Limit, slotLifetimeMs } from './limits.ts';
import type { createReadAllowance } from './read-allowance.ts';
import { pollerOf } from './slot-id.ts';

/** The requests that the watch of one process may send in one scope. Times are milliseconds since 1970. */
export type ReadBudget = {
	/** How many reads may be sent now. */
	requestsLeft: number;
	/** How many reads that a person requests may be sent now, beyond the share of this process. */
	requestedReadsLeft: number;
	/** How many reads per millisecond this process can send in the long run, considering all other clients. */
	requestsPerMs: number;
	/** The same rate after an extra read; 0 while it is another process's turn to send an extra read. */
	requestsPerMsAfterExtraRead: number;
	/** How many reads per millisecond the share of this process allows. */
	ownRequestsPerMs: number;
	/** How many of the processes that share the ledger poll in this scope, including this process. */
	pollerCount: number;
	/** The time at which the next read may be sent, if none is left now. */
	nextRequestAt: number;
};

// Requests of other clients arrive at random, and a random count varies by about its square root. So a process with a
// limited share leaves room for three square roots more than the average, which is enough in 999 of 1,000 windows.
const deviationsLeftByShare = 3;

// Reads always use at least this share of the rate limit, because only the responses to requests reveal how
// many requests other clients send.
const minShareOfLimit = 1 / 12;

/**
 * Creates a function that estimates how many requests other clients send per window. At each reset, the rate limit
 * headers no longer count the earlier requests of these clients, although they will probably send more. So the count is
 * kept, and decreases slowly over one window.
 */
export function createElsewhereEstimate(rule: Limit): (reported: number, now: number) => number {
	let last = { count: 0, at: 0 };
	return (reported, now) => {
		const faded = last.count * Math.exp(-Math.abs(now - last.at) / slotLifetimeMs(rule));
		last = { count: Math.max(reported, faded), at: now };
		return last.count;
	};
}

type ReadBudgetOptions = {
	/** The budget of all processes, and the budget within the share of this process. */
	budget: Budget;
	ownBudget: Budget;
	state: ScopeState;
	rule: Limit;
	allowance: Pick<ReturnType<typeof createReadAllowance>, 'isOwnRead' | 'maxOwnReads' | 'isShared'>;
	fairShare: ReturnType<typeof createFairShare>;
	/** The requests per window of clients that do not share the ledger. */
	elsewhere: number;
	now: number;
};

export function readBudgetFrom(options: ReadBudgetOptions): ReadBudget {
	const { budget, ownBudget, state, rule, allowance, elsewhere, now } = options;
	const { limit } = budget;
	const reserved = Math.floor(limit * rule.reservedShare);
	const notPolled = [...state.spends.values()].filter(({ id }) => pollerOf(id) === undefined);
	const deviation = Math.sqrt(elsewhere);
	const leftByShare = allowance.isShared() ? deviationsLeftByShare * deviation : 0;
	const margin = Math.max(reserved + deviation, leftByShare);
	const capacity = Math.max(
		limit - margin - elsewhere - notPolled.length,
		(limit - reserved) * minShareOfLimit,
	);
	const { isOwnRead, maxOwnReads } = allowance;
	const share = options.fairShare({ state, rule, capacity, isOwnRead, now });
	const shortest = typicalSlotMs(rule) / maxOwnReads(budget);
	return {
		requestsLeft: ownBudget.requestsLeft.read,
		requestedReadsLeft: budget.requestsLeft.read,
		requestsPerMs: 1 / Math.max(share.intervalMs, shortest),
		requestsPerMsAfterExtraRead: 1 / share.intervalAfterExtraReadMs,
		ownRequestsPerMs: 1 / shortest,
		pollerCount: share.pollerCount,
		nextRequestAt: ownBudget.nextRequestAt.read,
	};
}
