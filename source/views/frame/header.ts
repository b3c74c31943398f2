import { type Credits, readOnlyMark } from '../../fleet/computers/account.ts';
import { changingPhases, type Phase } from '../../fleet/computers/computer.ts';
import type { Runway } from '../../fleet/computers/runway.ts';
import { durationText } from '../../foundation/duration.ts';
import { amountText, countText, rateText } from '../../foundation/number-text.ts';
import { fitParts, type Part, part, rightPart } from '../../lines/parts.ts';
import { spokenSpans } from '../../lines/print.ts';
import { cut, type Span, type Tone, textOf } from '../../lines/span.ts';
import { type Badge, badgeTone } from '../../lines/theme.ts';
import { aboutSign, timeTextWithSeconds, weekdayTimeText } from '../../lines/time-text.ts';
import {
	failingReadOf,
	isOld,
	isSignInFailure,
	outageOf,
	statusAgesOf,
	unreachableCauseOf,
	withOldApart,
} from '../../store/freshness.ts';
import type { AnswerTime } from '../../store/state.ts';
import { creditsIn, toneOfLevel } from '../billing.ts';
import { phaseStyles } from '../fleet/status.ts';
import { shownKeyOf } from '../keys.ts';
import { computersIn } from '../look/cursor.ts';
import type { Click } from '../look/moves.ts';
import { currentOrdering, isTable } from '../look/screen.ts';
import { tabViews, viewRows } from '../look/view-table.ts';
import { filterFleet, showView } from '../look/views.ts';
import { nextReadTimeOf, nextTryText, troubleLabel } from '../phrases/reads.ts';
import { roundedUpToSeconds } from '../phrases/waiting.ts';
import type { Scene } from '../scene.ts';
import { alarmRules, frameWidth, listNote, listNoteCount, spokenViewRule } from './rules.ts';

//  1 Fleet  2 Billing  …  5 Log   prod  owner@example.com · Pro   credits 38.75     −0.90/h   2 d 2 h left
//  ✖ 1 error  ◐ 2 changing  ○ 4 stopped  ● 17 active   ↑ 3 behind                             live, 2 s ago
//  1 Fleet  2  …  5   Pro   2 d 2 h left      where there is less room
//  ✖ 1 error  ◐ 2  ○ 4  ● 17   ↑ 3    live, 2 s ago

export function headerLines(scene: Scene): readonly (readonly Span[])[] {
	const { layout, live, width } = scene;
	// The past never looks like now.
	const isPastSaid = live && !layout.hasCounts;
	const { email = '' } = scene.account.signIn ?? {};
	const lineWith = (shownEmail: string) => {
		const right = isPastSaid ? connectionParts(scene) : accountLineParts(scene, shownEmail);
		return fitParts([...tabParts(scene), ...right], width, '');
	};
	// The word "credits" makes room for the e-mail, and stays where that is not enough.
	const withEmail = lineWith(email);
	const first = textOf(withEmail).includes(email) ? withEmail : lineWith('');
	return layout.hasCounts ? [first, countsLine(countsOf(scene), scene)] : [first];
}

const accountLineParts = (
	scene: Scene,
	email = scene.account.signIn?.email ?? '',
): readonly Part[] => [
	...badgeParts(scene),
	...accountParts(scene, email),
	...stateParts(scene),
	...creditsParts(creditsIn(scene.accounts), scene.runway),
];

const tabParts = ({ screen, actions }: Scene): readonly Part[] =>
	tabViews.flatMap((view): readonly Part[] => {
		const { title } = viewRows[view];
		const key = shownKeyOf(actions, view) ?? '';
		const click: Click = { type: 'move', move: showView(view) };
		if (view === screen.view) return [{ drop: 0, spans: [[` ${key} ${title} `, 'chosen', click]] }];
		return [
			{ drop: 6, spans: [[` ${key} `, 'faint', click]] },
			{ drop: 10, spans: [[`${title} `, 'faint', click]] },
		];
	});

const maxBadges = 4;
const minWidthForBadges = 120;
const maxBadgeCells = 16;

function badgeParts({ badge, profiles, width }: Scene): readonly Part[] {
	const hasRoom =
		profiles.length < 2 || (profiles.length <= maxBadges && width >= minWidthForBadges);
	const ofProfiles = profiles.map((profile): Badge => {
		const name = profiles.length === 1 ? profile.name : profile.shortName;
		return { text: `${name}${readOnlyMark(profile, profiles)}`, colour: profile.colour };
	});
	const named = ofProfiles.filter(({ text }) => text !== 'environment');
	const ofAccounts = hasRoom ? named : [{ text: `${profiles.length} accounts`, colour: undefined }];
	return [...(badge ? [badge] : []), ...ofAccounts].map(({ text, colour }) => {
		const tone = badgeTone(colour);
		return {
			drop: 1,
			spans: [[' '], [' ', tone], ...cut([[text, tone]], maxBadgeCells), [' ', tone]],
		};
	});
}

