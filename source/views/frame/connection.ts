import type { Part } from '../../lines/parts.ts';
import { type Span, widthOf } from '../../lines/span.ts';
import type { Tone } from '../../lines/theme.ts';
import { clockWidth, timeTextWithSeconds } from '../../lines/time-text.ts';
import {
	type FailingRead,
	failingReadOf,
	isSignInFailure,
	outageOf,
	unreachableCauseOf,
} from '../../store/freshness.ts';
import type { AnswerTime } from '../../store/state.ts';
import { shownKeyOf } from '../actions/shown-keys.ts';
import { nextReadTimeOf, nextTryText, troubleLabel } from '../phrases/reads.ts';
import { roundedUpToSeconds } from '../phrases/waiting.ts';
import type { Scene } from '../scene.ts';

//  live, 2 s ago
//  statuses 4 s to 31 m old                      where statuses are read one by one
//  ◐ next read in 20 s                           the limits are used up
//  ◐ slow 14 s
//  ◐ list: platform error 29 s, next try in 12 s
//  ✖ offline 3 m 04 s, next try in 12 s
//  ✖ offline                                     where a rule says the rest
//  ✖ signed out · l signs in
//  ◷ replay 00:30:54

/** Where there is little room, all but the text leaves. */
type Connection = {
	begin?: string;
	text: string;
	tone?: Tone;
	/** How long it has lasted, or how to end it. */
	since?: string;
	next?: string;
	/** The most cells of the text and `since` while a time in them runs. */
	cells?: number;
};

export function connectionParts(scene: Scene): readonly Part[] {
	const { begin = '', text, since = '', next = '', tone, cells = 0 } = connectionOf(scene);
	// Blanks stand for what a longer time will take, so that no other part comes and goes while it runs.
	const blanks = Math.max(0, cells - widthOf([[text], [since]]));
	const part = (drop: number, ...spans: readonly Span[]): Part => ({ drop, isRight: true, spans });
	return [
		part(0, [' '.repeat(2 + blanks)]),
		part(22, [begin, tone]),
		part(1, [text, tone]),
		part(21, [since]),
		part(23, [next]),
		part(0, [' ']),
	];
}

function connectionOf(scene: Scene): Connection {
	const { account, replay, statusAges, isPasswordWanted, times, now } = scene;
	if (replay) {
		const time = timeTextWithSeconds(replay.time, replay.time);
		return { text: `◷ replay ${time}`, tone: 'accent' };
	}
	const cause = unreachableCauseOf(account, now);
	if (cause) return unreachable(cause, scene);
	// The dialog that asks for the password is already open, so no key that opens it is named.
	if (isPasswordWanted) return { text: '✖ signed out', tone: 'bad' };
	const list = account.reads.list?.answer;
	const lastAnswerAt = account.contact?.lastAnswerAt;
	const isConnecting = (!list && !failingListOf(scene)) || lastAnswerAt === undefined;
	// Before the first answer of this run, the data may come from an earlier run, so it is not called live.
	if (isConnecting && nextReadTimeOf(account, now) <= now) {
		const age = lastAnswerAt === undefined ? '' : ` ${times.clock(now - lastAnswerAt)}`;
		return { text: '○ connecting', since: age, tone: 'faint' };
	}
	const isFrozen = (account.standings?.other.frozenUntil ?? 0) > now;
	if (isConnecting || !list || !isLive(list, now) || isFrozen) return outdated(scene);
	if (!statusAges) {
		const age = `${times.clock(now - list.at)} ago`;
		return { begin: 'live, ', text: age, cells: '59 s ago'.length };
	}
	const [newest, oldest] = [statusAges.newest, statusAges.oldest].map(times.spacedAge);
	const begin = newest === oldest ? 'statuses ' : `statuses ${newest} to `;
	return {
		begin: begin.padStart('statuses 59 s to '.length),
		text: `${oldest} old`,
		cells: '59 m old'.length,
	};
}

function failingListOf({ account, now }: Scene): FailingRead | undefined {
	const failing = failingReadOf(account, now);
	const answer = account.reads.list?.answer;
	return failing?.read === 'list' && !(answer && isLive(answer, now)) ? failing : undefined;
}

function unreachable(cause: FailingRead, scene: Scene): Connection {
	const { accounts, account, layout, canSignIn, actions, now } = scene;
	const isRefused = isSignInFailure(cause);
	if (isRefused && canSignIn) {
		const key = shownKeyOf(actions, 'signIn');
		const since = key === undefined ? '' : ` · ${key} signs in`;
		return { text: '✖ signed out', since, tone: 'bad' };
	}
	const text = `✖ ${troubleLabel(cause)}`;
	const isSaidAbove = layout.hasRuleAbove && accounts.some(({ state }) => outageOf(state, now));
	if (isSaidAbove) return { text, tone: 'bad' };
	// After a refused sign-in, nothing is tried until a person acts.
	const retryAt = isRefused ? undefined : cause.retryAt;
	return trouble(text, 'bad', account.contact?.lastAnswerAt, retryAt, scene);
}

const trouble = (
	text: string,
	tone: Tone,
	from: number | undefined,
	retryAt: number | undefined,
	{ times, now }: Scene,
): Connection => ({
	text,
	tone,
	since: from === undefined ? '' : ` ${times.clock(now - from)}`,
	next: retryAt === undefined ? '' : nextTryText(retryAt, now, times),
	cells: text.length + clockWidth,
});

// A list that is read less often does not follow the fleet closely and is never called live.
const maxLiveIntervalMs = 20_000;

/** A list may be late by as much as one failed or slow read takes. */
const liveSlackMs = 5_000;

function isLive({ at, every = maxLiveIntervalMs }: AnswerTime, now: number): boolean {
	return every <= maxLiveIntervalMs && now - at <= every + liveSlackMs;
}

function outdated(scene: Scene): Connection {
	const { account, times, now } = scene;
	const { answer } = account.reads.list ?? {};
	const failing = failingListOf(scene);
	if (failing) {
		const label = troubleLabel({ ...failing, isOnlyThisRead: true });
		const from = answer?.at ?? failing.streak.firstAskedAt;
		return trouble(`◐ ${label}`, 'busy', from, failing.retryAt, scene);
	}
	const expectedAt = answer ? answer.at + (answer.every ?? 0) : now;
	const left = Math.max(nextReadTimeOf(account, now), expectedAt) - now;
	if (left > 0) {
		const wait = times.clock(roundedUpToSeconds(left));
		return { begin: '◐ next read ', text: `in ${wait}`, tone: 'busy', cells: 'in 59 s'.length };
	}
	const since = answer ? ` ${times.clock(now - answer.at)}` : '';
	return { text: '◐ slow', since, tone: 'busy', cells: '◐ slow 9 m 59 s'.length };
}
