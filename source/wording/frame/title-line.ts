import type { DrawnLine } from '../../drawing/drawn-line.ts';
import { clickZonesOf, fitToWidth, paintSpans, type Span, widthOf } from '../../drawing/span.ts';
import type { AccountProfile } from '../../fleet/computers/account-profile.ts';
import type { Runway } from '../../fleet/computers/runway.ts';
import type { Binding } from '../../keys/binding.ts';
import type { Badge, Theme } from '../../lines/theme.ts';
import type { View } from '../../screen/view-table.ts';
import type { JointAccount } from '../../store/state.ts';
import { badgesOf, badgesWidth, paddedBadge, stateBadge, stateWidthOf } from './badges-text.ts';
import { type CreditsParts, creditsSpans, creditsWidth } from './credits-slots.ts';
import { headerTabsOf, type TabsForm, tabsSlotWidth, tabsSpans } from './tabs-text.ts';

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
	credits: CreditsParts;
	/** The cells that the form needs for the account. */
	minAccount: number;
};

// The word "credits", the account and the names of the other views leave before the time that is left.
const forms: readonly TitleForm[] = [
	{ tabs: 'titles', credits: ['label', 'balance', 'burn', 'timeLeft'], minAccount: 20 },
	{ tabs: 'titles', credits: ['label', 'balance', 'timeLeft'], minAccount: 6 },
	{ tabs: 'titles', credits: ['label', 'balance', 'timeLeft'], minAccount: 0 },
	{ tabs: 'titles', credits: ['balance', 'timeLeft'], minAccount: 0 },
	{ tabs: 'titles', credits: ['timeLeft'], minAccount: 0 },
	{ tabs: 'keys', credits: ['label', 'balance', 'timeLeft'], minAccount: 0 },
	{ tabs: 'keys', credits: ['balance', 'timeLeft'], minAccount: 0 },
	{ tabs: 'keys', credits: ['timeLeft'], minAccount: 0 },
	{ tabs: 'openOnly', credits: ['balance', 'timeLeft'], minAccount: 1 },
	{ tabs: 'openOnly', credits: ['timeLeft'], minAccount: 1 },
	{ tabs: 'openOnly', credits: [], minAccount: 0 },
];

/**
 * Draws the first line of the screen. Each part has a slot whose width depends only on the width of the screen, so
 * that no part moves when another one changes.
 */
export function titleLine(options: TitleOptions): DrawnLine {
	const { view, width, theme } = options;
	const state = stateBadge(options);
	const around = badgesWidth(options) + stateWidthOf(state, theme);
	const roomBeside = ({ tabs }: TitleForm) => width - tabsSlotWidth(tabs, options) - around;
	const form = forms.find(each => roomBeside(each) - creditsWidth(each.credits) >= each.minAccount);
	if (!form) return { text: shortestLine(options, state), zones: [] };
	const tabs = tabsSpans(headerTabsOf(form.tabs, options), view);
	const text = [
		paintSpans(fitToWidth(tabs, tabsSlotWidth(form.tabs, options), theme), theme),
		middleText(options, state, roomBeside(form) - creditsWidth(form.credits)),
		paintSpans(creditsSpans(form.credits, options), theme),
	].join('');
	// The tabs begin at the left edge, so their columns are also the columns of the line.
	return { text, zones: clickZonesOf(tabs, theme) };
}

/** Draws the badges, the account and the warning that nothing can be changed. */
function middleText(options: TitleOptions, state: Badge | undefined, room: number): string {
	const { theme } = options;
	return [
		...badgesOf(options).map(badge => ` ${theme.paintBadge(paddedBadge(badge, theme))}`),
		paintSpans(accountSpans(options, room), theme),
		...(state ? [theme.paintBadge(state), ' '] : []),
	].join('');
}

/** Draws only the name of the open view, the badge and the warning that nothing can be changed. A long badge is cut. */
function shortestLine(options: TitleOptions, state: Badge | undefined): string {
	const { view, width, theme } = options;
	const tabs = tabsSpans(headerTabsOf('openOnly', options), view);
	const tabsWidth = widthOf(tabs, theme);
	const room = Math.max(0, width - (state ? theme.ruler.width(state.text) : 0));
	const badges = badgesOf(options).map(badge => paddedBadge(badge, theme, room - tabsWidth - 3));
	const badgeCells = badges.reduce((sum, { text }) => sum + 1 + theme.ruler.width(text), 0);
	return [
		paintSpans(fitToWidth(tabs, Math.max(0, room - badgeCells), theme), theme),
		...badges.map(badge => ` ${theme.paintBadge(badge)}`),
		...(state ? [theme.paintBadge(state)] : []),
	].join('');
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
