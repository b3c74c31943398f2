import { sparkline } from '../../drawing/chart.ts';
import type { DrawnLine } from '../../drawing/drawn-line.ts';
import { clickZonesOf, fitToWidth, paintSpans, type Span, widthOf } from '../../drawing/span.ts';
import type { Badge, Theme } from '../../drawing/theme.ts';
import { aboutSign } from '../../drawing/time-text.ts';
import type { AccountProfile } from '../../fleet/computers/account-profile.ts';
import type { Runway } from '../../fleet/computers/runway.ts';
import { durationText } from '../../foundation/duration.ts';
import { amountText, amountWidth, rateText, rateWidth } from '../../foundation/number-text.ts';
import type { Binding } from '../../keys/binding.ts';
import type { View } from '../../screen/view-table.ts';
import type { JointAccount } from '../../store/state.ts';
import { creditsWords } from '../views/credits-text.ts';
import { badgesOf, badgesWidth, paddedBadge, stateBadge, stateWidthOf } from './badges-text.ts';
import {
	headerTabsOf,
	type TabsForm,
	tabsSlotWidth,
	tabsSpans,
	temporaryTabOf,
} from './tabs-text.ts';

//  1 Fleet  2 Billing  3 Models  4 Versions  5 Log   prod  owner@example.com · Pro    credits 38.75    −0.90/h   2 d 2 h left
//  1 Fleet  2 Billing  3 Models  4 Versions  5 Log  Pro  locked  38.75      2 d 2 h left
//  1 Fleet  2 Billing  3 Models  4 Versions  5 Log   demo   credits 38.75
//  1 Fleet  2  3  4  5                credits 38.75      2 d 2 h left
//  Fleet  credits 38.75

export type TitleOptions = {
	account: JointAccount;
	badge: Badge | undefined;
	/** The accounts of the table. With several, the line has a badge for each. */
	profiles?: readonly AccountProfile[] | undefined;
	/** The open view, whose tab is marked. */
	view: View;
	/** The bindings, from which the keys in the tabs are taken. */
	bindings: readonly Binding[];
	/** Whether the account is opened read-only. */
	isReadOnly: boolean;
	/** Whether the monitor is locked, so that it changes nothing until it is unlocked. */
	isLocked: boolean;
	runway: Runway | null;
	now: number;
	width: number;
	theme: Theme;
};

/** The parts of the line. The first form that fits is used, so the parts are dropped in a fixed order. */
type TitleForm = {
	tabs: TabsForm;
	credits: readonly (keyof typeof creditsParts)[];
	/** The cells that the form needs for the account. */
	minAccount: number;
	/** Whether the form is for a line that warns that nothing can be changed. The warning then takes the place of the label. */
	isBesideState?: true;
};

const forms: readonly TitleForm[] = [
	{
		tabs: 'titles',
		credits: ['label', 'sparkline', 'balance', 'burn', 'timeLeft'],
		minAccount: 30,
	},
	{ tabs: 'titles', credits: ['label', 'balance', 'burn', 'timeLeft'], minAccount: 20 },
	{ tabs: 'titles', credits: ['label', 'balance', 'timeLeft'], minAccount: 6 },
	{ tabs: 'titles', credits: ['label', 'balance', 'timeLeft'], minAccount: 0 },
	{ tabs: 'titles', credits: ['balance', 'timeLeft'], minAccount: 0, isBesideState: true },
	{ tabs: 'titles', credits: ['label', 'balance'], minAccount: 0 },
	{ tabs: 'keys', credits: ['label', 'balance', 'timeLeft'], minAccount: 0 },
	{ tabs: 'keys', credits: ['balance', 'timeLeft'], minAccount: 0, isBesideState: true },
	{ tabs: 'keys', credits: ['label', 'balance'], minAccount: 0 },
	{ tabs: 'keys', credits: ['balance'], minAccount: 0 },
	{ tabs: 'openOnly', credits: ['label', 'balance'], minAccount: 0 },
	{ tabs: 'openOnly', credits: ['balance'], minAccount: 0 },
];

/**
 * Draws the first line of the screen. Each part has a slot whose width depends only on the width of the screen, so
 * that no part moves when another one changes.
 */
export function titleLine(options: TitleOptions): DrawnLine {
	const { view, width, theme } = options;
	const state = stateBadge(options);
	const roomOf = ({ tabs, credits }: TitleForm) =>
		width - tabsSlotWidth(tabs, options) - creditsWidth(credits);
	const around = badgesWidth(options) + stateWidthOf(state, theme);
	const form = forms.find(
		each => (state || !each.isBesideState) && roomOf(each) - around >= each.minAccount,
	);
	if (!form) return { text: shortestLine(options, state), zones: [] };
	const tabs = tabsSpans(headerTabsOf(form.tabs, options), view);
	// On a narrow screen, the tab of a view without a permanent tab replaces the credits.
	const apartWidth = form.tabs === 'openOnly' ? 0 : theme.ruler.width(temporaryTab(options));
	const hasRoom = roomOf(form) - stateWidthOf(state, theme) >= apartWidth;
	const text = [
		paintSpans(fitToWidth(tabs, tabsSlotWidth(form.tabs, options), theme), theme),
		...(hasRoom
			? [
					middleText(options, state, roomOf(form), form.tabs === 'openOnly'),
					paintSpans(creditsSpans(form.credits, options), theme),
				]
			: [middleText(options, state, roomOf(form) + creditsWidth(form.credits))]),
	].join('');
	// The tabs begin at the left edge, so their columns are also the columns of the line.
	return { text, zones: clickZonesOf(tabs, theme) };
}

