import { asManyAsFit, fitted, painted, type Span, widthOf } from '../drawing/span.ts';
import type { Theme } from '../drawing/theme.ts';
import { secondText } from '../drawing/time-text.ts';
import { isSignInFailure, outageOf } from '../store/age.ts';
import type { AccountState } from '../store/state.ts';
import { whatFails } from './freshness-text.ts';

// ━ OFFLINE for 3 m 04 s · what you see was true at 00:21:07 · next try in 12 s (R tries now) ━━━━━━━━━━

type OutageOptions = {
	account: AccountState;
	canSignIn: boolean;
	width: number;
	now: number;
	theme: Theme;
};

/** The line above the table while the platform is silent: how long, how old all is, and what to do. */
export function ruleAbove({
	account,
	canSignIn,
	width,
	now,
	theme,
}: OutageOptions): string | undefined {
	const down = outageOf(account, now);
	if (!down) return undefined;
	const { cause, lastAnswerAt } = down;
	const { glyphs, times } = theme;
	const what = whatFails(cause).toUpperCase();
	const left = cause.nextAt === undefined ? 0 : cause.nextAt - now;
	const wait = times.wait(Math.ceil(left / 1000) * 1000);
	const isWaitingForPassword = canSignIn && isSignInFailure(cause);
	const next = isWaitingForPassword
		? 'l signs in'
		: left > 0
			? `next try in ${wait}`
			: 'trying now';
	const hint = isWaitingForPassword || left <= 0 ? '' : ' (R tries now)';
	const since = lastAnswerAt === undefined ? what : `${what} for ${times.wait(now - lastAnswerAt)}`;
	const time = lastAnswerAt === undefined ? '' : secondText(lastAnswerAt, now);
	const gap = ` ${glyphs.separator} `;
	const forms = [
		[since, time && `what you see was true at ${time}`, `${next}${hint}`],
		[since, time && `what you see was true at ${time}`, next],
		[since, time && `as of ${time}`, next],
	].map(parts => parts.filter(part => part !== '').map((part): readonly Span[] => [[part]]));
	const begin: Span = [`${glyphs.loudRule} `];
	const room = width - 3;
	const whole = forms.find(
		parts => widthOf(parts.flat(), theme) + gap.length * (parts.length - 1) <= room,
	);
	const said = asManyAsFit(whole ?? forms.at(-1) ?? [], gap, room, theme);
	const rest = width - widthOf([begin, ...said], theme) - 1;
	const end: Span = [` ${glyphs.loudRule.repeat(Math.max(0, rest))}`];
	return painted(
		fitted([begin, ...said, end], width, theme).map(([text]): Span => [text, 'busy']),
		theme,
	);
}

// ───────────────────────────────────────────────────────────────────────────────── 12–34 of 1000 ──

type RuleBelowOptions = {
	/** The first row of the window, how many it has, and how many there are. */
	first: number;
	lines: number;
	count: number;
	/** How far the table reaches. */
	end: number;
	width: number;
	theme: Theme;
};

/** The line below the table: where not all rows have room, it tells which of them are seen. */
export function ruleBelow({ first, lines, count, end, width, theme }: RuleBelowOptions): string {
	const { glyphs, ruler, paint } = theme;
	const rule = (cells: number) => glyphs.rule.repeat(Math.max(0, cells));
	const last = Math.min(first + lines, count);
	const place = count > lines ? ` ${first + 1}–${last} of ${count} ` : '';
	const before = end - ruler.width(place) - 2;
	const isShown = place !== '' && before >= 0;
	if (!isShown) return paint('faint', rule(width));
	return paint('faint', `${rule(before)}${place}${rule(width - end + 2)}`);
}
