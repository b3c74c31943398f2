import type { Phase } from '../fleet/computer.ts';
import type { Runway } from '../fleet/runway.ts';
import type { Counts } from '../store/counts.ts';
import type { AccountState } from '../store/state.ts';
import type { Badge } from './badge.ts';
import { asManyAsFit, atEnds, painted, type Span } from './span.ts';
import { looks } from './status-text.ts';
import type { Theme } from './theme.ts';
import { ageText, spanText } from './time-text.ts';

//  crowsnest  owner@example.com · Pro                                 credits 41.50  −0.82/h  2d 2h left
//  24 computers  ● 17 active  ◐ 2 creating  ○ 4 stopped  ✖ 1 error  ↑ 3 updates    ● live 4s   other 22/30
//
//  and where it is narrow:
//
//  crowsnest · Pro                       41.50  2d left
//  24: ●17 ◐2 ○4 ✖1 ↑3                      ● live 4s

type Asked = {
	account: AccountState;
	badge: Badge | undefined;
	counts: Counts;
	runway: Runway | null;
	now: number;
	width: number;
	theme: Theme;
};

const narrow = 90;

export function titleLine({ account, badge, runway, width, theme }: Asked): string {
	const { glyphs } = theme;
	const email = account.signIn?.isIn ? account.signIn.email : undefined;
	const plan = account.subscription?.planName;
	const left: Span[] = [[' '], ['crowsnest', 'strong']];
	if (email && width >= narrow) left.push(['  '], [email]);
	if (plan) left.push([` ${glyphs.separator} `, 'faint'], [plan, 'accent']);
	const label = badge ? ` ${theme.ruler.beginning(badge.text, 16)} ` : '';
	const room = badge ? width - theme.ruler.width(label) - 1 : width;
	const rest = atEnds(left, creditSpans(account, runway, width, theme), room, theme);
	const front = badge ? ` ${theme.paintBadge({ ...badge, text: label })}` : '';
	return front + painted(rest, theme);
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

export function countsLine(asked: Asked): string {
	const { counts, width, theme } = asked;
	const { glyphs } = theme;
	const right = [...freshnessSpans(asked), ...paceSpans(asked)];
	const isWide = width >= narrow;
	const parts: (readonly Span[])[] = [[[isWide ? plural(counts.total) : `${counts.total}:`]]];
	for (const phase of shownPhases) {
		const count = counts.phases[phase];
		if (!count) continue;
		const { label, glyph, token } = looks[phase];
		const sign = String(glyphs[glyph]);
		const words = isWide ? ` ${count} ${label.toLowerCase()}` : `${count}`;
		parts.push([[sign, token], [words]]);
	}
	if (counts.behind > 0) {
		const words = isWide ? ` ${counts.behind} updates` : `${counts.behind}`;
		parts.push([[glyphs.update, 'accent'], [words]]);
	}
	const room = width - right.reduce((sum, [text]) => sum + theme.ruler.width(text), 0) - 3;
	const left: Span[] = [[' '], ...asManyAsFit(parts, isWide ? '  ' : ' ', room, theme)];
	return painted(atEnds(left, right, width, theme), theme);
}

const plural = (count: number) => `${count} ${count === 1 ? 'computer' : 'computers'}`;

// Data is called live while answers come as often as they should.
const lateAfter = 60_000;

function freshnessSpans({ account, now, theme }: Asked): readonly Span[] {
	const { glyphs } = theme;
	const heardAt = account.watch?.heardAt;
	const age = heardAt === undefined ? undefined : now - heardAt;
	const failing = account.reads.list?.failing ?? account.reads.status?.failing;
	if (failing && (age === undefined || failing.last >= (heardAt ?? 0))) {
		const since = age === undefined ? '' : ` ${ageText(age)}`;
		return [[`${glyphs.error} ${words[failing.failure.kind] ?? 'failing'}${since}`, 'bad'], [' ']];
	}
	if (age === undefined) return [[`${glyphs.stopped} connecting`, 'faint'], [' ']];
	// What an earlier run has left is not live, however young it is.
	if (!account.reads.list?.told) {
		return [[`${glyphs.stopped} connecting`, 'faint'], [` ${ageText(age)}`], [' ']];
	}
	const isLate = age > lateAfter;
	const word = isLate ? 'late' : 'live';
	return [[`${glyphs.live} ${word}`, isLate ? 'busy' : 'good'], [` ${ageText(age)}`], [' ']];
}

const words: Readonly<Record<string, string>> = {
	auth: 'not signed in',
	denied: 'no access',
	limited: 'rate limited',
	offline: 'offline',
	unreadable: 'not understood',
	server: 'platform error',
};

function paceSpans({ account, width }: Asked): readonly Span[] {
	const { standings } = account;
	if (!standings || width < 110) return [];
	return (['other', 'status'] as const).map((scope): Span => {
		const { limit, spent, frozenUntil } = standings[scope];
		const isFrozen = frozenUntil !== undefined;
		return [
			`  ${scope} ${spent}/${limit}${isFrozen ? ' frozen' : ''} `,
			isFrozen ? 'busy' : 'faint',
		];
	});
}
