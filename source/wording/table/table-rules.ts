import { fitToWidth, paintSpans, partsThatFit, type Span, widthOf } from '../../drawing/span.ts';
import type { Theme } from '../../drawing/theme.ts';
import { timeTextWithSeconds } from '../../drawing/time-text.ts';
import { countText } from '../../foundation/number-text.ts';
import { isSignInFailure, outageOf } from '../../store/freshness.ts';
import type { OpenedAccount } from '../../store/opened-accounts.ts';
import type { AccountState } from '../../store/state.ts';
import { troubleOf, troubleWords } from '../phrases/trouble-text.ts';
import { roundedUpToSeconds } from '../phrases/waiting-text.ts';
import { pluralize } from '../phrases/words.ts';

// ━ OFFLINE for 3 m 04 s · what you see was true at 00:21:07 · next try in 12 s (R tries now) ━━━━━━━━━━

type OutageOptions = {
	account: AccountState;
	/** The name of the account, if the table has several. */
	name?: string | undefined;
	canSignIn: boolean;
	width: number;
	now: number;
	theme: Theme;
	/** The end of the rule, such as the filter of the table. */
	end?: readonly Span[] | undefined;
};

/**
 * Draws the rule above the table while the platform does not answer. The rule says since when, how old the
 * data is, and what to do.
 */
export function ruleAboveTable({
	account,
	name,
	canSignIn,
	width,
	now,
	theme,
	end = [],
}: OutageOptions): string | undefined {
	const outage = outageOf(account, now);
	if (!outage) return undefined;
	const { cause, lastAnswerAt } = outage;
	const { glyphs, times } = theme;
	const trouble = troubleWords(troubleOf(cause, now)).screen.toUpperCase();
	const label = name === undefined ? trouble : `${name}: ${trouble}`;
	const left = cause.retryAt === undefined ? 0 : cause.retryAt - now;
	const wait = times.clock(roundedUpToSeconds(left));
	const nextTry = left > 0 ? `next try in ${wait}` : 'trying now';
	const signInStep = canSignIn ? 'l signs in' : 'crowsnest doctor says why';
	const nextStep = isSignInFailure(cause) ? signInStep : nextTry;
	// The R key cannot make the next read earlier while the rate limit is used up or sign-ins back off.
	const isPaced = cause.streak.failure.kind === 'limited' || isSignInFailure(cause);
	const tryHint = isPaced ? '' : ' (R tries now)';
	const step = left > 0 ? `${nextStep}${tryHint}` : nextStep;
	// Room for the longest step is kept, so that no part comes or goes while the seconds run or a try is under way.
	const spareStepCells = isSignInFailure(cause)
		? 0
		: theme.ruler.width(`next try in ${times.clock(59_000)}${tryHint}`) - theme.ruler.width(step);
	const since =
		lastAnswerAt === undefined ? label : `${label} for ${times.clock(now - lastAnswerAt)}`;
	const time = lastAnswerAt === undefined ? '' : timeTextWithSeconds(lastAnswerAt, now);
	const gap = ` ${glyphs.separator} `;
	// A narrow rule loses the time of the data before the key, because it also says how long the outage has lasted.
	const forms = [
		[since, time && `what you see was true at ${time}`, step],
		[since, time && `as of ${time}`, step],
		[since, step],
		[since, nextStep],
	].map(parts => parts.filter(part => part !== '').map((part): readonly Span[] => [[part]]));
	const begin: Span = [`${glyphs.alarmRule} `];
	// The outage is more important than a long filter.
	const last = widthOf(end, theme) <= width / 3 ? [...end] : [];
	const edge: readonly Span[] = last.length > 0 ? [[glyphs.alarmRule, 'busy']] : [];
	const endWidth = widthOf([...last, ...edge], theme);
	const room = width - 3 - endWidth;
	const fittingForm = forms.find((parts, at) => {
		const spareCells = at < forms.length - 1 ? Math.max(0, spareStepCells) : 0;
		return widthOf(parts.flat(), theme) + gap.length * (parts.length - 1) + spareCells <= room;
	});
	const shownParts = partsThatFit(fittingForm ?? forms.at(-1) ?? [], gap, room, theme);
	const cellsLeft = width - widthOf([begin, ...shownParts], theme) - 1 - endWidth;
	const alarm: readonly Span[] = [
		...[begin, ...shownParts],
		[` ${glyphs.alarmRule.repeat(Math.max(0, cellsLeft))}`],
	];
	const yellow = alarm.map(([text]): Span => [text, 'busy']);
	return paintSpans(fitToWidth([...yellow, ...last, ...edge], width, theme), theme);
}

