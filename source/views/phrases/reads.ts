import { type ReadName, readRows } from '../../fleet/reads.ts';
import { durationText, minuteMs, secondMs } from '../../foundation/duration.ts';
import type { FailureKind } from '../../foundation/failure.ts';
import { type Line, line } from '../../lines/line.ts';
import { spellOut } from '../../lines/print.ts';
import type { Span } from '../../lines/span.ts';
import { type TimeFormatter, timeTextWithSeconds } from '../../lines/time-text.ts';
import { type FailingRead, failureBehind, nextAttemptTimeOf } from '../../store/freshness.ts';
import type { Connection, FailureStreak } from '../../store/state.ts';
import type { Scene } from '../scene.ts';
import { waitsForRateLimitText } from './waiting.ts';

export const failureLabels: Readonly<Record<FailureKind, string>> = {
	auth: 'signed out',
	denied: 'no access',
	missing: 'not found',
	limited: 'rate limited',
	conflict: 'conflict',
	payment: 'payment needed',
	invalid: 'request refused',
	server: 'platform error',
	offline: 'offline',
	unreadable: 'unreadable answer',
	cancelled: 'cancelled',
};

export const readingText = (read: ReadName) => `Reading ${readRows[read].words}`;

export const cannotReadText = (read: ReadName) => `Cannot read ${readRows[read].words}`;

export const cannotReadRecordText = (computer: string) => `Cannot read the record of ${computer}`;

/** Without `isOnlyThisRead`, it is not known whether the platform answers other reads. */
type Trouble = Partial<Omit<FailingRead, 'read'>> & { read: ReadName; streak: FailureStreak };

/** A rate limit and a failed sign-in always affect all reads. */
export function troubleLabel({ read, streak, isOnlyThisRead = true }: Trouble): string {
	const { kind } = streak.failure;
	if (!isOnlyThisRead || kind === 'limited' || kind === 'auth') return failureLabels[kind];
	return `${read}: ${kind === 'offline' ? 'no answer' : failureLabels[kind]}`;
}

const troubleText = ({ read, streak, isOnlyThisRead = true }: Trouble) =>
	`${isOnlyThisRead ? cannotReadText(read) : 'Cannot read from the platform'}: ${streak.failure.message}`;

export const troubleSentences = (trouble: Trouble, now?: number) =>
	troubleParts(trouble, now).join(' ');

export const troubleLines = (trouble: Trouble): readonly Span[] =>
	troubleParts(trouble).map((text, at): Span => [text, at === 0 ? 'bad' : 'faint']);

function troubleParts(trouble: Trouble, now = Infinity): readonly string[] {
	const { streak, retryAt = now } = trouble;
	const { kind } = streak.failure;
	const nextTry =
		retryAt > now
			? `Next try in ${spellOut(durationText(retryAt - now))}.`
			: 'crowsnest keeps trying.';
	// A refused sign-in is not tried again until a person acts. The advice already says how.
	const parts = [
		`${troubleText(trouble)}.`,
		troubleAdvice(trouble),
		kind === 'auth' ? '' : nextTry,
	];
	return parts.filter(text => text !== '');
}

/** While other reads are answered, it would be wrong to advise a check of the network. */
function troubleAdvice({ streak, isOnlyThisRead = false }: Trouble): string {
	const { kind, advice } = streak.failure;
	return isOnlyThisRead && kind === 'offline'
		? 'The platform answers everything else. Run `crowsnest doctor` for details.'
		: advice;
}

export function failureLines({ account, now }: Scene, read: ReadName): readonly Line[] {
	const { answer, failing } = account.reads[read] ?? {};
	const streak = answer ? failing : failureBehind(account, read, now);
	return streak ? troubleLines({ read, streak }).map(span => line(span)) : [];
}

export function missingLines(scene: Scene, read: ReadName): readonly Line[] {
	const failure = failureLines(scene, read);
	if (failure.length > 0) return failure;
	if (nextReadTimeOf(scene.account, scene.now) > scene.now) return [line([waitsForRateLimitText])];
	return [{ spans: [[`  ${readingText(read)}`]], isWaiting: true }];
}

export const readAgainText = (read: ReadName) => `${readingText(read)} works again`;

export function readAge({ account, now, times }: Scene, name: ReadName): readonly Span[] {
	const { answer, failing } = account.reads[name] ?? {};
	const last: Span = [
		answer
			? ` read ${times.ago(now - answer.at)}`
			: ` ${failing ? 'not read yet' : firstReadText(account, now)}`,
		'faint',
	];
	if (!failing) return [last, [' ']];
	const since = `failing for ${times.spacedAge(now - failing.firstFailedAt)}`;
	const next = nextTryText(nextAttemptTimeOf(account, name, now), now, times);
	return [last, [', ', 'faint'], [`${since}${next} `, 'busy']];
}

export function nextTryText(at: number | undefined, now: number, times: TimeFormatter): string {
	if (at === undefined) return '';
	const unitMs = at - now < minuteMs ? secondMs : minuteMs;
	const time = times.spacedAge(Math.ceil((at - now) / unitMs) * unitMs);
	return at > now ? `, next try in ${time}` : ', trying now';
}

/** A recording may not contain this read at all. */
function firstReadText({ standings, reads: { list } }: Connection, now: number): string {
	// Before the first list, nothing else is read. If the list fails, the header says why.
	if (!standings || (!list?.answer && list?.failing)) return 'not read yet';
	const nextAt = nextReadTimeOf({ standings }, now);
	if (nextAt <= now) return 'reading now';
	return `will be read at ${timeTextWithSeconds(nextAt, now)}: rate limit`;
}

export function nextReadTimeOf({ standings }: Pick<Connection, 'standings'>, now: number) {
	const { frozenUntil = now, nextReadAt = now } = standings?.other ?? {};
	return Math.max(now, frozenUntil, nextReadAt);
}
