import type { Span } from '../../drawing/span.ts';
import type { Theme, Tone } from '../../drawing/theme.ts';
import { clockWidth, timeTextWithSeconds } from '../../drawing/time-text.ts';
import type { ReadName } from '../../fleet/fact.ts';
import { type FailingRead, failingReadOf, isSignInFailure, nextAttemptTimeOf, type StatusAges, unreachableCauseOf } from '../../store/freshness.ts';
import type { AnswerTime, JointAccount } from '../../store/state.ts';
import { shortFailureLabels } from './failure-labels.ts';
import { troubleOf, troubleWords } from './trouble-text.ts';
import { roundedUpToSeconds, waitsForRateLimitText } from './waiting-text.ts';

//  live, 2 s ago
//  statuses 4 s to 31 m old                      where statuses are read one by one
//  ◐ next read in 20 s
//  ◐ slow 14 s
//  ◐ list: platform error 29 s, next try in 12 s
//  ✖ offline 3 m 04 s, next try in 12 s
//  ✖ offline                                     where a rule says the rest
//  ✖ signed out · l signs in
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
	/** Whether the sign-in waits for a password, so that nothing is read. */
	isPasswordWanted?: boolean;
	/** The key that signs in, as texts show it. */
	signInKey?: string | undefined;
	/** The ages of the statuses on screen, if they are read one by one. */
	statusAges?: StatusAges | undefined;
	/** Whether a rule above the table says since when the platform does not answer, and what to do. */
	hasRule?: boolean;
	/** The number of cells that the text may take. */
	room: number;
	now: number;
	theme: Theme;
};

/**
 * Shows how old the data of the fleet is, why the data is not newer, and when the next read is tried. The form of the
 * text depends on the state and on the room, but not on the length of the times, so that the form does not change
 * while a time runs.
 */
export function connectionSpans(options: FreshnessOptions): readonly Span[] {
	const { account, replayAt, now, room, theme } = options;
	const { glyphs, times } = theme;
	if (replayAt !== undefined) {
		const time = timeTextWithSeconds(replayAt, replayAt);
		const text = room >= 17 ? `replay ${time}` : time;
		return [[`${glyphs.replay} ${text}`, 'accent']];
	}
	const cause = unreachableCauseOf(account, now);
	if (cause) return unreachableSpans(cause, options);
	// The dialog that asks for the password is already open, so no key that opens it is named.
	if (options.isPasswordWanted) return [[`${glyphs.error} signed out`, 'bad']];
	const list = account.reads.list?.answer;
	const lastAnswerAt = account.contact?.lastAnswerAt;
	const isListFailing = failingListOf(account, now) !== undefined;
	const isConnecting = (!list && !isListFailing) || lastAnswerAt === undefined;
	if (isConnecting && nextReadTimeOf(account, now) > now) {
		return outdatedListSpans(options, '');
	}
	if (isConnecting) {
		// Before the first answer of this run, the data may come from an earlier run, so it is not called live.
		const ageText =
			lastAnswerAt === undefined || room < 13 + clockWidth
				? ''
				: ` ${times.clock(now - lastAnswerAt)}`;
		return [[`${glyphs.stopped} connecting`, 'faint'], [ageText]];
	}
	const age = list ? times.clock(now - list.at) : '';
	const isFrozen = (account.standings?.other.frozenUntil ?? 0) > now;
	if (list && isLive(list, now) && !isFrozen) return liveSpans(options, age);
	return outdatedListSpans(options, age);
}

/** Returns when the rate limits let the account be read next, which may be the present time. */
export function nextReadTimeOf({ standings }: Pick<JointAccount, 'standings'>, now: number) {
	const { frozenUntil = now, nextReadAt = now } = standings?.other ?? {};
	return Math.max(now, frozenUntil, nextReadAt);
}

function liveSpans({ statusAges, room, theme }: FreshnessOptions, age: string): readonly Span[] {
	const { spacedAge } = theme.times;
	const forms = statusAges
		? statusAgesForms(spacedAge(statusAges.newest), spacedAge(statusAges.oldest))
		: [`live, ${age} ago`, `${age} ago`];
	// The form stays while the seconds run.
	const fits = (form: string) => theme.ruler.width(form) + (/^\D*\d /.test(form) ? 1 : 0) <= room;
	return [[forms.find(fits) ?? forms.at(-1) ?? '']];
}

const statusAgesForms = (newest: string, oldest: string) => [
	newest === oldest ? `statuses ${oldest} old` : `statuses ${newest} to ${oldest} old`,
	`to ${oldest} old`,
	`${oldest} old`,
];

function failingListOf(account: JointAccount, now: number): FailingRead | undefined {
	const failingRead = failingReadOf(account, now);
	const answer = account.reads.list?.answer;
	return failingRead?.read === 'list' && !(answer && isLive(answer, now)) ? failingRead : undefined;
}

function unreachableSpans(cause: FailingRead, options: FreshnessOptions): readonly Span[] {
	const { account, canSignIn = false, signInKey, hasRule = false, now, room, theme } = options;
	const { error, separator } = theme.glyphs;
	if (isSignInFailure(cause) && canSignIn) {
		const hint = signInKey === undefined ? '' : ` ${separator} ${signInKey} signs in`;
		const signedOut = `${error} signed out`;
		const isLong = theme.ruler.width(signedOut + hint) <= room;
		return [[signedOut, 'bad'], ...(isLong ? [[hint] as const] : [])];
	}
	const { screen: label } = troubleWords(troubleOf(cause, now));
	const isShort = theme.ruler.width(`${error} ${label}`) > room && !cause.isOnlyThisRead;
	const screen = (isShort && shortFailureLabels[cause.streak.failure.kind]) || label;
	if (hasRule) return [[`${error} ${screen}`, 'bad']];
	const since = account.contact?.lastAnswerAt;
	// After a refused sign-in, nothing is tried until a person acts, so no time for the next try is shown.
	const retryAt = isSignInFailure(cause) ? undefined : cause.retryAt;
	return troubleSpans(`${error} ${screen}`, 'bad', since, retryAt, { now, room, theme });
}

