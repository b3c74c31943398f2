import { sparkline } from '../../drawing/chart.ts';
import {
	fitToWidth,
	justifySpans,
	paintSpans,
	partsThatFit,
	type Span,
	widthOf,
} from '../../drawing/span.ts';
import type { Badge, Theme, Tone } from '../../drawing/theme.ts';
import { compactDuration, timeTextWithSeconds } from '../../drawing/time-text.ts';
import type { AccountProfile } from '../../fleet/computers/account-profile.ts';
import type { Phase } from '../../fleet/computers/computer.ts';
import type { Runway } from '../../fleet/computers/runway.ts';
import { ageOf, outageOf } from '../../store/age.ts';
import type { Counts } from '../../store/selectors.ts';
import type { JointAccount } from '../../store/state.ts';
import { freshnessSpans, nextTryText, showsNextTry } from '../phrases/freshness-text.ts';
import { phaseStyles } from '../table/status-text.ts';
import { creditsWords } from '../views/credits-text.ts';

//  crowsnest  owner@example.com · Pro                        credits 41.50  −0.82/h  2d 2h left  ▇▆▅▄▃▂▁
//  24 computers  ● 17 active  ◐ 2 creating  ○ 4 stopped  ✖ 1 error  ↑ 3 updates    ● live 4s   other 22/30
//
//  on a narrow screen:
//
//  crowsnest · Pro                       41.50  2d left
//  24: ●17 ◐2 ○4 ✖1 ↑3                      ● live 4s
//
//  while the platform does not answer:
//
//  – computers                                   ✖ offline 29s, again in 12s   other 22/30   status 41/60

export type HeaderOptions = {
	account: JointAccount;
	badge: Badge | undefined;
	/** The accounts of the table. With several, the line begins with a badge for each. */
	profiles?: readonly AccountProfile[] | undefined;
	/** Whether the account is opened read-only. */
	isReadOnly: boolean;
	counts: Counts;
	runway: Runway | null;
	now: number;
	/**
	 * The time within the recording that is being replayed, in milliseconds since the epoch; undefined outside
	 * a replay.
	 */
	replayAt?: number | undefined;
	/** Whether this program can ask a person for a password, so that a hint for signing in makes sense. */
	canSignIn?: boolean;
	isLowBandwidth: boolean;
	width: number;
	theme: Theme;
};

const narrowWidth = 90;

export function titleLine(options: HeaderOptions): string {
	const { account, isReadOnly, runway, now, width, theme } = options;
	const { glyphs } = theme;
	const email = account.signIn?.isSignedIn ? account.signIn.email : undefined;
	const plan = account.subscription?.planName;
	const left: Span[] = [[' '], ['crowsnest', 'strong']];
	if (isReadOnly) left.push([' read-only', 'busy']);
	if (email && width >= narrowWidth) left.push(['  '], [email]);
	if (plan) left.push([` ${glyphs.separator} `, 'faint'], [plan, 'accent']);
	const badges = badgesOf(options).map(badge => ({
		...badge,
		text: ` ${badgeText(badge, theme)} `,
	}));
	const room = badges.reduce((left, { text }) => left - theme.ruler.width(text) - 1, width);
	const credits = creditSpans(account, runway, width, theme);
	const spark = sparkline(account.samples, now, theme);
	const right: readonly Span[] = spark === '' ? credits : [...credits, [` ${spark} `, 'accent']];
	const hasSpark = width >= narrowWidth && widthOf(left, theme) + widthOf(right, theme) <= room;
	const titleRest = justifySpans(left, hasSpark ? right : credits, room, theme);
	const badgeStart = badges.map(badge => ` ${theme.paintBadge(badge)}`).join('');
	return badgeStart + paintSpans(titleRest, theme);
}

// More badges would leave too little room for the rest of the line.
const maxBadges = 4;

/** Returns the badge of the only account, or one for each of several accounts. */
function badgesOf({ badge, profiles = [], width }: HeaderOptions): readonly Badge[] {
	if (badge) return [badge];
	if (profiles.length < 2) return [];
	if (profiles.length > maxBadges || width < narrowWidth)
		return [{ text: `${profiles.length} accounts`, colour: undefined }];
	return profiles.map(({ name, colour }) => ({ text: name, colour }));
}

const maxBadgeWidth = 16;

function badgeText({ text }: Badge, theme: Theme): string {
	const cells = Math.min(maxBadgeWidth, theme.ruler.width(text));
	return fitToWidth([[text]], cells, theme)
		.map(([part]) => part)
		.join('');
}

function creditSpans(
	{ credits }: JointAccount,
	runway: Runway | null,
	width: number,
	{ glyphs }: Theme,
): readonly Span[] {
	if (!credits || credits.balance === null) return [];
	const isWide = width >= narrowWidth;
	const spans: Span[] = [[isWide ? '  credits ' : '  ', 'faint'], [credits.balance.toFixed(2)]];
	const { screen, state } = creditsWords({ credits, runway });
	if (state === 'tooFew') return [...spans, [`  ${screen}`, 'bad'], [' ']];
	if (!runway || runway.timeLeftMs === null) return [...spans, [' ']];
	if (isWide) spans.push([`  ${glyphs.minus}${runway.burnPerHour.toFixed(2)}/h`, 'faint']);
	return [
		...spans,
		[`  ${compactDuration(runway.timeLeftMs)} left`, state === 'low' ? 'busy' : undefined],
		[' '],
	];
}

const countedPhases: readonly Phase[] = [
	...(['active', 'creating', 'starting', 'restarting', 'updating', 'stopping'] as const),
	...(['stopped', 'error', 'unknown'] as const),
];

const minGaugeWidth = 110;

