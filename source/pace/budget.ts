import { endOf, type ScopeState, type ServerReport } from './ledger-state.ts';
import { type Limit, type Priority, slotLifetime } from './limits.ts';

/** How one scope stands; times in milliseconds since 1970. */
export type Budget = {
	/** In force now: the documented one, or less when the platform says so. */
	limit: number;
	/** How many requests would go out at once. */
	left: Readonly<Record<Priority, number>>;
	/** When the next one can go out; now, while some are left. */
	nextAt: Readonly<Record<Priority, number>>;
	/** The platform asked for silence until then. */
	frozenUntil?: number;
	/** How many of the requests that the platform counts seem to come from elsewhere. */
	spentElsewhere: number;
	/** The other processes cannot be seen, so this one takes only a part of the limit. */
	isAlone?: boolean;
};

/** The limit that the platform told, for as long as that is believed: a window, or until its reset. */
export function reportedLimit(heard: ServerReport, rule: Limit, now: number): number | undefined {
	const until = heard.at - (heard.limitAge ?? 0) + Math.max(heard.hold, slotLifetime(rule));
	return now < until ? heard.limit : undefined;
}

/** The budget at `now`, by the clock of the page. */
export function budgetFrom(page: ScopeState, rule: Limit, now: number): Budget {
	const told = page.heard && reportedLimit(page.heard, rule, now);
	const limit = Math.min(rule.limit, told ?? rule.limit);
	const ends = [...page.spends.values()].map(endOf).sort((a, b) => a - b);
	const frozenUntil = page.freeze ? endOf(page.freeze) : 0;
	const closedUntil = Math.max(
		frozenUntil,
		page.fullSince === undefined ? 0 : page.fullSince + slotLifetime(rule),
	);
	const heard = page.heard && now < endOf(page.heard) ? page.heard : undefined;
	// What was sent since that answer is not in its count.
	const since = Math.max(0, page.taken - (heard?.number ?? 0));
	const there = (heard?.remaining ?? Number.POSITIVE_INFINITY) - since;
	const left = now < closedUntil ? 0 : Math.min(limit - ends.length, there);

	const leftBeyond = (kept: number) => Math.max(0, left - kept);
	const nextBeyond = (kept: number) =>
		Math.max(
			now,
			closedUntil,
			ends[ends.length - (limit - kept)] ?? 0,
			heard && there <= kept ? endOf(heard) : 0,
		);
	const reserved = Math.floor(limit * rule.reserved);
	return {
		limit,
		left: { operation: leftBeyond(0), read: leftBeyond(reserved) },
		nextAt: { operation: nextBeyond(0), read: nextBeyond(reserved) },
		...(now < frozenUntil && { frozenUntil }),
		spentElsewhere: heard?.foreign ?? 0,
	};
}

/**
 * What a process may spend that counts alone: other processes do the same, and nobody knows how many
 * they are.
 */
export const limitWhenAlone = (rule: Limit): Limit => ({
	...rule,
	limit: Math.max(1, Math.floor(rule.limit / 4)),
});

/** More was taken than there is: by another host at the same moment, or without seeing the others. */
export function isOverdrawn(page: ScopeState, rule: Limit, now: number): boolean {
	return page.spends.size > budgetFrom(page, rule, now).limit;
}

/** The same budget by another clock, which is ahead of the first by `ahead`. */
export function budgetByOtherClock(budget: Budget, ahead: number): Budget {
	const { nextAt, frozenUntil } = budget;
	return {
		...budget,
		nextAt: { operation: nextAt.operation + ahead, read: nextAt.read + ahead },
		...(frozenUntil !== undefined && { frozenUntil: frozenUntil + ahead }),
	};
}
