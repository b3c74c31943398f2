import { reportedLimit } from './budget.ts';
import { type Freeze, intervalEndOf, type ScopeState, type ServerReport } from './ledger-state.ts';
import { type Limit, type ResponseHead, slotLifetimeMs } from './limits.ts';
import { type RateLimitHeaders, rateLimitHeadersFrom } from './rate-limit-headers.ts';
import { pollerOf } from './slot-id.ts';

type ResponseContext = {
	/** The number of the request that this response belongs to. */
	requestNumber: number;
	state: ScopeState;
	rule: Limit;
	/** The present time of the ledger's clock. */
	now: number;
	/** The present time of the wall clock. */
	wallClockNow: number;
	random: () => number;
};

// The longest wait that is honoured. If the platform demands more, the next request is sent after this time,
// and the platform may refuse again.
const maxWaitMs = 60 * 60_000;

/**
 * Returns the fields to record in the ledger for a response: the reported budget, and the freeze after a
 * refusal.
 */
export function learnFromResponse(
	{ status, headers }: ResponseHead,
	context: ResponseContext,
): { heard?: ServerReport; freeze?: Freeze } {
	const { requestNumber, state } = context;
	const allHeaders = rateLimitHeadersFrom(headers, context.wallClockNow);
	// A 503 with Retry-After is a refusal, like a 429. With any other status, Retry-After does not concern the
	// rate limit.
	const isRefused = status === 429 || (status === 503 && (allHeaders.retryInMs ?? 0) > 0);
	const relevantHeaders = isRefused ? allHeaders : { ...allHeaders, retryInMs: undefined };
	const isLatest = !state.heard || requestNumber >= state.heard.number;
	const hasReport = relevantHeaders.limit !== undefined || relevantHeaders.remaining !== undefined;
	return {
		...(isLatest && hasReport && { heard: serverReportFrom(relevantHeaders, context) }),
		...(isRefused && { freeze: freezeFrom(relevantHeaders, context) }),
	};
}

function serverReportFrom(
	headers: RateLimitHeaders,
	{ requestNumber, state, rule, now }: ResponseContext,
): ServerReport {
	const { remaining } = headers;
	const limit = limitFrom(headers, state, rule, now);
	const spends = [...state.spends.values()];
	// Requests of several processes can arrive in another order, so the platform may already have counted later
	// requests.
	const areSeveral = new Set(spends.map(({ id }) => pollerOf(id) ?? '')).size > 1;
	const ownCount = spends.filter(({ number }) => areSeveral || number <= requestNumber).length;
	const countedByPlatform =
		Math.min(rule.maxRequests, limit.limit ?? rule.maxRequests) - (remaining ?? rule.maxRequests);
	return {
		number: requestNumber,
		at: now,
		hold: requestedWaitMs(headers, rule) ?? slotLifetimeMs(rule),
		foreign: Math.max(0, countedByPlatform - ownCount),
		...limit,
		...(remaining !== undefined && { remaining }),
	};
}

/**
 * Returns the limit that this response reports, or else the limit of a recent response. The recent limit
 * expires, because a single odd response (such as a proxy's error page) must not slow the program down for
 * ever. It is dropped at once if this response reports more remaining requests than the recent limit allows.
 */
function limitFrom(
	{ limit, remaining = 0 }: RateLimitHeaders,
	{ heard }: ScopeState,
	rule: Limit,
	now: number,
): Pick<ServerReport, 'limit' | 'limitAge'> {
	if (limit !== undefined) return { limit };
	const earlierLimit = heard && reportedLimit(heard, rule, now);
	if (!heard || earlierLimit === undefined || remaining > earlierLimit) return {};
	return { limit: earlierLimit, limitAge: (heard.limitAge ?? 0) + now - heard.at };
}

/**
 * Several requests in flight may be refused at once. They count as one refusal, with the longest of their
 * waits.
 */
function freezeFrom(headers: RateLimitHeaders, context: ResponseContext): Freeze {
	const { requestNumber, state, rule, now, random } = context;
	const lastFreeze = state.freeze;
	const isSameRefusal = lastFreeze !== undefined && requestNumber <= lastFreeze.number;
	const isSoonAfter =
		lastFreeze !== undefined && now < intervalEndOf(lastFreeze) + slotLifetimeMs(rule);
	const refusalCount = isSameRefusal ? lastFreeze.times : isSoonAfter ? lastFreeze.times + 1 : 1;
	const requestedMs = requestedWaitMs(headers, rule) ?? 0;
	// After a first refusal, the requested wait is enough. A second refusal shows that it was too short.
	const isEnough = requestedMs > 0 && refusalCount === 1;
	const waitMs = isEnough
		? requestedMs
		: Math.max(requestedMs, backoffWaitMs(refusalCount, rule, random));
	const remainingMs = lastFreeze ? intervalEndOf(lastFreeze) - now : 0;
	return { number: state.taken, at: now, hold: Math.max(waitMs, remainingMs), times: refusalCount };
}

// Retry-After takes precedence over the reset time. The reset is at most one window away, even if the clocks
// disagree.
function requestedWaitMs(
	{ resetInMs, retryInMs }: RateLimitHeaders,
	rule: Limit,
): number | undefined {
	if (retryInMs !== undefined && retryInMs > 0) return Math.ceil(Math.min(retryInMs, maxWaitMs));
	if (resetInMs === undefined) return undefined;
	return Math.ceil(Math.min(Math.max(0, resetInMs), slotLifetimeMs(rule)));
}

function backoffWaitMs(refusalCount: number, { windowMs }: Limit, random: () => number): number {
	const maxBackoffMs = Math.min(windowMs, (windowMs / 60) * 2 ** (refusalCount - 1));
	return Math.ceil(maxBackoffMs * (0.5 + random() / 2));
}
