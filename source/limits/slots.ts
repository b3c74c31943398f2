import { type Limit, longestSlotMs, type Priority, type Scope, slotLifetimeMs } from './limits.ts';
import { type RequestLog, slotEndOf, type Take } from './request-log.ts';

/** Times are of the wall clock. */
export type Slots = {
	/** The documented limit, or a lower one that the platform has reported. */
	limit: number;
	free: Readonly<Record<Priority, number>>;
	nextAt: Readonly<Record<Priority, number>>;
	readsPerMs: number;
	frozenUntil: number | undefined;
	spentElsewhere: number;
	isAlone: boolean;
};

const shareWhenAlone = 1 / 4;

// Only the responses to requests reveal how many requests other clients send.
const minShareOfLimit = 1 / 12;

const typicalRequestMs = 250;

// A random count varies by about its square root. Three more than the average are enough in 999 of 1,000 windows.
const deviationsLeft = 3;

/** With `before`, the slots that were left for that take. */
export function slotsFrom(log: RequestLog, scope: Scope, share: number, before?: Take): Slots {
	const { takes, remainder, refusal, limit: reported } = log.counted(scope, before);
	const rule = log.limits[scope];
	const now = log.now();
	const aheadMs = log.wallClockNow() - now;
	const isAlone = log.isAlone(scope);
	const inForce = Math.min(rule.maxRequests, reported ?? rule.maxRequests);
	const limit = isAlone ? Math.max(1, Math.floor(inForce * shareWhenAlone)) : inForce;
	const reserved = Math.floor(limit * rule.reservedShare);
	const ends = endsOf(takes, rule);

	// After a refusal, one request tries. The others wait for its response.
	const frozenUntil = refusal?.until ?? 0;
	const tries = refusal ? takes.filter(({ at }) => at >= frozenUntil) : [];
	const isTrying = refusal !== undefined && tries.every(({ doneAt }) => doneAt === undefined);
	const triesUntil = isTrying && tries[0] ? tries[0].at + longestSlotMs(rule) : 0;
	const closedUntil = Math.max(frozenUntil, triesUntil);

	const remaining = remainder
		? remainder.remaining - takes.filter(({ number }) => number > remainder.number).length
		: Number.POSITIVE_INFINITY;
	const left = now < closedUntil ? 0 : Math.min(limit - takes.length, remaining);
	const freeBeyond = (kept: number) => Math.min(Math.max(0, left - kept), isTrying ? 1 : limit);
	const nextBeyond = (kept: number) =>
		Math.max(
			now,
			closedUntil,
			ends[takes.length - (limit - kept)] ?? 0,
			remainder && remaining <= kept ? remainder.until : 0,
		);
	const [free, nextAt] = [freeBeyond(reserved), nextBeyond(reserved)];

	const reads = takes.filter(take => take.share !== undefined);
	const mostReads = Math.max(1, Math.floor(share * limit));
	const readAt = nextReadWithin(reads, mostReads, rule, share);
	const spentElsewhere = remainder?.elsewhere ?? 0;
	const deviation = share < 1 ? deviationsLeft * Math.sqrt(spentElsewhere) : 0;
	const kept = Math.max(reserved, deviation) + spentElsewhere;
	const leftForReads = limit - kept - (takes.length - reads.length);
	const leastReads = (limit - reserved) * minShareOfLimit;
	return {
		limit,
		free: {
			operation: freeBeyond(0),
			requestedRead: free,
			read: now < readAt ? 0 : Math.min(free, Math.max(1, mostReads - reads.length)),
		},
		nextAt: {
			operation: nextBeyond(0) + aheadMs,
			requestedRead: nextAt + aheadMs,
			read: Math.max(nextAt, readAt) + aheadMs,
		},
		readsPerMs: Math.min(mostReads, Math.max(leastReads, leftForReads)) / typicalSlotMs(rule),
		frozenUntil: now < frozenUntil ? frozenUntil + aheadMs : undefined,
		spentElsewhere,
		isAlone,
	};
}

/**
 * Until more reads than a smaller share allows no longer count, the process reads as often as it allows: if it waited for
 * them, half a minute could pass without a read.
 */
function nextReadWithin(reads: readonly Take[], most: number, rule: Limit, share: number): number {
	const whenFewerThanMost = (some: readonly Take[]) => endsOf(some, rule)[some.length - most] ?? 0;
	const atThisShare = reads.filter(take => (take.share ?? 0) <= share);
	const lastAt = Math.max(...reads.map(({ at }) => at));
	return Math.min(
		whenFewerThanMost(reads),
		Math.max(lastAt + typicalSlotMs(rule) / most, whenFewerThanMost(atThisShare)),
	);
}

const endsOf = (takes: readonly Take[], rule: Limit) =>
	takes.map(take => slotEndOf(take, rule)).sort((a, b) => a - b);

const typicalSlotMs = (rule: Limit) => slotLifetimeMs(rule) + typicalRequestMs;
