import { readOnlyMark } from '../../fleet/computers/account-profile.ts';
import { changingPhases, type Phase } from '../../fleet/computers/computer.ts';
import type { Runway } from '../../fleet/computers/runway.ts';
import { durationText } from '../../foundation/duration.ts';
import { amountText, countText, rateText } from '../../foundation/number-text.ts';
import { fitParts, type Part } from '../../lines/parts.ts';
import { clickable, cut, type Span } from '../../lines/span.ts';
import { badgeTone, type Tone } from '../../lines/theme.ts';
import { aboutSign, timeTextWithSeconds } from '../../lines/time-text.ts';
import {
	ageOf,
	type FailingRead,
	failingReadOf,
	isSignInFailure,
	outageOf,
	unreachableCauseOf,
} from '../../store/freshness.ts';
import type { AccountState, AnswerTime } from '../../store/state.ts';
import { shownKeyOf } from '../actions/shown-keys.ts';
import { creditsIn, creditsWords } from '../billing.ts';
import { phaseStyles } from '../fleet/status.ts';
import type { Click } from '../look/moves.ts';
import { tabViews, type View, viewRows } from '../look/view-table.ts';
import { filterFleet, showView } from '../look/views.ts';
import { nextReadTimeOf, nextTryText, troubleLabel } from '../phrases/reads.ts';
import { roundedUpToSeconds } from '../phrases/waiting.ts';
import type { Scene } from '../scene.ts';
import { unreadableCountIn } from './rules.ts';

//  1 Fleet  2 Billing  3 Models  4 Versions  5 Log   prod  owner@example.com · Pro   credits 38.75     −0.90/h   2 d 2 h left
//  ✖ 1 error  ◐ 2 changing  ○ 4 stopped  ● 17 active   ↑ 3 behind                                              live, 2 s ago
//  1 Fleet  2  3  4  5   Pro   2 d 2 h left      where there is less room
//  ✖1  ◐2  ○4  ●17  ↑3              2 s ago

export const headerLines = (scene: Scene): readonly (readonly Span[])[] => [
	titleLine(scene),
	...(scene.layout.hasCounts ? [countsLine(scene)] : []),
];

/** For the ear, without the tabs and without what is not there. */
export const spokenHeader = (scene: Scene): readonly (readonly Span[])[] => [
	fitParts(accountLineParts(scene), scene.width, ''),
	countsLine(scene, ({ count, isPartial }) => count > 0 || isPartial === true),
];

const titleLine = (scene: Scene) =>
	fitParts([...tabParts(scene), ...accountLineParts(scene)], scene.width, '');

// The word "credits" and the account leave before the time that is left.
const accountLineParts = (scene: Scene): readonly Part[] => [
	...badgeParts(scene),
	...accountParts(scene),
	...stateParts(scene),
	...creditsParts({ account: { credits: creditsIn(scene.accounts) }, runway: scene.runway }),
];

/** What people look for most stays longest. */
const titleDrops: Partial<Record<View, number>> = { log: 8, billing: 9 };

function tabParts({ screen, actions }: Scene): readonly Part[] {
	return tabViews.flatMap((view): readonly Part[] => {
		const { title } = viewRows[view];
		const key = shownKeyOf(actions, view) ?? '';
		const click: Click = { type: 'move', move: showView(view) };
		if (view === screen.view) return [{ drop: 0, spans: [[` ${key} ${title} `, 'chosen', click]] }];
		return [
			{ drop: 6, spans: [[` ${key} `, 'faint', click]] },
			{ drop: titleDrops[view] ?? 10, spans: [[`${title} `, 'faint', click]] },
		];
	});
}

const maxBadges = 4;
const minWidthForBadges = 120;
const narrowWidth = 60;

function badgeParts({ badge, profiles, width }: Scene): readonly Part[] {
	const hasRoom = profiles.length <= maxBadges && width >= minWidthForBadges;
	const several = hasRoom
		? profiles.map(profile => ({
				text: `${profile.shortName}${readOnlyMark(profile, profiles)}`,
				colour: profile.colour,
			}))
		: [{ text: `${profiles.length} accounts`, colour: undefined }];
	const badges = badge ? [badge] : profiles.length > 1 ? several : [];
	return badges.map(({ text, colour }) => ({
		drop: 1,
		spans: [
			[' '],
			[' ', badgeTone(colour)],
			...cut([[text, badgeTone(colour)]], width < narrowWidth ? 6 : 16),
			[' ', badgeTone(colour)],
		],
	}));
}

