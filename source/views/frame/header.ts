import { readOnlyMark } from '../../fleet/computers/account-profile.ts';
import { changingPhases, type Phase } from '../../fleet/computers/computer.ts';
import type { Runway } from '../../fleet/computers/runway.ts';
import { durationText } from '../../foundation/duration.ts';
import {
	amountText,
	amountWidth,
	countText,
	rateText,
	rateWidth,
} from '../../foundation/number-text.ts';
import { fitParts, type Part } from '../../lines/parts.ts';
import { clickable, cut, type Span } from '../../lines/span.ts';
import { badgeTone, type Tone } from '../../lines/theme.ts';
import { aboutSign } from '../../lines/time-text.ts';
import { ageOf, outageOf } from '../../store/freshness.ts';
import { shownKeyOf } from '../actions/shown-keys.ts';
import { phaseStyles } from '../fleet/status.ts';
import type { Click } from '../look/moves.ts';
import { tabViews, type View, viewRows } from '../look/view-table.ts';
import { filterFleet, showView } from '../look/views.ts';
import { creditsWords } from '../phrases/billing.ts';
import type { Scene } from '../scene.ts';
import { connectionParts } from './connection.ts';

//  1 Fleet  2 Billing  3 Models  4 Versions  5 Log   prod  owner@example.com · Pro   credits 38.75     −0.90/h   2 d 2 h left
//  ✖ 1 error  ◐ 2 changing  ○ 4 stopped  ● 17 active   ↑ 3 behind                                              live, 2 s ago
//  1 Fleet  2  3  4  5   Pro   2 d 2 h left      where there is less room
//  ✖1  ◐2  ○4  ●17  ↑3              2 s ago

/** Each number has room to grow, so that nothing beside it moves. */
export const headerLines = (scene: Scene): readonly (readonly Span[])[] => [
	titleLine(scene),
	...(scene.layout.hasCounts ? [countsLine(scene)] : []),
];

/** For the ear, without the tabs and without what is not there. */
export const spokenHeader = (scene: Scene): readonly (readonly Span[])[] => [
	fitParts(accountLineParts(scene), scene.width, ''),
	countsLine(scene, ({ count, known }) => count > 0 || known !== undefined),
];

const titleLine = (scene: Scene) =>
	fitParts([...tabParts(scene), ...accountLineParts(scene)], scene.width, '');

// The word "credits" and the account leave before the time that is left.
const accountLineParts = (scene: Scene): readonly Part[] => [
	...badgeParts(scene),
	...accountParts(scene),
	...stateParts(scene),
	...creditsParts(scene),
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

function accountParts({ account: { signIn, subscription } }: Scene): readonly Part[] {
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

const timeLeftCells = '9 d 23 h left'.length;

export function creditsParts({
	account: { credits },
	runway,
}: Pick<Scene, 'account' | 'runway'>): readonly Part[] {
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
		part(7, amount.padEnd(amountWidth)),
		part(11, rate.padEnd(rateWidth + 3), 'faint'),
		part(3, left.padStart(timeLeftCells), tone),
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

function countsLine(scene: Scene, isShown = (_: Count) => true): readonly Span[] {
	const shown = countsOf(scene).filter(isShown);
	const rareCount = shown.filter(({ isRare }) => isRare).length;
	const left = shown.flatMap((count, at) => countParts(count, at, rareCount, scene));
	return fitParts([...left, ...connectionParts(scene)], scene.width, '');
}

type Count = {
	sign: string;
	tone: Tone;
	count: number;
	word: string;
	filter?: string | undefined;
	/** The signs of the rare counts are alike, so they need their words. */
	isRare?: boolean;
	/** A read that the count needs has not been answered yet. */
	isGuess?: boolean;
	/** How many computers were looked at; undefined if all were. */
	known?: number | undefined;
};

function countsOf({ account, counts }: Scene): readonly Count[] {
	const { release, unreadableCount } = account;
	const { phases, outdated, versions, old = 0 } = counts;
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
	const behind: Count = {
		sign: '↑',
		tone: 'accent',
		count: outdated,
		word: 'behind',
		filter: release && `version:<${release.version}`,
		isGuess: release === undefined && outdated === 0,
		known: versions?.known,
	};
	const doubtful = { sign: '?', tone: 'busy', isRare: true } as const;
	const rare: readonly Count[] = [
		{ ...doubtful, count: old, word: 'old' },
		{ ...doubtful, count: phases.unknown ?? 0, word: 'unknown' },
		{ ...doubtful, count: unreadableCount, word: 'unreadable' },
		{ sign: '○', tone: 'faint', isRare: true, count: phases.pooled ?? 0, word: 'pooled' },
	];
	return [
		inPhases('error'),
		inPhases('creating', changingPhases, 'changing'),
		inPhases('stopped'),
		inPhases('active'),
		...(behind.known === 0 ? [] : [behind]),
		...rare.filter(({ count }) => count > 0),
	];
}

const minWidthForKnown = 100;

const minWidthForWords = 76;

/** The words leave from the right, and then whole counts. Before the list is read, a dash stands for each number. */
function countParts(
	{ sign, tone, count, word, filter, isRare = false, isGuess = false, known }: Count,
	at: number,
	rareCount: number,
	{ account, counts: { total }, width, now }: Scene,
): readonly Part[] {
	const { answer } = account.reads.list ?? {};
	// Colours would suggest that old counts are current.
	const isOld = outageOf(account, now) !== undefined || (!!answer && ageOf(answer, now) === 'old');
	const quiet = count === 0 || isOld ? 'faint' : undefined;
	const isListed = total > 0 || answer !== undefined;
	const isSentence = known !== undefined && width >= minWidthForKnown;
	const atLeast = count > 0 ? `≥${countText(count)}` : '…';
	const shown = known === undefined || isSentence ? countText(count) : atLeast;
	const number = isListed && !isGuess ? shown : '–';
	const end = isSentence ? ` of ${countText(known)} known` : '';
	const cells = Math.max(2, countText(total).length);
	const click: Click | undefined =
		filter === undefined ? undefined : { type: 'move', move: filterFleet(filter) };
	const part = (drop: number, ...spans: readonly Span[]): Part => ({
		drop,
		spans: click ? clickable(spans, click) : spans,
	});
	const hasWords = isRare || width >= minWidthForWords;
	const drop = isRare ? 13 : at + 2;
	const wordDrop = !isRare ? at + 14 : rareCount > 1 || width < minWidthForWords ? drop : 19;
	return [
		part(
			drop,
			[word === 'behind' ? '   ' : at > 0 ? '  ' : ' '],
			[sign, quiet ?? tone],
			[`${hasWords ? ' ' : ''}${number}`, quiet],
		),
		part(wordDrop, [hasWords ? ` ${word}${end}` : '', quiet]),
		part(20, [' '.repeat(Math.max(0, cells - number.length))]),
	];
}