function accountParts({ account, accounts }: Scene, email: string): readonly Part[] {
	if (accounts.length > 1) return [];
	const plan = account.subscription?.planName ?? '';
	return [
		part(8, plan || email ? ' ' : ''),
		{ drop: 13, spans: [[email], [plan && email ? ' · ' : '', 'faint']] },
		part(8, plan),
	];
}

function stateParts({
	operationsState: { isReadOnly, isLocked },
	replay,
	live,
}: Scene): readonly Part[] {
	const text = isReadOnly ? ' read-only ' : isLocked ? ' locked ' : '';
	if ((replay && !live) || text === '') return [];
	return [{ drop: 2, isRight: true, spans: [[' '], [text, badgeTone('yellow')]] }];
}

export function creditsParts(credits: Credits | undefined, runway: Runway | null): readonly Part[] {
	const { balance } = credits ?? {};
	if (typeof balance !== 'number') return [];
	const isUsedUp = credits?.canRun === false;
	const isKnown = runway !== null && runway.timeLeftMs !== null;
	const sign = runway?.isEstimate ? aboutSign : '−';
	const rate = isKnown ? ` ${sign}${rateText(runway.burnPerHour)}/h` : '';
	const time = durationText(runway?.timeLeftMs ?? 0).replace('min', 'm');
	const about = runway?.isEstimate ? `${aboutSign} ` : '';
	const left = isUsedUp ? ' used up' : isKnown ? ` ${about}${time} left` : '';
	const tone = isUsedUp ? 'bad' : toneOfLevel(runway);
	const amount = ` ${amountText(balance)}`;
	// A number alone could be anything.
	if (left === '') return [{ drop: 5, isRight: true, spans: [[' credits', 'faint'], [amount]] }];
	return [
		rightPart(14, ' credits', 'faint'),
		rightPart(7, amount),
		rightPart(11, rate, 'faint'),
		rightPart(3, left, tone),
	];
}

type Count = {
	sign: string;
	tone: Tone;
	count: number | undefined;
	word: string;
	note?: string;
	filter?: string | undefined;
	/** The signs of the rare counts are alike, so they keep their words. */
	isRare?: boolean;
};

function countsOf(scene: Scene): readonly Count[] {
	const { accounts, shown, now } = scene;
	const { release } = scene.account;
	const counts = withOldApart(scene.counts, shown.allRows, accounts, now);
	const { phases, old = 0, behind: behindCount, versions } = counts;
	const inPhases = (word: string, ...all: readonly Phase[]): Count => {
		const { sign, tone } = phaseStyles[all[0] ?? 'unknown'];
		const count = all.reduce((sum, each) => sum + (phases[each] ?? 0), 0);
		return { sign, tone, count, word, filter: all.map(each => `status:=${each}`).join(' OR ') };
	};
	const doubtful = (word: string, count: number): Count => {
		return { sign: '?', tone: 'busy', isRare: true, word, count };
	};
	const rare: readonly Count[] = [
		doubtful('old', old),
		doubtful('unknown', phases.unknown ?? 0),
		doubtful('unreadable', listNoteCount(accounts, 'unreadable')),
		{ ...doubtful('pooled', phases.pooled ?? 0), sign: '○', tone: 'faint' },
	];
	const behind: Count = {
		sign: '↑',
		tone: 'accent',
		count: release || behindCount > 0 ? behindCount : undefined,
		word: 'behind',
		note: versions ? ` of ${countText(versions.known)} known` : '',
		filter: release && `version:<${release.version}`,
	};
	return [
		inPhases('error', 'error'),
		inPhases('changing', ...changingPhases),
		inPhases('stopped', 'stopped'),
		inPhases('active', 'active'),
		...(versions?.known === 0 ? [] : [behind]),
		...rare.filter(({ count }) => count),
	];
}