/**
 * Draws the badges, the account and the warning that nothing can be changed. If the open view has no permanent tab,
 * its tab stands at the end and covers the account and, if necessary, the badges, so that nothing else moves.
 */
function middleText(
	options: TitleOptions,
	state: Badge | undefined,
	width: number,
	/** Whether the line has only one tab, which already shows the open view. */
	isShown = false,
): string {
	const { theme } = options;
	const stateWidth = stateWidthOf(state, theme);
	const tab = isShown ? '' : temporaryTab(options);
	const tabCells = Math.min(theme.ruler.width(tab), width - stateWidth);
	const room = width - stateWidth - tabCells;
	const hasBadges = badgesWidth(options) <= room;
	const badges = hasBadges ? badgesOf(options) : [];
	return [
		...badges.map(badge => ` ${theme.paintBadge(paddedBadge(badge, theme))}`),
		paintSpans(
			// The account never moves to the place of a badge that is covered.
			hasBadges ? accountSpans(options, room - badgesWidth(options)) : [[' '.repeat(room)]],
			theme,
		),
		...(state ? [theme.paintBadge(state), ' '] : []),
		paintSpans(fitToWidth([[tab.slice(0, -1), 'chosen'], [' ']], tabCells, theme), theme),
	].join('');
}

/** Returns the tab of an open view without a permanent tab, with a blank after the tab. */
function temporaryTab(options: TitleOptions): string {
	const tab = temporaryTabOf(options);
	return tab === undefined ? '' : `${tab} `;
}

/** Draws only the name of the open view and the warning that nothing can be changed. */
function shortestLine(options: TitleOptions, state: Badge | undefined): string {
	const { view, width, theme } = options;
	const tabs = tabsSpans(headerTabsOf('openOnly', options), view);
	const room = width - (state ? theme.ruler.width(state.text) : 0);
	return paintSpans(fitToWidth(tabs, room, theme), theme) + (state ? theme.paintBadge(state) : '');
}

/** Shows the e-mail address and the plan, or only one of them if both do not fit. */
function accountSpans({ account, theme }: TitleOptions, width: number): readonly Span[] {
	const { signIn, subscription } = account;
	const email: readonly Span[] = signIn?.isSignedIn && signIn.email ? [[signIn.email]] : [];
	const plan: readonly Span[] = subscription ? [[subscription.planName]] : [];
	const separator: readonly Span[] =
		email.length > 0 && plan.length > 0 ? [[` ${theme.glyphs.separator} `, 'faint']] : [];
	const whole = [...email, ...separator, ...plan];
	const room = width - 2;
	const fitting = [whole, email, plan].find(spans => widthOf(spans, theme) <= room) ?? [];
	return fitToWidth([[' '], ...fitting], width, theme);
}

type CreditsPart = {
	width: number;
	align?: 'right';
	spans: (options: TitleOptions) => readonly Span[];
};

/** The parts of the credits, each with the width of its slot. Slots are separated by a blank. */
const creditsParts = {
	sparkline: {
		width: 8,
		spans({ account, now, theme }) {
			return [[sparkline(account.samples, now, theme), 'accent']];
		},
	},
	label: { width: 7, spans: ({ account }) => (hasBalance(account) ? [['credits', 'faint']] : []) },
	balance: {
		width: amountWidth,
		spans({ account: { credits } }) {
			return typeof credits?.balance === 'number' ? [[amountText(credits.balance)]] : [];
		},
	},
	burn: {
		width: rateWidth + 3,
		spans({ account, runway, theme }) {
			if (!hasBalance(account) || !runway || runway.timeLeftMs === null) return [];
			const sign = runway.isEstimate ? aboutSign : theme.glyphs.minus;
			return [[`${sign}${rateText(runway.burnPerHour)}/h`, 'faint']];
		},
	},
	timeLeft: {
		width: '9 d 23 h left'.length,
		align: 'right',
		spans({ account, runway }) {
			if (!hasBalance(account)) return [];
			const { state } = creditsWords({ credits: account.credits, runway });
			if (state === 'tooFew') return [['used up', 'bad']];
			if (!runway || runway.timeLeftMs === null) return [];
			return [[timeLeftText(runway), state === 'low' ? 'busy' : undefined]];
		},
	},
} as const satisfies Readonly<Record<string, CreditsPart>>;

const hour = 3_600_000;
const day = 24 * hour;

/**
 * Writes how long the credits last. The smaller unit is shown only beside a single digit, as in "2 d 2 h". An
 * estimate has no smaller unit, because it would change with every balance.
 */
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

const hasBalance = ({ credits }: JointAccount) => typeof credits?.balance === 'number';

const creditsWidth = (parts: TitleForm['credits']) =>
	parts.reduce((sum, part) => sum + creditsParts[part].width + 1, -1);

function creditsSpans(parts: TitleForm['credits'], options: TitleOptions): readonly Span[] {
	return parts.flatMap((part, at): readonly Span[] => {
		const { width, align, spans }: CreditsPart = creditsParts[part];
		const fitted = fitToWidth(spans(options), width, options.theme, align);
		return at > 0 ? [[' '], ...fitted] : fitted;
	});
}
