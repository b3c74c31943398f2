import type { Phase } from '../fleet/computer.ts';
import type { Runway } from '../fleet/runway.ts';
import type { Counts } from '../store/counts.ts';
import type { AccountState, Failing } from '../store/state.ts';
import type { Badge } from './badge.ts';
import { asManyAsFit, atEnds, fitted, painted, type Span, widthOf } from './span.ts';
import { sparkline } from './sparkline.ts';
import { looks } from './status-text.ts';
import type { Theme, Token } from './theme.ts';
import { spanText } from './time-text.ts';

//  crowsnest  owner@example.com · Pro                        credits 41.50  −0.82/h  2d 2h left  ▇▆▅▄▃▂▁
//  24 computers  ● 17 active  ◐ 2 creating  ○ 4 stopped  ✖ 1 error  ↑ 3 updates    ● live 4s   other 22/30
//
//  and where it is narrow:
//
//  crowsnest · Pro                       41.50  2d left
//  24: ●17 ◐2 ○4 ✖1 ↑3                      ● live 4s
//
//  and where nothing comes:
//
//  – computers                                   ✖ offline 29s, again in 12s   other 22/30   status 41/60

type Asked = {
	account: AccountState;
	badge: Badge | undefined;
	/** Nothing may be changed. */
	isReadOnly: boolean;
	counts: Counts;
	runway: Runway | null;
	now: number;
	isLowBandwidth: boolean;
	width: number;
	theme: Theme;
};

const narrow = 90;

export function titleLine(asked: Asked): string {
	const { account, badge, isReadOnly, runway, now, width, theme } = asked;
	const { glyphs } = theme;
	const email = account.signIn?.isIn ? account.signIn.email : undefined;
	const plan = account.subscription?.planName;
	const left: Span[] = [[' '], ['crowsnest', 'strong']];
	if (isReadOnly) left.push([' read-only', 'busy']);
	if (email && width >= narrow) left.push(['  '], [email]);
	if (plan) left.push([` ${glyphs.separator} `, 'faint'], [plan, 'accent']);
	const label = badge ? ` ${badgeText(badge, theme)} ` : '';
	const room = badge ? width - theme.ruler.width(label) - 1 : width;
	const credits = creditSpans(account, runway, width, theme);
	const spark = sparkline(account.samples, now, theme);
	const right: readonly Span[] = spark === '' ? credits : [...credits, [` ${spark} `, 'accent']];
	const hasSpark = width >= narrow && widthOf(left, theme) + widthOf(right, theme) <= room;
	const rest = atEnds(left, hasSpark ? right : credits, room, theme);
	const front = badge ? ` ${theme.paintBadge({ ...badge, text: label })}` : '';
	return front + painted(rest, theme);
}

const badgeAtMost = 16;

function badgeText({ text }: Badge, theme: Theme): string {
	const cells = Math.min(badgeAtMost, theme.ruler.width(text));
	return fitted([[text]], cells, theme)
		.map(([part]) => part)
		.join('');
}

function creditSpans(
	{ credits }: AccountState,
	runway: Runway | null,
	width: number,
	{ glyphs }: Theme,
): readonly Span[] {
	if (!credits || credits.balance === null) return [];
	const isWide = width >= narrow;
	const spans: Span[] = [[isWide ? '  credits ' : '  ', 'faint'], [credits.balance.toFixed(2)]];
	if (credits.canRun === false) return [...spans, ['  nothing more can run', 'bad'], [' ']];
	if (!runway || runway.timeLeft === null) return [...spans, [' ']];
	if (isWide) spans.push([`  ${glyphs.minus}${runway.burnPerHour.toFixed(2)}/h`, 'faint']);
	const isShort = runway.timeLeft < 24 * 3_600_000;
	return [...spans, [`  ${spanText(runway.timeLeft)} left`, isShort ? 'busy' : undefined], [' ']];
}

const shownPhases: readonly Phase[] = [
	...(['active', 'creating', 'starting', 'restarting', 'updating', 'stopping'] as const),
	...(['stopped', 'error', 'unknown'] as const),
];

const paceFrom = 110;

/** In words, if need be without the pace; where that has no room either, in numbers. */
export function countsLine(asked: Asked): string {
	const { width, theme } = asked;
	const fresh = freshnessSpans(asked);
	const least = [...fresh, ...paceSpans(asked, true)];
	const all = width < paceFrom ? least : [...fresh, ...paceSpans(asked, false)];
	const words = joined(countParts(asked, true), '  ');
	const roomBeside = (right: readonly Span[]) => width - widthOf(right, theme) - 3;
	const hasRoom = (right: readonly Span[]) => widthOf(words, theme) <= roomBeside(right);
	const isWordy = width >= narrow && hasRoom(least);
	const right = isWordy && !hasRoom(all) ? least : all;
	const left = isWordy
		? words
		: asManyAsFit(countParts(asked, false), ' ', roomBeside(right), theme);
	return painted(atEnds([[' '], ...left], right, width, theme), theme);
}