type OutagesOptions = Omit<OutageOptions, 'account'> & { accounts: readonly OpenedAccount[] };

const maxRules = 4;

/** Draws a rule for each account whose platform does not answer. The rules name their accounts if there are several. */
export function rulesAboveTable({ accounts, ...options }: OutagesOptions): readonly string[] {
	const isOne = accounts.length === 1;
	return accounts
		.flatMap(({ profile, state: account }) => {
			const name = isOne ? undefined : profile.name;
			return ruleAboveTable({ ...options, account, name }) ?? [];
		})
		.slice(0, maxRules);
}

/** Returns how many lines of the table the rules of failing accounts take. The first one takes no line of the table. */
export function extraRuleCount(accounts: readonly OpenedAccount[], now: number): number {
	const failing = accounts.filter(({ state }) => outageOf(state, now) !== undefined);
	return Math.max(0, Math.min(failing.length, maxRules) - 1);
}

// ── 3 records could not be read ────────────────────────────────────────── 12–34 of 1,000 ──

type RuleBelowOptions = {
	/** The index of the first visible row. */
	firstRow: number;
	visibleCount: number;
	totalCount: number;
	/** The number of records in the list of computers that could not be read. */
	unreadableCount?: number;
	repeatedCount?: number;
	/** The screen column in which the table ends. */
	tableEnd: number;
	width: number;
	theme: Theme;
};

/** Says which rows are visible; undefined if all are. */
export function positionText({
	firstRow,
	visibleCount,
	totalCount,
}: Pick<RuleBelowOptions, 'firstRow' | 'visibleCount' | 'totalCount'>): string | undefined {
	if (totalCount <= visibleCount) return undefined;
	const last = Math.min(firstRow + visibleCount, totalCount);
	return `${countText(firstRow + 1)}–${countText(last)} of ${countText(totalCount)}`;
}

/**
 * Draws the rule below the table. The rule says how many records could not be read and, if not all rows are visible,
 * which rows are visible.
 */
export function ruleBelowTable(options: RuleBelowOptions): string {
	const { tableEnd, width, theme } = options;
	const { glyphs, ruler, paint } = theme;
	const rule = (cells: number) => glyphs.rule.repeat(Math.max(0, cells));
	const text = positionText(options);
	const position = text === undefined ? '' : ` ${text} `;
	const before = tableEnd - ruler.width(position) - 2;
	const isShown = position !== '' && before >= 0;
	const room = isShown ? before : width;
	const note = unreadableNote(options, room);
	const left: readonly Span[] =
		note === ''
			? []
			: [
					[rule(2), 'faint'],
					[note, 'busy'],
				];
	const leftWidth = widthOf(left, theme);
	const middle: Span = [rule(room - leftWidth), 'faint'];
	const right = isShown ? `${position}${rule(width - tableEnd + 2)}` : '';
	return `${paintSpans([...left, middle], theme)}${paint('faint', right)}`;
}

function unreadableNote(
	{ unreadableCount = 0, repeatedCount = 0, theme }: RuleBelowOptions,
	availableWidth: number,
): string {
	if (unreadableCount === 0 && repeatedCount === 0) return '';
	const forms =
		unreadableCount > 0
			? [` ${unreadableText(unreadableCount)} `, ` ${unreadableCount} unreadable `]
			: [` ${repeatedText(repeatedCount)} `];
	return forms.find(form => theme.ruler.width(form) + 4 <= availableWidth) ?? '';
}

export const repeatedText = (count: number): string =>
	`${pluralize(count, 'record')} had the id of another`;

export function unreadableText(count: number): string {
	return count === 1
		? '1 record could not be read'
		: `${countText(count)} records could not be read`;
}
