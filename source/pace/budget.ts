import { intervalEndOf, type ScopeState, type ServerReport } from './ledger-state.ts';
import { type Limit, slotLifetimeMs } from './limits.ts';

/** How many requests may still be sent in one scope, and when. Times are milliseconds since 1970. */
export type Budget = {
	/** The limit in force: the documented limit, or a lower limit that the platform has reported. */
	limit: number;
	/** How many operations, and how many reads of a watch, could be sent right now. */
	requestsLeft: Readonly<Record<'operation' | 'read', number>>;
	/** The time at which the next request can be sent, which may be the present time. */
	nextRequestAt: Readonly<Record<'operation' | 'read', number>>;
	/** The platform has refused a request and accepts no others until this time. */
	frozenUntil?: number;
	/**
	 * How many of the requests that the platform counted came from other programs, judging by the headers of
	 * its responses.
	 */
	spentElsewhere: number;
	/** Set if this process cannot see the requests of other processes, so that it uses only a part of the limit. */
	countsThisProcessOnly?: boolean;
};

/**
 * Returns the limit that the platform reported; undefined once the report has expired, after one window or at
 * the reset, whichever is later.
 */
export function reportedLimit(report: ServerReport, rule: Limit, now: number): number | undefined {
	const expiresAt =
		report.at - (report.limitAge ?? 0) + Math.max(report.hold, slotLifetimeMs(rule));
	return now < expiresAt ? report.limit : undefined;
}

/** Computes the budget at `now`, a time of the ledger's clock. */
export function budgetFrom(state: ScopeState, rule: Limit, now: number): Budget {
	const limit = Math.min(
		rule.maxRequests,
		(state.heard && reportedLimit(state.heard, rule, now)) ?? rule.maxRequests,
	);
	const spentCount = state.spends.size;
	const reservedForOperations = Math.floor(limit * rule.reservedShare);
	// The slots are sorted only if no room is left, which is seldom.
	const hasRoom = spentCount < limit - reservedForOperations;
	const slotEnds = hasRoom
		? []
		: [...state.spends.values()].map(intervalEndOf).sort((a, b) => a - b);
	const frozenUntil = state.freeze ? intervalEndOf(state.freeze) : 0;
	const closedUntil = Math.max(
		frozenUntil,
		state.fullSince === undefined ? 0 : state.fullSince + slotLifetimeMs(rule),
	);
	const report = state.heard && now < intervalEndOf(state.heard) ? state.heard : undefined;
	// The platform's report does not include requests that were sent after the reported request.
	const sentSince = Math.max(0, state.taken - (report?.number ?? 0));
	const leftByReport = (report?.remaining ?? Number.POSITIVE_INFINITY) - sentSince;
	const left = now < closedUntil ? 0 : Math.min(limit - spentCount, leftByReport);

	const leftAfterReserving = (reservedCount: number) => Math.max(0, left - reservedCount);
	const nextTimeAfterReserving = (reservedCount: number) =>
		Math.max(
			now,
			closedUntil,
			slotEnds[spentCount - (limit - reservedCount)] ?? 0,
			report && leftByReport <= reservedCount ? intervalEndOf(report) : 0,
		);
	return {
		limit,
		requestsLeft: {
			operation: leftAfterReserving(0),
			read: leftAfterReserving(reservedForOperations),
		},
		nextRequestAt: {
			operation: nextTimeAfterReserving(0),
			read: nextTimeAfterReserving(reservedForOperations),
		},
		...(now < frozenUntil && { frozenUntil }),
		spentElsewhere: report?.foreign ?? 0,
	};
}

/**
 * Returns the limit for a process that cannot see the requests of other processes. There may be several such
 * processes, so each of them uses a quarter of the limit.
 */
export const limitWhenAlone = (rule: Limit): Limit => ({
	...rule,
	maxRequests: Math.max(1, Math.floor(rule.maxRequests / 4)),
});

/**
 * Whether more slots are taken than the limit allows. This happens when two hosts take a slot at the same
 * moment, or after a process could not see the requests of others.
 */
export function isOverdrawn(state: ScopeState, rule: Limit, now: number): boolean {
	return state.spends.size > budgetFrom(state, rule, now).limit;
}

/** Converts the times of a budget to a clock that is `aheadMs` milliseconds ahead of the ledger's clock. */
export function budgetByOtherClock(budget: Budget, aheadMs: number): Budget {
	const { nextRequestAt: nextAt, frozenUntil } = budget;
	return {
		...budget,
		nextRequestAt: { operation: nextAt.operation + aheadMs, read: nextAt.read + aheadMs },
		...(frozenUntil !== undefined && { frozenUntil: frozenUntil + aheadMs }),
	};
}