/** With several accounts, their badges stand here. */
function accountParts({ account: { signIn, subscription }, accounts }: Scene): readonly Part[] {
	if (accounts.length > 1) return [];
	const plan = subscription?.planName ?? '';
	const email = signIn?.isSignedIn ? (signIn.email ?? '') : '';
	const separator: Span = [email !== '' && plan !== '' ? ' · ' : '', 'faint'];
	return [
		{ drop: 8, spans: [[plan === '' && email === '' ? '' : ' ']] },
		{ drop: 14, spans: [[email], separator] },
		{ drop: 8, spans: [[plan]] },
	];
}

function stateParts({ operationsState: { isReadOnly, isLocked }, replay }: Scene): readonly Part[] {
	const text = isReadOnly ? ' read-only ' : isLocked ? ' locked ' : '';
	if (replay || text === '') return [];
	return [{ drop: 2, isRight: true, spans: [[' '], [text, badgeTone('yellow')]] }];
}

export function creditsParts({
	account: { credits },
	runway,
}: {
	account: Pick<AccountState, 'credits'>;
	runway: Runway | null;
}): readonly Part[] {
	const { balance } = credits ?? {};
	if (typeof balance !== 'number') return [];
	const part = (drop: number, text: string, tone?: Tone): Part => ({
		drop,
		isRight: true,
		spans: [[` ${text}`, tone]],
	});
	const { state } = creditsWords(credits, runway);
	const isKnown = runway !== null && runway.timeLeftMs !== null;
	const amount = amountText(balance);
	// A number alone could be anything.
	if (!isKnown && state !== 'tooFew')
		return [{ drop: 5, isRight: true, spans: [[' credits ', 'faint'], [amount]] }];
	const rate = isKnown
		? `${runway.isEstimate ? aboutSign : '−'}${rateText(runway.burnPerHour)}/h`
		: '';
	const left = state === 'tooFew' ? 'used up' : isKnown ? timeLeftText(runway) : '';
	const tone = state === 'tooFew' ? 'bad' : state === 'low' ? 'busy' : undefined;
	return [
		part(13, ' credits', 'faint'),
		part(7, amount),
		part(11, rate, 'faint'),
		part(3, left, tone),
	];
}

const hour = 3_600_000;
const day = 24 * hour;

/** Two units stand only beside a single digit, as in "2 d 2 h". A smaller unit of an estimate would change with each balance. */
function timeLeftText({ timeLeftMs, isEstimate }: Runway): string {
	const milliseconds = timeLeftMs ?? 0;
	const unit = milliseconds >= day ? day : hour;
	const name = unit === day ? 'd' : 'h';
	if (isEstimate)
		return `${aboutSign} ${Math.min(9_999, Math.round(milliseconds / unit))} ${name} left`;
	if (milliseconds < 10 * unit) return `${durationText(milliseconds).replace('min', 'm')} left`;
	const count = Math.floor(milliseconds / unit);
	return count > 9_999 ? 'years left' : `${count} ${name} left`;
}

const minWidthForWords = 76;

/** The words leave from the right, and then whole counts. Before the list is read, a dash stands for each number. */
function countsLine(scene: Scene, isShown = (_: Count) => true): readonly Span[] {
	const { account, counts, width, now } = scene;
	const { answer } = account.reads.list ?? {};
	const isListed = counts.total > 0 || answer !== undefined;
	// Colours would suggest that old counts are current.
	const isOld = outageOf(account, now) !== undefined || (!!answer && ageOf(answer, now) === 'old');
	const shown = countsOf(scene).filter(isShown);
	const hasSeveralRare = shown.filter(({ isRare }) => isRare).length > 1;
	const isWide = width >= minWidthForWords;
	const parts = shown.flatMap((each, at): readonly Part[] => {
		const { sign, tone, count, word, filter, isRare } = each;
		const number = isListed ? (each.number ?? countText(count)) : '–';
		const quiet = count === 0 || isOld ? 'faint' : undefined;
		const gap = at === 0 ? ' ' : word.startsWith('behind') ? '   ' : '  ';
		const hasWord = isWide || isRare;
		const drop = isRare ? 13 : at + 2;
		const wordDrop = !isRare ? at + 14 : isWide && !hasSeveralRare ? 19 : drop;
		const click: Click | undefined =
			filter === undefined ? undefined : { type: 'move', move: filterFleet(filter) };
		const part = (drop: number, ...spans: readonly Span[]): Part => ({
			drop,
			spans: click ? clickable(spans, click) : spans,
		});
		return [
			part(drop, [gap], [sign, quiet ?? tone], [`${hasWord ? ' ' : ''}${number}`, quiet]),
			part(wordDrop, [hasWord ? ` ${word}` : '', quiet]),
		];
	});
	return fitParts([...parts, ...connectionParts(scene)], width, '');
}

