import type { Span } from '../../drawing/span.ts';
import type { Theme } from '../../drawing/theme.ts';
import { timeTextWithSeconds } from '../../drawing/time-text.ts';
import type { ReadName } from '../../fleet/fact.ts';
import { isSignInFailure, unreachableCauseOf } from '../../store/age.ts';
import { type FailingRead, failingReadOf, nextAttemptTimeOf } from '../../store/read-health.ts';
import type { AnswerTime, JointAccount } from '../../store/state.ts';
import { troubleOf, troubleWords } from './trouble-text.ts';
import { inWholeSeconds, waitsForRateLimitText } from './waiting-text.ts';

//  ● live 2 s
//  ◐ next read in 20 s
//  ◐ slow 14 s
//  ◐ list: platform error 29 s, next try in 12 s
//  ✖ offline 3 min 4 s, next try in 12 s
//  ✖ signed out · press l to sign in
//  ◷ replay 00:30:54

type FreshnessOptions = {
	account: JointAccount;
	/**
	 * The time within the recording that is being replayed, in milliseconds since the epoch; undefined outside
	 * a replay.
	 */
	replayAt?: number | undefined;
	/** Whether this program can ask a person for a password, so that a hint for signing in makes sense. */
	canSignIn?: boolean;
	now: number;
	width: number;
	theme: Theme;
};

/** Shows how old the data of the fleet is, why the data is not newer, and when the next read is tried. */
export function freshnessSpans(options: FreshnessOptions): readonly Span[] {
	const { account, replayAt, now, theme } = options;
	const { glyphs, times } = theme;
	if (replayAt !== undefined) {
		return [[`${glyphs.replay} replay ${timeTextWithSeconds(replayAt, replayAt)} `, 'accent']];
	}
	const cause = unreachableCauseOf(account, now);
	if (cause) return unreachableSpans(cause, options);
	const list = account.reads.list?.answer;
	const lastAnswerAt = account.contact?.lastAnswerAt;
	if (!list || lastAnswerAt === undefined) {
		// Before the first answer of this run, the data may come from an earlier run, so it is not called live.
		const ageText = lastAnswerAt === undefined ? '' : ` ${times.duration(now - lastAnswerAt)}`;
		return [[`${glyphs.stopped} connecting`, 'faint'], [`${ageText} `]];
	}
	const age = times.duration(now - list.at);
	if (isLive(list, now)) return [[`${glyphs.liveUpdates} live`, 'good'], [` ${age} `]];
	return [[`${glyphs.busy} ${outdatedListText(options, age)} `, 'busy']];
}

/** Returns whether `freshnessSpans` shows the time at which the next read is tried. */
export function showsNextTry({ account, now }: Pick<FreshnessOptions, 'account' | 'now'>): boolean {
	return unreachableCauseOf(account, now) !== undefined;
}

function unreachableSpans(cause: FailingRead, options: FreshnessOptions): readonly Span[] {
	const { account, canSignIn = false, now, theme } = options;
	const { error, separator } = theme.glyphs;
	const lastAnswerAt = account.contact?.lastAnswerAt;
	const since = lastAnswerAt === undefined ? '' : ` ${theme.times.duration(now - lastAnswerAt)}`;
	if (isSignInFailure(cause) && canSignIn) {
		return [[`${error} signed out`, 'bad'], [` ${separator} press l to sign in `]];
	}
	const nextTry = nextTryText(cause.retryAt, options);
	const { screen } = troubleWords(troubleOf(cause, now));
	return [[`${error} ${screen}${since}`, 'bad'], [`${nextTry} `]];
}

// A list that is read less often than this does not follow the fleet, so it is never called live.
const maxLiveIntervalMs = 20_000;

/** A list may be late by as much as one failed or slow read takes. */
const liveSlackMs = 5_000;

/** Whether the list is as young as its own rhythm says, and the rhythm is a fast one. */
function isLive({ at, every = maxLiveIntervalMs }: AnswerTime, now: number): boolean {
	return every <= maxLiveIntervalMs && now - at <= every + liveSlackMs;
}

/** Explains why the list of computers is out of date although other reads may succeed. */
function outdatedListText(options: FreshnessOptions, age: string): string {
	const { account, now, width, theme } = options;
	const failingRead = failingReadOf(account, now);
	if (failingRead?.read === 'list') {
		const nextTry = width < minNextTryWidth ? '' : nextTryText(failingRead.retryAt, options);
		const { screen } = troubleWords(troubleOf({ ...failingRead, isOnlyThisRead: true }, now));
		return `${screen} ${age}${nextTry}`;
	}
	const { answer } = account.reads.list ?? {};
	const expectedAt = answer ? answer.at + (answer.every ?? 0) : now;
	const nextReadAt = Math.max(account.standings?.other.nextReadAt ?? now, expectedAt);
	if (nextReadAt > now)
		return `next read in ${theme.times.duration(inWholeSeconds(nextReadAt - now))}`;
	return `slow ${age}`;
}

const minNextTryWidth = 90;

const minuteMs = 60_000;

type NextTryOptions = { now: number; width: number; theme: Theme };

/**
 * Returns a text such as ", next try in 12 s", padded to a fixed width so that text to its left does not
 * move. The text is shorter on a narrow screen, and empty below 56 columns.
 */
export function nextTryText(
	nextAt: number | undefined,
	{ now, width, theme }: NextTryOptions,
): string {
	if (nextAt === undefined || width < 56) return '';
	const left = nextAt - now;
	const unitMs = left < minuteMs ? 1_000 : minuteMs;
	const time = theme.times.duration(Math.ceil(left / unitMs) * unitMs);
	if (width < 90) return (left > 0 ? `, try in ${time}` : ', trying').padEnd(15);
	return (left > 0 ? `, next try in ${time}` : ', trying now').padEnd(20);
}

type ReadAgeOptions = { account: JointAccount; now: number; theme: Theme };

/** Shows how long ago the read with this name was last answered, and how long it has been failing. */
export function readAgeSpans(
	{ account, now, theme }: ReadAgeOptions,
	name: ReadName,
): readonly Span[] {
	const { answer, failing } = account.reads[name] ?? {};
	const { age } = theme.times;
	const last: Span = [answer ? ` read ${age(now - answer.at)} ago` : ' not read yet', 'faint'];
	if (!failing) return [last, [' ']];
	const nextTry = nextTryText(nextAttemptTimeOf(account, name, now), {
		now,
		width: longTextWidth,
		theme,
	});
	const since = `failing for ${age(now - failing.firstFailedAt)}`;
	return [last, [', ', 'faint'], [`${since}${nextTry} `, 'busy']];
}

// The titles that show the age of a read have room for the longest form of `nextTryText`.
const longTextWidth = 90;

/** Returns the notice that is shown when a person presses the refresh key. */
export function refreshNotice(account: JointAccount, now: number): string {
	const { frozenUntil = now, nextReadAt = now } = account.standings?.other ?? {};
	const nextAt = Math.max(frozenUntil, nextReadAt);
	// A time of day stays true for as long as the notice is shown.
	if (nextAt > now)
		return `${waitsForRateLimitText}: refreshing at ${timeTextWithSeconds(nextAt, now)}`;
	return failingReadOf(account, now) ? 'Trying now' : 'Reading now';
}
