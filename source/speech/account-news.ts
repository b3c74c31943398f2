import { durationText } from '../fleet/duration.ts';
import { type FailingRead, failingReadOf } from '../store/failing-reads.ts';
import { recoveryWords, troubleOf, troubleWords } from '../wording/trouble-text.ts';
import { rateLimitOverText, rateLimitWords } from '../wording/waiting-text.ts';
import { spellOut } from '../wording/words.ts';
import type { Moment } from './scene.ts';

/**
 * Describes how the connection, the rate limits and the credits of an account changed between two moments.
 */
export function accountNews(before: Moment, after: Moment): readonly string[] {
	return [
		...connectionWords(before, after),
		...rateLimitNews(before, after),
		...creditWords(before, after),
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

function creditWords(before: Moment, after: Moment): readonly string[] {
	const isLow = ({ runway, lowCreditsMs }: Moment) =>
		runway !== null && runway.timeLeftMs !== null && runway.timeLeftMs <= lowCreditsMs;
	const cannotRun = ({ account }: Moment) => account.credits?.canRun === false;
	if (cannotRun(after) && !cannotRun(before)) {
		return ['The remaining credits are not enough to run a computer.'];
	}
	if (!isLow(after) || isLow(before)) return [];
	const { runway, account } = after;
	const balance = account.credits?.balance?.toFixed(2) ?? 'few';
	return [
		`Credits run low: ${balance} left, enough for ${spellOut(durationText(runway?.timeLeftMs ?? 0))}.`,
	];
}