type Count = {
	sign: string;
	tone: Tone;
	count: number;
	/** In place of the count, where nobody knows it exactly. */
	number?: string | undefined;
	word: string;
	/** Not all computers were looked at. */
	isPartial?: boolean;
	filter?: string | undefined;
	/** The signs of the rare counts are alike, so they need their words. */
	isRare?: boolean;
};

function countsOf(scene: Scene): readonly Count[] {
	const { accounts, counts } = scene;
	const { phases, old = 0 } = counts;
	const inPhases = (phase: Phase, all: readonly Phase[] = [phase], word?: string): Count => {
		const { label, sign, tone } = phaseStyles[phase];
		return {
			sign,
			tone,
			count: all.reduce((sum, each) => sum + (phases[each] ?? 0), 0),
			word: word ?? label.toLowerCase(),
			filter: all.map(each => `status:=${each}`).join(' OR '),
		};
	};
	const doubtful = { sign: '?', tone: 'busy', isRare: true } as const;
	const rare: readonly Count[] = [
		{ ...doubtful, count: old, word: 'old' },
		{ ...doubtful, count: phases.unknown ?? 0, word: 'unknown' },
		{ ...doubtful, count: unreadableCountIn(accounts), word: 'unreadable' },
		{ sign: '○', tone: 'faint', isRare: true, count: phases.pooled ?? 0, word: 'pooled' },
	];
	return [
		inPhases('error'),
		inPhases('creating', changingPhases, 'changing'),
		inPhases('stopped'),
		inPhases('active'),
		...behindCounts(scene),
		...rare.filter(({ count }) => count > 0),
	];
}

const minWidthForKnown = 100;

/** How many are behind, of those whose versions are known. Nothing while no version is. */
function behindCounts({ account: { release }, counts, width }: Scene): readonly Count[] {
	const { outdated, versions } = counts;
	if (versions?.known === 0) return [];
	const behind = {
		sign: '↑',
		tone: 'accent',
		count: outdated,
		filter: release && `version:<${release.version}`,
	} as const;
	if (!release && outdated === 0) return [{ ...behind, number: '–', word: 'behind' }];
	if (!versions) return [{ ...behind, word: 'behind' }];
	if (width >= minWidthForKnown)
		return [{ ...behind, word: `behind of ${countText(versions.known)} known`, isPartial: true }];
	const number = outdated > 0 ? `≥${countText(outdated)}` : '…';
	return [{ ...behind, number, word: 'behind', isPartial: true }];
}

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
};

function connectionParts(scene: Scene): readonly Part[] {
	const { begin = '', text, since = '', next = '', tone } = connectionOf(scene);
	const part = (drop: number, ...spans: readonly Span[]): Part => ({ drop, isRight: true, spans });
	return [
		part(0, ['  ']),
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
		return { text: '○ connecting', next: age, tone: 'faint' };
	}
	const isFrozen = (account.standings?.other.frozenUntil ?? 0) > now;
	if (isConnecting || !list || !isLive(list, now) || isFrozen) return outdated(scene);
	if (!statusAges) {
		const age = `${times.clock(now - list.at)} ago`;
		return { begin: 'live, ', text: age };
	}
	const [newest, oldest] = [statusAges.newest, statusAges.oldest].map(times.spacedAge);
	const begin = newest === oldest ? 'statuses ' : `statuses ${newest} to `;
	return { begin, text: `${oldest} old` };
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
		return { begin: '◐ next read ', text: `in ${wait}`, tone: 'busy' };
	}
	const since = answer ? ` ${times.clock(now - answer.at)}` : '';
	return { text: '◐ slow', since, tone: 'busy' };
}