/**
 * Draws the second line of the header. The number of computers in each phase is shown with words if there
 * is room, and otherwise with glyphs. The state of the connection is always shown, and as many of the
 * rate-limit gauges as fit.
 */
export function countsLine(options: HeaderOptions): string {
	const { width, theme } = options;
	const freshness = freshnessSpans(options);
	const forms = gaugeForms.map(pace => [...freshness, ...gaugeSpans(options, pace)]);
	const shortestGauges = forms.at(-1) ?? freshness;
	const roomBeside = (right: readonly Span[]) => width - widthOf(right, theme) - 3;
	const fitsBeside = (counts: readonly Span[]) => (right: readonly Span[]) =>
		widthOf(counts, theme) <= roomBeside(right);
	const answeredAt = timeOfOutdatedCounts(options);
	const words = joinedSpans(countsWithTime(countSpans(options, true), answeredAt, options), '  ');
	const numbers = countsWithTime(countSpans(options, false), answeredAt, options);
	const isWordy = width >= narrowWidth && fitsBeside(words)(shortestGauges);
	const right =
		forms.find(fitsBeside(isWordy ? words : joinedSpans(numbers, ' '))) ??
		[shortestGauges].find(fitsBeside(numbers[0] ?? [])) ??
		freshness;
	const left = isWordy ? words : partsThatFit(numbers, ' ', roomBeside(right), theme);
	return paintSpans(justifySpans([[' '], ...left], right, width, theme), theme);
}

/**
 * Returns the time of the last answer if the counts of computers are out of date, or undefined while the
 * counts are current.
 */
function timeOfOutdatedCounts({ account, now }: HeaderOptions): number | undefined {
	const { answer } = account.reads.list ?? {};
	const isOld = outageOf(account, now) !== undefined || (answer && ageOf(answer, now) === 'old');
	return isOld ? (account.contact?.lastAnswerAt ?? answer?.at) : undefined;
}

function countsWithTime(
	parts: readonly (readonly Span[])[],
	answeredAt: number | undefined,
	{ now }: HeaderOptions,
): readonly (readonly Span[])[] {
	if (answeredAt === undefined) return parts;
	const faintCounts = parts.map(spans => spans.map(([text]): Span => [text, 'faint']));
	return [...faintCounts, [[`as of ${timeTextWithSeconds(answeredAt, now)}`, 'faint']]];
}

const joinedSpans = (parts: readonly (readonly Span[])[], gap: string): readonly Span[] =>
	parts.flatMap((part, at) => (at > 0 ? [[gap] as const, ...part] : part));

function countSpans(options: HeaderOptions, hasWords: boolean): readonly (readonly Span[])[] {
	const { counts, theme } = options;
	const { glyphs } = theme;
	// Without words, phases with the same glyph share one count.
	const tallies = new Map<string, { sign: string; tone: Tone; count: number; word: string }>();
	for (const phase of countedPhases) {
		const { label, glyph, tone } = phaseStyles[phase];
		const sign = String(glyphs[glyph]);
		const key = hasWords ? phase : sign;
		const count = (tallies.get(key)?.count ?? 0) + (counts.phases[phase] ?? 0);
		tallies.set(key, { sign, tone: tone, count, word: label.toLowerCase() });
	}
	const { outdated: count } = counts;
	const word = count === 1 ? 'update' : 'updates';
	tallies.set('update', { sign: glyphs.updateAvailable, tone: 'accent', count, word });
	const { unreadableCount } = options.account;
	return [
		[[totalText(options, hasWords)]],
		...(unreadableCount > 0 ? [[[`${unreadableCount} unreadable`, 'busy'] as const]] : []),
		...[...tallies.values()]
			.filter(tally => tally.count > 0)
			.map(tally => [
				[tally.sign, tally.tone] as const,
				[hasWords ? ` ${tally.count} ${tally.word}` : `${tally.count}`] as const,
			]),
	];
}

/** Writes the number of computers, or a dash until the list has been read, because 0 would be a guess. */
function totalText({ account, counts, theme }: HeaderOptions, hasWords: boolean): string {
	const { total } = counts;
	const isKnown = total > 0 || account.reads.list?.answer !== undefined;
	const text = isKnown ? `${total}` : theme.glyphs.noValue;
	if (!hasWords) return `${text}:`;
	return `${text} ${total === 1 ? 'computer' : 'computers'}`;
}

/** The forms of the rate-limit gauges, most detailed first. */
const gaugeForms = [
	{ showsSpent: true, showsTime: true },
	{ showsSpent: false, showsTime: true },
	{ showsSpent: false, showsTime: false },
] as const;

// On a slow line, the number of spent requests would change the screen all the time. A gauge is then shown
// only while its scope is frozen or the requests of other processes cannot be counted.
function gaugeSpans(
	options: HeaderOptions,
	{ showsSpent, showsTime }: (typeof gaugeForms)[number],
): readonly Span[] {
	const { account, replayAt, isLowBandwidth, now, width } = options;
	const { standings } = account;
	if (!standings || replayAt !== undefined) return [];
	const isTimeShown = showsTime && width >= narrowWidth && !showsNextTry(options);
	return (['other', 'status'] as const).flatMap((scope): readonly Span[] => {
		const { limit, spent, frozenUntil, isAlone } = standings[scope];
		const pace = showsSpent && width >= minGaugeWidth ? ` ${spent}/${limit}` : '';
		if (frozenUntil !== undefined) {
			const nextTry = isTimeShown && frozenUntil > now ? nextTryText(frozenUntil, options) : '';
			return [[`  ${scope}${pace} frozen${nextTry} `, 'busy']];
		}
		if (isAlone) return [[`  ${scope}${pace} this process only `, 'busy']];
		return pace === '' || isLowBandwidth ? [] : [[`  ${scope}${pace} `, 'faint']];
	});
}
