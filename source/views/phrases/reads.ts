import { type ReadName, readRows } from '../../fleet/reads.ts';
import { durationText } from '../../foundation/duration.ts';
import type { Failure, FailureKind } from '../../foundation/failure.ts';
import { spellOut } from '../../lines/print.ts';
import type { Span } from '../../lines/span.ts';
import { type TimeFormatter, timeTextWithSeconds } from '../../lines/time-text.ts';
import { type FailingRead, failingReadOf, nextAttemptTimeOf } from '../../store/freshness.ts';
import type { JointAccount } from '../../store/state.ts';
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

/** Stands in the place of data until the first read is answered. */
export const readingText = (read: ReadName) => `Reading ${readRows[read].words}`;

export const cannotReadText = (read: ReadName) => `Cannot read ${readRows[read].words}`;

export const cannotReadRecordText = (computer: string) => `Cannot read the record of ${computer}`;

type Trouble = {
	read: ReadName;
	failure: Failure;
	/** The platform still answers other reads; undefined if this is not known. */
	isOnlyThisRead?: boolean;
	retryMs?: number | undefined;
};

export function troubleOf({ read, streak, isOnlyThisRead, retryAt = 0 }: FailingRead, now: number) {
	return { read, failure: streak.failure, isOnlyThisRead, retryMs: retryAt - now };
}

/** A rate limit and a failed sign-in always affect all reads. */
export function troubleLabel({ read, failure: { kind }, isOnlyThisRead = true }: Trouble): string {
	if (!isOnlyThisRead || kind === 'limited' || kind === 'auth') return failureLabels[kind];
	return `${read}: ${kind === 'offline' ? 'no answer' : failureLabels[kind]}`;
}

export function troubleText({ read, failure, isOnlyThisRead = true }: Trouble): string {
	return `${isOnlyThisRead ? cannotReadText(read) : 'Cannot read from the platform'}: ${failure.message}`;
}

export function troubleSentences(trouble: Trouble): string {
	const { failure, retryMs = 0 } = trouble;
	const nextTry =
		retryMs > 0 && failure.kind !== 'auth'
			? `Next try in ${spellOut(durationText(retryMs))}.`
			: retriesText(failure.kind);
	return [`${troubleText(trouble)}.`, troubleAdvice(trouble), nextTry]
		.filter(text => text !== '')
		.join(' ');
}

/** While other reads are answered, it would be wrong to advise a check of the network. */
function troubleAdvice({ failure: { kind, advice }, isOnlyThisRead = false }: Trouble): string {
	return isOnlyThisRead && kind === 'offline'
		? 'The platform answers everything else. Run `crowsnest doctor` for details.'
		: advice;
}

/** A refused sign-in is not tried again until a person acts. The advice already says how. */
const retriesText = (kind: FailureKind) => (kind === 'auth' ? '' : 'crowsnest keeps trying.');

export function troubleLines(trouble: Trouble, indent = ' '): readonly (readonly Span[])[] {
	return [
		[[`${indent}${troubleText(trouble)}`, 'bad']],
		...[troubleAdvice(trouble), retriesText(trouble.failure.kind)]
			.filter(text => text !== '')
			.map((text): readonly Span[] => [[`${indent}${text}`, 'faint']]),
	];
}

export const readAgainText = (read: ReadName) => `${readingText(read)} works again`;

type Account = { account: JointAccount; now: number; times: TimeFormatter };

export function readAge({ account, now, times }: Account, name: ReadName): readonly Span[] {
	const { answer, failing } = account.reads[name] ?? {};
	const last: Span = [
		answer
			? ` read ${times.ago(now - answer.at)}`
			: ` ${failing ? 'not read yet' : firstReadText(account, now)}`,
		'faint',
	];
	if (!failing) return [last, [' ']];
	const nextAt = nextAttemptTimeOf(account, name, now);
	const since = `failing for ${times.spacedAge(now - failing.firstFailedAt)}`;
	return [
		last,
		[', ', 'faint'],
		[`${since}${nextAt === undefined ? '' : nextTryText(nextAt, now, times)} `, 'busy'],
	];
}

const nextTryCells = ', next try in 59 s'.length;

/** Keeps its width while the time runs. */
export function nextTryText(at: number, now: number, times: TimeFormatter): string {
	const unitMs = at - now < 60_000 ? 1_000 : 60_000;
	const time = times.spacedAge(Math.ceil((at - now) / unitMs) * unitMs);
	return (at > now ? `, next try in ${time}` : ', trying now').padEnd(nextTryCells);
}

/** A recording may not contain this read at all. */
function firstReadText({ standings, reads: { list } }: JointAccount, now: number): string {
	// Before the first list, nothing else is read. If the list fails, the header says why.
	if (!standings || (!list?.answer && list?.failing)) return 'not read yet';
	const nextAt = nextReadTimeOf({ standings }, now);
	if (nextAt <= now) return 'reading now';
	return `read at ${timeTextWithSeconds(nextAt, now)}: rate limit`;
}

/** This may be the present time. */
export function nextReadTimeOf({ standings }: Pick<JointAccount, 'standings'>, now: number) {
	const { frozenUntil = now, nextReadAt = now } = standings?.other ?? {};
	return Math.max(now, frozenUntil, nextReadAt);
}

/** The time of day stays true while the message is shown; an age would not. */
export function refreshNotice(account: JointAccount, now: number): string {
	const nextAt = nextReadTimeOf(account, now);
	if (nextAt > now)
		return `${waitsForRateLimitText}: refreshing at ${timeTextWithSeconds(nextAt, now)}`;
	return failingReadOf(account, now) ? 'Trying now' : 'Reading now';
}
