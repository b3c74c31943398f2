import { durationText } from '../fleet/duration.ts';
import type { FailureStreak } from '../store/state.ts';
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
function failureToAnnounce({ account: { reads } }: Moment): FailureStreak | undefined {
	const failing = reads.list?.failing ?? reads.status?.failing;
	if (!failing || failing.failure.kind === 'limited') return undefined;
	const isCertain = failing.failure.kind === 'auth' || failing.failure.kind === 'denied';
	return failing.attempts > 1 || isCertain ? failing : undefined;
}

function connectionWords(before: Moment, after: Moment): readonly string[] {
	const [was, is] = [failureToAnnounce(before), failureToAnnounce(after)];
	if (is && is.failure.kind !== was?.failure.kind) {
		const { message, advice } = is.failure;
		return [`Cannot read from the platform: ${message}. ${advice} crowsnest keeps trying.`];
	}
	if (!was || is) return [];
	return [`Connected again after ${spellOut(durationText(after.now - was.firstFailedAt))}.`];
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