const joined = (parts: readonly (readonly Span[])[], gap: string): readonly Span[] =>
	parts.flatMap((part, at) => (at > 0 ? [[gap] as const, ...part] : part));

function countParts(asked: Asked, isWordy: boolean): readonly (readonly Span[])[] {
	const { counts, theme } = asked;
	const { glyphs } = theme;
	// Without their words, those that look alike are one count.
	const tallies = new Map<string, { sign: string; token: Token; count: number; word: string }>();
	for (const phase of shownPhases) {
		const { label, glyph, token } = looks[phase];
		const sign = String(glyphs[glyph]);
		const key = isWordy ? phase : sign;
		const count = (tallies.get(key)?.count ?? 0) + (counts.phases[phase] ?? 0);
		tallies.set(key, { sign, token, count, word: label.toLowerCase() });
	}
	const { behind: count } = counts;
	const word = count === 1 ? 'update' : 'updates';
	tallies.set('update', { sign: glyphs.update, token: 'accent', count, word });
	return [
		[[totalText(asked, isWordy)]],
		...[...tallies.values()]
			.filter(tally => tally.count > 0)
			.map(tally => [
				[tally.sign, tally.token] as const,
				[isWordy ? ` ${tally.count} ${tally.word}` : `${tally.count}`] as const,
			]),
	];
}

/** None is a number only when a list has told so. */
function totalText({ account, counts, theme }: Asked, isWordy: boolean): string {
	const { total } = counts;
	const isKnown = total > 0 || account.reads.list?.told !== undefined;
	const text = isKnown ? `${total}` : theme.glyphs.none;
	if (!isWordy) return `${text}:`;
	return `${text} ${total === 1 ? 'computer' : 'computers'}`;
}

// Data is called live while answers come as often as they should.
const lateAfter = 60_000;

function freshnessSpans({ account, now, width, theme }: Asked): readonly Span[] {
	const { glyphs, times } = theme;
	const isWide = width >= narrow;
	const heardAt = account.watch?.heardAt;
	const age = heardAt === undefined ? undefined : now - heardAt;
	const failing = account.reads.list?.failing ?? account.reads.status?.failing;
	if (failing && isSilent(failing, heardAt, now)) {
		const since = age === undefined ? '' : ` ${times.age(age)}`;
		return [[`${glyphs.error} ${words[failing.failure.kind] ?? 'failing'}${since}`, 'bad'], [' ']];
	}
	if (age === undefined) return [[`${glyphs.stopped} connecting`, 'faint'], [' ']];
	// What an earlier run has left is not live, however young it is.
	if (!account.reads.list?.told) {
		return [[`${glyphs.stopped} connecting`, 'faint'], [` ${times.age(age)}`], [' ']];
	}
	const isLate = age > lateAfter;
	const word = isLate ? 'late' : 'live';
	const stuck = account.reads.list?.failing;
	return [
		[`${glyphs.live} ${word}`, isLate ? 'busy' : 'good'],
		[` ${times.age(age)} `],
		...(stuck && stuck.attempts > 1 ? listSpans(stuck, isWide, now, theme) : []),
	];
}

// When only the list fails, others answer in between.
const silence = 15_000;

/** Nothing was heard since it began to fail, or nothing for a while. */
function isSilent({ since, last }: Failing, heardAt: number | undefined, now: number): boolean {
	if (heardAt === undefined || since >= heardAt) return true;
	return last >= heardAt && now - heardAt > silence;
}

/** Others answer while the list fails: what is new, and what is gone, is not known meanwhile. */
function listSpans(
	{ failure, since }: Failing,
	isWide: boolean,
	now: number,
	{ glyphs, times }: Theme,
): readonly Span[] {
	if (!isWide) return [[`list ${glyphs.error} `, 'bad']];
	const word = words[failure.kind] ?? 'failing';
	return [[` list: ${word} ${times.age(now - since)} `, 'busy']];
}

const words: Readonly<Record<string, string>> = {
	auth: 'not signed in',
	denied: 'no access',
	limited: 'rate limited',
	offline: 'offline',
	unreadable: 'not understood',
	server: 'platform error',
};

// What is spent changes with every request, which is too often where little may change. That nothing
// may be asked at all is always told.
function paceSpans({ account, isLowBandwidth }: Asked, isSparing: boolean): readonly Span[] {
	const { standings } = account;
	if (!standings) return [];
	return (['other', 'status'] as const).flatMap((scope): readonly Span[] => {
		const { limit, spent, frozenUntil } = standings[scope];
		const pace = isSparing ? '' : ` ${spent}/${limit}`;
		if (frozenUntil !== undefined) return [[`  ${scope}${pace} frozen `, 'busy']];
		return isSparing || isLowBandwidth ? [] : [[`  ${scope}${pace} `, 'faint']];
	});
}
