import { type FailingRead, failingReadOf } from '../store/failing-reads.ts';
import { recoveryWords, troubleOf, troubleWords } from '../wording/phrases/trouble-text.ts';
import { rateLimitOverText, rateLimitWords } from '../wording/phrases/waiting-text.ts';
import { creditsWords } from '../wording/views/credits-text.ts';
import type { Moment } from './scene.ts';

/**
 * Describes how the connection, the rate limits and the credits of an account changed between two moments.
 */
export function accountNews(before: Moment, after: Moment): readonly string[] {
	return [
		...connectionWords(before, after),
		...rateLimitNews(before, after),
		...creditNews(before, after),
	];
}

// Returns the failing read to announce. A single lost answer is not announced, and `rateLimitNews` announces
// rate limits.
function failureToAnnounce({ account, now }: Moment): FailingRead | undefined {
	const failing = failingReadOf(account, now);
	if (!failing || failing.streak.failure.kind === 'limited') return undefined;
	const { attempts, failure } = failing.streak;
	const isCertain = failure.kind === 'auth' || failure.kind === 'denied';
	return attempts > 1 || isCertain ? failing : undefined;
}

function connectionWords(before: Moment, after: Moment): readonly string[] {
	const [was, is] = [failureToAnnounce(before), failureToAnnounce(after)];
	if (is && is.streak.failure.kind !== was?.streak.failure.kind)
		return [troubleWords(troubleOf(is, after.now)).speech];
	if (!was || is) return [];
	return [recoveryWords(was.read, after.now - was.streak.firstFailedAt).speech];
}

function rateLimitNews(before: Moment, after: Moment): readonly string[] {
	const [was, is] = [before.account.standings, after.account.standings];
	if (!is) return [];
	return (['create', 'status', 'other'] as const).flatMap(scope => {
		const until = is[scope].frozenUntil;
		const isFrozen = until !== undefined && until > after.now;
		const earlier = was?.[scope].frozenUntil;
		const wasFrozen = earlier !== undefined && earlier > before.now;
		if (isFrozen === wasFrozen) return [];
		if (!isFrozen) return [rateLimitOverText(scope)];
		return [rateLimitWords({ scope, waitMs: until - after.now }).speech];
	});
}

function creditNews(before: Moment, after: Moment): readonly string[] {
	const wordsOf = ({ account: { credits }, runway, lowCreditsMs }: Moment) =>
		creditsWords({ credits, runway, lowCreditsMs });
	const { state, speech } = wordsOf(after);
	const isUrgent = state === 'tooFew' || state === 'low';
	return isUrgent && state !== wordsOf(before).state ? [speech] : [];
}
