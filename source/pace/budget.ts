import { endOf, type ScopeState, type ServerReport } from './ledger-state.ts';
import { type Limit, type Priority, slotLifetime } from './limits.ts';

/** What may still be sent in one scope. Times are milliseconds since 1970. */
export type Budget = {
	/** The limit in force: the documented one, or less if the platform reports less. */
	limit: number;
	/** How many requests could be sent right now. */
	left: Readonly<Record<Priority, number>>;
	/** When the next request can be sent; the present while some are left. */
	nextAt: Readonly<Record<Priority, number>>;
	/** The platform refused a request and accepts none until this time. */
	frozenUntil?: number;
	/** How many of the requests that the platform counts seem to come from elsewhere. */
	spentElsewhere: number;
	/** This process cannot see what the others spend, so it uses only a part of the limit. */
	isAlone?: boolean;
};

/** The limit that the platform reported, until it expires: after a window, or at the reset if that is later. */
export function reportedLimit(report: ServerReport, rule: Limit, now: number): number | undefined {
	const until = report.at - (report.limitAge ?? 0) + Math.max(report.hold, slotLifetime(rule));
	return now < until ? report.limit : undefined;
}

/** The budget at `now`, by the clock of the ledger. */
export function budgetFrom(state: ScopeState, rule: Limit, now: number): Budget {
	const limit = Math.min(
		rule.limit,
		(state.heard && reportedLimit(state.heard, rule, now)) ?? rule.limit,
	);
	const ends = [...state.spends.values()].map(endOf).sort((a, b) => a - b);
	const frozenUntil = state.freeze ? endOf(state.freeze) : 0;
	const closedUntil = Math.max(
		frozenUntil,
		state.fullSince === undefined ? 0 : state.fullSince + slotLifetime(rule),
	);
	const report = state.heard && now < endOf(state.heard) ? state.heard : undefined;
	// The report does not count the requests that were sent after the one it responded to.
	const sentSince = Math.max(0, state.taken - (report?.number ?? 0));
	const leftByReport = (report?.remaining ?? Number.POSITIVE_INFINITY) - sentSince;
	const left = now < closedUntil ? 0 : Math.min(limit - ends.length, leftByReport);

	const leftBeyond = (kept: number) => Math.max(0, left - kept);
	const nextBeyond = (kept: number) =>
		Math.max(
			now,
			closedUntil,
			ends[ends.length - (limit - kept)] ?? 0,
			report && leftByReport <= kept ? endOf(report) : 0,
		);
	const reserved = Math.floor(limit * rule.reserved);
	return {
		limit,
		left: { operation: leftBeyond(0), read: leftBeyond(reserved) },
		nextAt: { operation: nextBeyond(0), read: nextBeyond(reserved) },
		...(now < frozenUntil && { frozenUntil }),
		spentElsewhere: report?.foreign ?? 0,
	};
}

/** The limit of a process that cannot see the others. They may be several, and each of them does the same. */
export const limitWhenAlone = (rule: Limit): Limit => ({
	...rule,
	limit: Math.max(1, Math.floor(rule.limit / 4)),
});

/** More slots are spent than the limit has: another host took one too, or processes counted alone. */
export function isOverdrawn(state: ScopeState, rule: Limit, now: number): boolean {
	return state.spends.size > budgetFrom(state, rule, now).limit;
}

/** The budget by a clock that is `ahead` of the ledger's. */
export function budgetByOtherClock(budget: Budget, ahead: number): Budget {
	const { nextAt, frozenUntil } = budget;
	return {
		...budget,
		nextAt: { operation: nextAt.operation + ahead, read: nextAt.read + ahead },
		...(frozenUntil !== undefined && { frozenUntil: frozenUntil + ahead }),
	};
}