/** The words leave from the right, and then whole counts. Before the list is read, a dash stands for each number. */
function countsLine(shown: readonly Count[], scene: Scene): readonly Span[] {
	const { account, counts, width, now } = scene;
	const { answer } = account.reads.list ?? {};
	const isListed = counts.total > 0 || answer !== undefined;
	// Colours would suggest that old counts are current.
	const isPast = outageOf(account, now) !== undefined || (answer && isOld(answer, now));
	const parts = shown.flatMap(
		({ sign, tone, count, word, note, filter, isRare }, at): readonly Part[] => {
			const number = isListed && count !== undefined ? ` ${countText(count)}` : ' –';
			const quiet = !count || isPast ? 'faint' : undefined;
			const move = filter && filterFleet(filter);
			const click: Click | undefined = move ? { type: 'move', move } : undefined;
			const gap = at === 0 ? ' ' : note === undefined ? '  ' : '   ';
			const begin: readonly Span[] = [
				[gap, undefined, click],
				[sign, quiet ?? tone, click],
				[number, quiet, click],
			];
			const end: Span = [` ${word}`, quiet, click];
			if (isRare) return [{ drop: 12, spans: [...begin, end] }];
			return [
				{ drop: at + 2, spans: begin },
				{ drop: at + 14, spans: [end] },
				{ drop: at + 2, spans: [[note ?? '', quiet, click]] },
			];
		},
	);
	return fitParts([...parts, ...connectionParts(scene)], width, '');
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
//  ◷ 02:14, 3 h ago

/** Where there is little room, only the text and the margins stay. */
function connectionParts(scene: Scene): readonly Part[] {
	const { account, replay, live, isPasswordWanted, canSignIn, actions, times, now } = scene;
	const said = (
		text: string,
		tone?: Tone,
		more: { begin?: string; since?: string; next?: string } = {},
	) => [
		rightPart(0, '  '),
		rightPart(13, more.begin ?? '', tone),
		rightPart(1, text, tone),
		rightPart(13, more.since ?? ''),
		rightPart(20, more.next ?? ''),
		rightPart(0, ' '),
	];
	const lasting = (from: number | undefined) =>
		from === undefined ? '' : ` ${times.clock(now - from)}`;
	if (replay && live) {
		const since = `, ${times.ago(replay.end - replay.time)}`;
		return said(`◷ ${weekdayTimeText(replay.time, replay.end)}`, 'accent', { since });
	}
	if (replay) return said(`◷ replay ${timeTextWithSeconds(replay.time, replay.time)}`, 'accent');
	const cause = unreachableCauseOf(account, now);
	const isRefused = cause !== undefined && isSignInFailure(cause);
	if (cause ? isRefused && canSignIn : isPasswordWanted) {
		// Where a dialog asks for the password already, no key that opens it is named.
		const key = cause && shownKeyOf(actions, 'signIn');
		return said('✖ signed out', 'bad', { since: key ? ` · ${key} signs in` : '' });
	}
	const list = account.reads.list?.answer;
	const lastAnswerAt = account.contact?.lastAnswerAt;
	if (cause) {
		const text = `✖ ${troubleLabel(cause)}`;
		if (isSaidAbove(scene)) return said(text, 'bad');
		// After a refused sign-in, nothing is tried until a person acts.
		const next = isRefused ? '' : nextTryText(cause.retryAt, now, times);
		return said(text, 'bad', { since: lasting(lastAnswerAt), next });
	}
	const isListLive = list !== undefined && isLive(list, now);
	const failing = isListLive ? undefined : failingReadOf(account, now);
	if (failing?.read === 'list' && lastAnswerAt !== undefined) {
		const text = `◐ ${troubleLabel({ ...failing, isOnlyThisRead: true })}`;
		const since = lasting(list?.at ?? failing.streak.firstAskedAt);
		return said(text, 'busy', { since, next: nextTryText(failing.retryAt, now, times) });
	}
	const nextReadAt = nextReadTimeOf(account, now);
	// Before the first answer of this run, the data may come from an earlier run, so it is not called live.
	const isConnecting = !list || lastAnswerAt === undefined;
	if (isConnecting && nextReadAt <= now)
		return said('○ connecting', 'faint', { next: lasting(lastAnswerAt) });
	const isFrozen = (account.standings?.other.frozenUntil ?? 0) > now;
	if (isConnecting || !isListLive || isFrozen) {
		const left = Math.max(nextReadAt, list ? list.at + (list.every ?? 0) : now) - now;
		if (left <= 0) return said('◐ slow', 'busy', { since: lasting(list?.at) });
		return said(`in ${times.clock(roundedUpToSeconds(left))}`, 'busy', {
			begin: '◐ next read ',
		});
	}
	const { lines, maxRows } = scene.shown;
	const inSight = computersIn(lines.slice(scene.firstRow, scene.firstRow + maxRows));
	const statusAges = statusAgesOf(inSight, scene.accounts, now);
	if (!statusAges) return said(`${times.clock(now - list.at)} ago`, undefined, { begin: 'live, ' });
	const [newest, oldest] = [statusAges.newest, statusAges.oldest].map(times.spacedAge);
	const begin = newest === oldest ? 'statuses ' : `statuses ${newest} to `;
	return said(`${oldest} old`, undefined, { begin });
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

// For the ear

const inFrame = (scene: Scene): Scene => ({ ...scene, width: frameWidth });

export function spokenRules(scene: Scene): readonly string[] {
	// The titles of the columns say the order of a view.
	const { by = '', isReversed = false } =
		(!isTable(scene.screen) && currentOrdering(scene.screen)) || {};
	const field = by.replace(/[A-Z]/g, capital => ` ${capital.toLowerCase()}`);
	const order: readonly Span[] = field === '' ? [] : [[`by ${field}${isReversed ? ' ▼' : ''}`]];
	return [order, spokenViewRule(inFrame(scene)), ...alarmRules(inFrame(scene))]
		.map(spans => spokenSpans(spans).replace(/(^|, )\//, '$1filter '))
		.filter(text => text !== '');
}

export function spokenFrame(scene: Scene): readonly string[] {
	const wide = inFrame(scene);
	const counts = countsOf(wide).filter(({ count, note }) => count || note);
	const header = [fitParts(accountLineParts(wide), frameWidth, ''), countsLine(counts, wide)];
	return [...spokenRules(scene), ...header.map(spokenSpans), listNote(scene)].filter(
		text => text !== '',
	);
}
