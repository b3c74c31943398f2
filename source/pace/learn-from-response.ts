import { reportedLimit } from './budget.ts';
import { endOf, type Freeze, type ScopeState, type ServerReport } from './ledger-state.ts';
import { type Limit, type ResponseHead, slotLifetime } from './limits.ts';
import { type RateLimitHeaders, rateLimitHeadersFrom } from './rate-limit-headers.ts';

type ResponseContext = {
	/** The number of the request that was answered. */
	number: number;
	page: ScopeState;
	rule: Limit;
	/** By the ledger's clock. */
	now: number;
	/** By the wall's. */
	date: number;
	random: () => number;
};

// A platform that asks for more is asked again after this long, and may then repeat itself.
const longestRetry = 60 * 60_000;

/** What one answer teaches about the budget. */
export function learnFromResponse(
	{ status, headers }: ResponseHead,
	circumstances: ResponseContext,
): { heard?: ServerReport; freeze?: Freeze } {
	const { number, page } = circumstances;
	const told = rateLimitHeadersFrom(headers, circumstances.date);
	// A 503 that names its time is meant as seriously as a 429. Elsewhere Retry-After is about other things.
	const isRefused = status === 429 || (status === 503 && (told.retryIn ?? 0) > 0);
	const tidings = isRefused ? told : { ...told, retryIn: undefined };
	const isNews = !page.heard || number >= page.heard.number;
	const tells = tidings.limit !== undefined || tidings.remaining !== undefined;
	return {
		...(isNews && tells && { heard: serverReportFrom(tidings, circumstances) }),
		...(isRefused && { freeze: freezeFrom(tidings, circumstances) }),
	};
}

function serverReportFrom(
	tidings: RateLimitHeaders,
	{ number, page, rule, now }: ResponseContext,
): ServerReport {
	const { remaining } = tidings;
	const limit = limitFrom(tidings, page, rule, now);
	const ours = [...page.spends.values()].filter(spend => spend.number <= number).length;
	const counted = Math.min(rule.limit, limit.limit ?? rule.limit) - (remaining ?? rule.limit);
	return {
		number,
		at: now,
		hold: requestedHold(tidings, rule) ?? slotLifetime(rule),
		foreign: Math.max(0, counted - ours),
		...limit,
		...(remaining !== undefined && { remaining }),
	};
}

/**
 * The limit that was told, or one that was told a short while ago. A single answer, such as a proxy's own
 * page, must not slow this program down for ever; one that allows more than that limit disproves it.
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

/** Several requests under way may be refused together: that is one refusal, and the longest counts. */
function freezeFrom(tidings: RateLimitHeaders, circumstances: ResponseContext): Freeze {
	const { number, page, rule, now, random } = circumstances;
	const last = page.freeze;
	const isSame = last !== undefined && number <= last.number;
	const isSoon = last !== undefined && now < endOf(last) + slotLifetime(rule);
	const times = isSame ? last.times : isSoon ? last.times + 1 : 1;
	const told = requestedHold(tidings, rule) ?? 0;
	// The first refusal is believed. After that the time that was told was not enough.
	const isEnough = told > 0 && times === 1;
	const hold = isEnough ? told : Math.max(told, backoffHold(times, rule, random));
	const left = last ? endOf(last) - now : 0;
	return { number: page.taken, at: now, hold: Math.max(hold, left), times };
}

// Retry-After wins over all. A reset is never farther off than a window, whatever clock it was read from.
function requestedHold({ resetIn, retryIn }: RateLimitHeaders, rule: Limit): number | undefined {
	if (retryIn !== undefined && retryIn > 0) return Math.ceil(Math.min(retryIn, longestRetry));
	if (resetIn === undefined) return undefined;
	return Math.ceil(Math.min(Math.max(0, resetIn), slotLifetime(rule)));
}

function backoffHold(times: number, { window }: Limit, random: () => number): number {
	const longest = Math.min(window, (window / 60) * 2 ** (times - 1));
	return Math.ceil(longest * (0.5 + random() / 2));
}
