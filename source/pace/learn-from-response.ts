import { reportedLimit } from './budget.ts';
import { endOf, type Freeze, type ScopeState, type ServerReport } from './ledger-state.ts';
import { type Limit, type ResponseHead, slotLifetime } from './limits.ts';
import { type RateLimitHeaders, rateLimitHeadersFrom } from './rate-limit-headers.ts';

type ResponseContext = {
	/** The number of the request that this response belongs to. */
	number: number;
	state: ScopeState;
	rule: Limit;
	/** The present time of the ledger's clock. */
	now: number;
	/** The present time of the wall clock. */
	date: number;
	random: () => number;
};

// The longest wait that is honoured. If the platform demands more, the next request is sent after this time,
// and the platform may refuse again.
const longestWaitMs = 60 * 60_000;

/**
 * Returns the fields to record in the ledger for a response: the reported budget, and the freeze after a
 * refusal.
 */
export function learnFromResponse(
	{ status, headers }: ResponseHead,
	context: ResponseContext,
): { heard?: ServerReport; freeze?: Freeze } {
	const { number, state } = context;
	const all = rateLimitHeadersFrom(headers, context.date);
	// A 503 with Retry-After is a refusal, like a 429. With any other status, Retry-After does not concern the
	// rate limit.
	const isRefused = status === 429 || (status === 503 && (all.retryIn ?? 0) > 0);
	const limits = isRefused ? all : { ...all, retryIn: undefined };
	const isLatest = !state.heard || number >= state.heard.number;
	const hasReport = limits.limit !== undefined || limits.remaining !== undefined;
	return {
		...(isLatest && hasReport && { heard: serverReportFrom(limits, context) }),
		...(isRefused && { freeze: freezeFrom(limits, context) }),
	};
}

function serverReportFrom(
	headers: RateLimitHeaders,
	{ number, state, rule, now }: ResponseContext,
): ServerReport {
	const { remaining } = headers;
	const limit = limitFrom(headers, state, rule, now);
	const ours = [...state.spends.values()].filter(spend => spend.number <= number).length;
	const counted = Math.min(rule.limit, limit.limit ?? rule.limit) - (remaining ?? rule.limit);
	return {
		number,
		at: now,
		hold: requestedWait(headers, rule) ?? slotLifetime(rule),
		foreign: Math.max(0, counted - ours),
		...limit,
		...(remaining !== undefined && { remaining }),
	};
}

/**
 * Returns the limit from this response, or from a recent one. A recent limit expires, because a single odd
 * response (such as a proxy's error page) must not slow the program down for ever. It is dropped at once if the
 * response reports more remaining requests than that limit allows.
 */
function limitFrom(
	{ limit, remaining = 0 }: RateLimitHeaders,
	{ heard }: ScopeState,
	rule: Limit,
	now: number,
): Pick<ServerReport, 'limit' | 'limitAge'> {
	if (limit !== undefined) return { limit };
	const earlier = heard && reportedLimit(heard, rule, now);
	if (!heard || earlier === undefined || remaining > earlier) return {};
	return { limit: earlier, limitAge: (heard.limitAge ?? 0) + now - heard.at };
}

/**
 * Several requests in flight may be refused at once. They count as one refusal, with the longest of their
 * waits.
 */
function freezeFrom(headers: RateLimitHeaders, context: ResponseContext): Freeze {
	const { number, state, rule, now, random } = context;
	const last = state.freeze;
	const isSame = last !== undefined && number <= last.number;
	const isSoonAfter = last !== undefined && now < endOf(last) + slotLifetime(rule);
	const times = isSame ? last.times : isSoonAfter ? last.times + 1 : 1;
	const requested = requestedWait(headers, rule) ?? 0;
	// After a first refusal, the requested wait is enough. A second refusal shows that it was too short.
	const isEnough = requested > 0 && times === 1;
	const hold = isEnough ? requested : Math.max(requested, backoffWait(times, rule, random));
	const left = last ? endOf(last) - now : 0;
	return { number: state.taken, at: now, hold: Math.max(hold, left), times };
}

// Retry-After takes precedence over the reset time. The reset is at most one window away, even if the clocks
// disagree.
function requestedWait({ resetIn, retryIn }: RateLimitHeaders, rule: Limit): number | undefined {
	if (retryIn !== undefined && retryIn > 0) return Math.ceil(Math.min(retryIn, longestWaitMs));
	if (resetIn === undefined) return undefined;
	return Math.ceil(Math.min(Math.max(0, resetIn), slotLifetime(rule)));
}

function backoffWait(refusalCount: number, { window }: Limit, random: () => number): number {
	const longest = Math.min(window, (window / 60) * 2 ** (refusalCount - 1));
	return Math.ceil(longest * (0.5 + random() / 2));
}