/** Adds how long a trouble has lasted and when the next read is tried, if there is room. */
function troubleSpans(
	label: string,
	tone: Tone,
	since: number | undefined,
	retryAt: number | undefined,
	{ now, room, theme }: Pick<FreshnessOptions, 'now' | 'room' | 'theme'>,
): readonly Span[] {
	const labelWidth = theme.ruler.width(label);
	const lasted = since === undefined ? '' : ` ${theme.times.clock(now - since)}`;
	if (labelWidth + 1 + clockWidth > room) return [[label, tone]];
	const nextTry = retryAt === undefined ? '' : nextTryText(retryAt, { now, theme });
	const isLong = labelWidth + 1 + clockWidth + nextTryWidth <= room;
	return [[`${label}${lasted}`, tone], ...(isLong ? [[nextTry] as const] : [])];
}

// If the list is read less often than this, it does not follow the fleet closely and is never called live.
const maxLiveIntervalMs = 20_000;

/** A list may be late by as much as one failed or slow read takes. */
const liveSlackMs = 5_000;

/** Whether the list is no older than its polling interval, and the interval is short. */
function isLive({ at, every = maxLiveIntervalMs }: AnswerTime, now: number): boolean {
	return every <= maxLiveIntervalMs && now - at <= every + liveSlackMs;
}

/** Explains why the list of computers is out of date although other reads may succeed. */
function outdatedListSpans(options: FreshnessOptions, age: string): readonly Span[] {
	const { account, now, room, theme } = options;
	const { answer } = account.reads.list ?? {};
	const failingRead = failingListOf(account, now);
	if (failingRead) {
		const { screen } = troubleWords(troubleOf({ ...failingRead, isOnlyThisRead: true }, now));
		const label = `${theme.glyphs.busy} ${screen}`;
		const since = answer?.at ?? failingRead.streak.firstAskedAt;
		return troubleSpans(label, 'busy', since, failingRead.retryAt, options);
	}
	const expectedAt = answer ? answer.at + (answer.every ?? 0) : now;
	const nextReadAt = Math.max(nextReadTimeOf(account, now), expectedAt);
	const left = nextReadAt - now;
	if (left <= 0) return [[`${theme.glyphs.busy} slow ${age}`, 'busy']];
	const wait = theme.times.clock(roundedUpToSeconds(left));
	const forms = [...(left < minuteMs ? ['next read in '] : []), 'next in ', 'in '];
	// The form stays while the seconds run.
	const widest = left < minuteMs ? theme.times.clock(minuteMs - 1_000) : wait;
	const form = forms.find(each => theme.ruler.width(`  ${each}${widest}`) <= room) ?? '';
	return [[`${theme.glyphs.busy} ${form}${wait}`, 'busy']];
}

const minuteMs = 60_000;

/** The number of cells that `nextTryText` needs at most. */
const nextTryWidth = ', next try in 59 s'.length;

type NextTryOptions = { now: number; theme: Theme };

/** Returns a text such as ", next try in 12 s". */
function nextTryText(nextAt: number, { now, theme }: NextTryOptions): string {
	const left = nextAt - now;
	if (left <= 0) return ', trying now'.padEnd(nextTryWidth);
	const unitMs = left < minuteMs ? 1_000 : minuteMs;
	const time = theme.times.spacedAge(Math.ceil(left / unitMs) * unitMs);
	return `, next try in ${time}`.padEnd(nextTryWidth);
}

type ReadAgeOptions = { account: JointAccount; now: number; theme: Theme };

/** Shows how long ago the read with this name was last answered, and how long it has been failing. */
export function readAgeSpans(
	{ account, now, theme }: ReadAgeOptions,
	name: ReadName,
): readonly Span[] {
	const { answer, failing } = account.reads[name] ?? {};
	const { ago, spacedAge } = theme.times;
	const last: Span = [
		answer
			? ` read ${ago(now - answer.at)}`
			: ` ${failing ? 'not read yet' : firstReadText(account, now)}`,
		'faint',
	];
	if (!failing) return [last, [' ']];
	const nextAt = nextAttemptTimeOf(account, name, now);
	const nextTry = nextAt === undefined ? '' : nextTryText(nextAt, { now, theme });
	const since = `failing for ${spacedAge(now - failing.firstFailedAt)}`;
	return [last, [', ', 'faint'], [`${since}${nextTry} `, 'busy']];
}

/** Says why a read has not been answered yet. A recording may not contain this read at all. */
function firstReadText({ standings, reads: { list } }: JointAccount, now: number): string {
	// Before the first list, nothing else is read. If the list fails, the header says why.
	if (!standings || (!list?.answer && list?.failing)) return 'not read yet';
	const nextAt = nextReadTimeOf({ standings }, now);
	if (nextAt <= now) return 'reading now';
	return `read at ${timeTextWithSeconds(nextAt, now)}: rate limit`;
}

/** Returns the notice that is shown when a person presses the refresh key. */
export function refreshNotice(account: JointAccount, now: number): string {
	const nextAt = nextReadTimeOf(account, now);
	// The notice has the time of day of the last answer, which stays true while the notice is shown. An age would
	// not.
	if (nextAt > now)
		return `${waitsForRateLimitText}: refreshing at ${timeTextWithSeconds(nextAt, now)}`;
	return failingReadOf(account, now) ? 'Trying now' : 'Reading now';
}
