import { readOnlyMark } from '../../fleet/computers/account.ts';
import { changingPhases, type Phase } from '../../fleet/computers/computer.ts';
import type { Runway } from '../../fleet/computers/runway.ts';
import { durationText } from '../../foundation/duration.ts';
import { amountText, countText, rateText } from '../../foundation/number-text.ts';
import { fitParts, type Part } from '../../lines/parts.ts';
import { clickable, cut, type Span } from '../../lines/span.ts';
import { badgeTone, type Tone } from '../../lines/theme.ts';
import { aboutSign, timeTextWithSeconds } from '../../lines/time-text.ts';
import {
	failingReadOf,
	isOld,
	isSignInFailure,
	outageOf,
	statusAgesOf,
	unreachableCauseOf,
	withOldApart,
} from '../../store/freshness.ts';
import type { AccountState, AnswerTime } from '../../store/state.ts';
import { creditsIn, creditsStateOf } from '../billing.ts';
import { phaseStyles } from '../fleet/status.ts';
import { shownKeyOf } from '../keys.ts';
import type { Click } from '../look/moves.ts';
import { tabViews, viewRows } from '../look/view-table.ts';
import { filterFleet, showView } from '../look/views.ts';
import { nextReadTimeOf, nextTryText, troubleLabel } from '../phrases/reads.ts';
import { roundedUpToSeconds } from '../phrases/waiting.ts';
import type { Scene } from '../scene.ts';
import { listNoteCount } from './rules.ts';

//  1 Fleet  2 Billing  3 Models  4 Versions  5 Log   prod  owner@example.com · Pro   credits 38.75     −0.90/h   2 d 2 h left
//  ✖ 1 error  ◐ 2 changing  ○ 4 stopped  ● 17 active   ↑ 3 behind                                              live, 2 s ago
//  1 Fleet  2  3  4  5   Pro   2 d 2 h left      where there is less room
//  ✖ 1 error  ◐ 2  ○ 4  ● 17   ↑ 3    live, 2 s ago

export const headerLines = (scene: Scene): readonly (readonly Span[])[] => [
	titleLine(scene),
	...(scene.layout.hasCounts ? [countsLine(scene)] : []),
];

/** For the ear, without the tabs and without what is not there. */
export const spokenHeader = (scene: Scene): readonly (readonly Span[])[] => [
	fitParts(accountLineParts(scene), scene.width, ''),
	countsLine(scene, ({ count, note }) => Boolean(count || note)),
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

function tabParts({ screen, actions }: Scene): readonly Part[] {
	return tabViews.flatMap((view): readonly Part[] => {
		const { title } = viewRows[view];
		const key = shownKeyOf(actions, view) ?? '';
		const click: Click = { type: 'move', move: showView(view) };
		if (view === screen.view) return [{ drop: 0, spans: [[` ${key} ${title} `, 'chosen', click]] }];
		return [
			{ drop: 6, spans: [[` ${key} `, 'faint', click]] },
			{ drop: 10, spans: [[`${title} `, 'faint', click]] },
		];
	});
}

const maxBadges = 4;
const minWidthForBadges = 120;

function badgeParts({ badge, profiles, width }: Scene): readonly Part[] {
	const hasRoom = profiles.length <= maxBadges && width >= minWidthForBadges;
	const several = hasRoom
		? profiles.map(profile => ({
				text: `${profile.shortName}${readOnlyMark(profile, profiles)}`,
				colour: profile.colour,
			}))
		: [{ text: `${profiles.length} accounts`, colour: undefined }];
	const badges = badge ? [badge] : profiles.length > 1 ? several : [];
	return badges.map(({ text, colour }) => {
		const tone = badgeTone(colour);
		return { drop: 1, spans: [[' '], [' ', tone], ...cut([[text, tone]], 16), [' ', tone]] };
	});
}

/** With several accounts, their badges stand here. */
function accountParts({ account: { signIn, subscription }, accounts }: Scene): readonly Part[] {
	if (accounts.length > 1) return [];
	const plan = subscription?.planName ?? '';
	const email = signIn?.isSignedIn ? (signIn.email ?? '') : '';
	return [
		{ drop: 8, spans: [[plan || email ? ' ' : '']] },
		{ drop: 14, spans: [[email], [plan && email ? ' · ' : '', 'faint']] },
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
	const state = creditsStateOf(credits, runway);
	const isKnown = runway !== null && runway.timeLeftMs !== null;
	const sign = runway?.isEstimate ? aboutSign : '−';
	const rate = isKnown ? ` ${sign}${rateText(runway.burnPerHour)}/h` : '';
	const left = state === 'tooFew' ? ' used up' : isKnown ? timeLeftText(runway) : '';
	const tone = state === 'tooFew' ? 'bad' : state === 'low' ? 'busy' : undefined;
	const part = (drop: number, text: string, tone?: Tone): Part => ({
		drop,
		isRight: true,
		spans: [[text, tone]],
	});
	const amount = ` ${amountText(balance)}`;
	// A number alone could be anything.
	if (left === '') return [{ drop: 5, isRight: true, spans: [[' credits', 'faint'], [amount]] }];
	return [
		part(13, ' credits', 'faint'),
		part(7, amount),
		part(11, rate, 'faint'),
		part(3, left, tone),
	];
}

const hour = 3_600_000;
const day = 24 * hour;

/** A smaller unit of an estimate would change with each balance. */
function timeLeftText({ timeLeftMs, isEstimate }: Runway): string {
	const left = timeLeftMs ?? 0;
	if (!isEstimate) return ` ${durationText(left).replace('min', 'm')} left`;
	const [unit, name] = left >= day ? [day, 'd'] : [hour, 'h'];
	return ` ${aboutSign} ${countText(Math.round(left / unit))} ${name} left`;
}

/** The words leave from the right, and then whole counts. Before the list is read, a dash stands for each number. */
function countsLine(scene: Scene, isShown = (_: Count) => true): readonly Span[] {
	const { account, accounts, shown, width, now } = scene;
	const counts = withOldApart(scene.counts, shown.allRows, accounts, now);
	const { answer } = account.reads.list ?? {};
	const isListed = counts.total > 0 || answer !== undefined;
	// Colours would suggest that old counts are current.
	const isPast = outageOf(account, now) !== undefined || (answer && isOld(answer, now));
	const parts = countsOf(scene, counts)
		.filter(isShown)
		.flatMap(({ sign, tone, count, word, note, filter, isRare }, at): readonly Part[] => {
			const number = isListed && count !== undefined ? ` ${countText(count)}` : ' –';
			const quiet = !count || isPast ? 'faint' : undefined;
			const click: Click | undefined = filter
				? { type: 'move', move: filterFleet(filter) }
				: undefined;
			const part = (drop: number, ...spans: readonly Span[]): Part => ({
				drop,
				spans: click ? clickable(spans, click) : spans,
			});
			const gap = at === 0 ? ' ' : note === undefined ? '  ' : '   ';
			const begin: readonly Span[] = [[gap], [sign, quiet ?? tone], [number, quiet]];
			// The signs of the rare counts are alike, so they keep their words.
			if (isRare) return [part(12, ...begin, [` ${word}`, quiet])];
			return [
				part(at + 2, ...begin),
				part(at + 14, [` ${word}`, quiet]),
				part(at + 2, [note ?? '', quiet]),
			];
		});
	return fitParts([...parts, ...connectionParts(scene)], width, '');
}

type Count = {
	sign: string;
	tone: Tone;
	/** Undefined where nobody knows it. */
	count: number | undefined;
	word: string;
	/** What the count leaves out. */
	note?: string;
	filter?: string | undefined;
	isRare?: boolean;
};

function countsOf(
	{ account, accounts }: Scene,
	counts: ReturnType<typeof withOldApart>,
): readonly Count[] {
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
		{ ...doubtful, count: listNoteCount(accounts, 'unreadable'), word: 'unreadable' },
		{ sign: '○', tone: 'faint', isRare: true, count: phases.pooled ?? 0, word: 'pooled' },
	];
	return [
		inPhases('error'),
		inPhases('creating', changingPhases, 'changing'),
		inPhases('stopped'),
		inPhases('active'),
		...behindCounts(account, counts),
		...rare.filter(({ count }) => count),
	];
}

/** How many are behind, of those whose versions are known. Nothing while no version is. */
function behindCounts(
	{ release }: Scene['account'],
	{ outdated, versions }: Scene['counts'],
): readonly Count[] {
	if (versions?.known === 0) return [];
	return [
		{
			sign: '↑',
			tone: 'accent',
			count: release || outdated > 0 ? outdated : undefined,
			word: 'behind',
			note: versions ? ` of ${countText(versions.known)} known` : '',
			filter: release && `version:<${release.version}`,
		},
	];
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
	since?: string;
	next?: string;
};

function connectionParts(scene: Scene): readonly Part[] {
	const { begin = '', text, since = '', next = '', tone } = connectionOf(scene);
	const part = (drop: number, ...spans: readonly Span[]): Part => ({ drop, isRight: true, spans });
	return [
		part(0, ['  ']),
		part(13, [begin, tone]),
		part(1, [text, tone]),
		part(13, [since]),
		part(20, [next]),
		part(0, [' ']),
	];
}

function connectionOf(scene: Scene): Connection {
	const { account, accounts, replay, isPasswordWanted, canSignIn, actions, times, now } = scene;
	const lasting = (from: number | undefined) =>
		from === undefined ? '' : ` ${times.clock(now - from)}`;
	if (replay) {
		const time = timeTextWithSeconds(replay.time, replay.time);
		return { text: `◷ replay ${time}`, tone: 'accent' };
	}
	const cause = unreachableCauseOf(account, now);
	const isRefused = cause !== undefined && isSignInFailure(cause);
	if (cause ? isRefused && canSignIn : isPasswordWanted) {
		// Where a dialog asks for the password already, no key that opens it is named.
		const key = cause && shownKeyOf(actions, 'signIn');
		return { text: '✖ signed out', since: key ? ` · ${key} signs in` : '', tone: 'bad' };
	}
	const list = account.reads.list?.answer;
	const lastAnswerAt = account.contact?.lastAnswerAt;
	if (cause) {
		const text = `✖ ${troubleLabel(cause)}`;
		if (isSaidAbove(scene)) return { text, tone: 'bad' };
		// After a refused sign-in, nothing is tried until a person acts.
		const next = isRefused ? '' : nextTryText(cause.retryAt, now, times);
		return { text, tone: 'bad', since: lasting(lastAnswerAt), next };
	}
	const isListLive = list !== undefined && isLive(list, now);
	const failing = isListLive ? undefined : failingReadOf(account, now);
	if (failing?.read === 'list' && lastAnswerAt !== undefined) {
		const text = `◐ ${troubleLabel({ ...failing, isOnlyThisRead: true })}`;
		const since = lasting(list?.at ?? failing.streak.firstAskedAt);
		return { text, tone: 'busy', since, next: nextTryText(failing.retryAt, now, times) };
	}
	const nextReadAt = nextReadTimeOf(account, now);
	// Before the first answer of this run, the data may come from an earlier run, so it is not called live.
	const isConnecting = !list || lastAnswerAt === undefined;
	if (isConnecting && nextReadAt <= now)
		return { text: '○ connecting', next: lasting(lastAnswerAt), tone: 'faint' };
	const isFrozen = (account.standings?.other.frozenUntil ?? 0) > now;
	if (isConnecting || !isListLive || isFrozen) {
		const left = Math.max(nextReadAt, list ? list.at + (list.every ?? 0) : now) - now;
		if (left <= 0) return { text: '◐ slow', since: lasting(list?.at), tone: 'busy' };
		const wait = times.clock(roundedUpToSeconds(left));
		return { begin: '◐ next read ', text: `in ${wait}`, tone: 'busy' };
	}
	const { shown, firstRow } = scene;
	const inSight = shown.rows.slice(firstRow, firstRow + shown.maxRows);
	const statusAges = statusAgesOf(inSight, accounts, now);
	if (!statusAges) return { begin: 'live, ', text: `${times.clock(now - list.at)} ago` };
	const [newest, oldest] = [statusAges.newest, statusAges.oldest].map(times.spacedAge);
	const begin = newest === oldest ? 'statuses ' : `statuses ${newest} to `;
	return { begin, text: `${oldest} old` };
}

const isSaidAbove = ({ layout, accounts, now }: Scene) =>
	layout.hasRuleAbove && accounts.some(({ state }) => outageOf(state, now));

// A list that is read less often does not follow the fleet closely and is never called live.
const maxLiveIntervalMs = 20_000;

/** A list may be late by as much as one failed or slow read takes. */
const liveSlackMs = 5_000;

function isLive({ at, every = maxLiveIntervalMs }: AnswerTime, now: number): boolean {
	// After the clock was set back, the last answer lies in the future, and its age is not known.
	return every <= maxLiveIntervalMs && Math.abs(now - at) <= every + liveSlackMs;
}
