import { balanceChartLines } from '../../drawing/balance-chart.ts';
import {
	fitTable,
	type LabelledValue,
	labelValueLines,
	type Section,
	sectionsHeight,
	type TableBlock,
} from '../../drawing/section.ts';
import type { Span } from '../../drawing/span.ts';
import type { Subscription } from '../../fleet/computers/account.ts';
import type { Runway } from '../../fleet/computers/runway.ts';
import { idleLimitMsOf } from '../../fleet/computers/stop-reason.ts';
import { durationText } from '../../foundation/duration.ts';
import { decimalText } from '../../foundation/number-text.ts';
import type { QrRenderer } from '../../lines/qr.ts';
import type { Theme } from '../../lines/theme.ts';
import { timeText } from '../../lines/time-text.ts';
import type { Payment } from '../../screen/screen.ts';
import type { OpenedAccount } from '../../store/opened-accounts.ts';
import type { JointAccount } from '../../store/state.ts';
import { failingReadLines, readAgeSpans } from '../../views/phrases/reads.ts';
import { accountsSection } from './accounts-table.ts';
import { creditsValues, renewsAtOf } from './credits-text.ts';
import { paymentSection } from './payment-text.ts';

type BillingOptions = {
	/** The joint state of all accounts. */
	account: JointAccount;
	/** The opened accounts. If there are several, each has its own line. */
	accounts?: readonly OpenedAccount[] | undefined;
	runway: Runway | null;
	payment?: Payment | undefined;
	qrOf: QrRenderer;
	now: number;
	width: number;
	lines: number;
	theme: Theme;
};

export function billingTitle(options: BillingOptions): readonly [Span[], readonly Span[]] {
	return [
		[['Billing', 'strong']],
		readAgeSpans({ ...options, times: options.theme.times }, 'credits'),
	];
}

/** The width of the numbers beside a QR code, too narrow for two columns. */
const narrowValuesWidth = 60;

const minChartHeight = 6;
const maxChartHeight = 16;

/**
 * Builds the sections of the billing view. The chart of the balance gets the lines that the other sections do not
 * need.
 */
export function billingSections(options: BillingOptions): readonly Section[] {
	const { account, accounts = [], payment, now, width, lines, theme } = options;
	const { subscription } = account;
	const room = lines - 1;
	const besideOptions = { ...options, width: narrowValuesWidth };
	const paymentPage = payment
		? paymentSection({ ...options, payment, maxLines: room, beside: accountBlocks(besideOptions) })
		: [];
	const isBeside = paymentPage.some(block => block.type === 'paper' && block.beside);
	const values = isBeside ? [] : accountBlocks(options);
	const plans: Section = [plansTable(accounts.length > 1 ? undefined : subscription, width, theme)];
	const ofEach = accountsSection({ accounts, now, theme }, width);
	const others = [paymentPage, values, ofEach, plans].filter(section => section.length > 0);
	const left = room - sectionsHeight(others) - others.length;
	const height = Math.max(minChartHeight, Math.min(maxChartHeight, left));
	const balances = balanceSection(options, height);
	return [paymentPage, values, ofEach, balances, plans];
}

/** Draws the balance over time, or says in a sentence that it has not changed. */
function balanceSection({ account, runway, now, width, theme }: BillingOptions, height: number) {
	const { samples } = account;
	const [first] = samples;
	if (!first) return [];
	if (samples.length > 1 && samples.every(({ balance }) => balance === first.balance)) {
		const since = timeText(first.at, now);
		const text = ` The balance has been ${decimalText(first.balance)} since ${since}.`;
		return [{ type: 'lines', lines: [[[text, 'faint']]] }] satisfies Section;
	}
	const look = {
		width,
		height,
		burnPerHour: runway?.burnPerHour,
		renewsAt: renewsAtOf(account),
		isEstimate: runway?.isEstimate === true,
	};
	const lines = balanceChartLines(samples, now, look, theme);
	return lines.length > 0 ? ([{ type: 'chart', lines }] satisfies Section) : [];
}

function accountBlocks(options: BillingOptions): Section {
	const { account, accounts = [], runway, now, width, theme } = options;
	const { reads } = account;
	const values: readonly LabelledValue[] = [
		...creditsValues(account, runway, now),
		// With several accounts, the table below names the plan of each.
		...(accounts.length > 1 ? [] : planValues(options)),
	];
	const failures = [
		...failingReadLines('credits', reads.credits?.failing),
		...failingReadLines('subscription', reads.subscription?.failing),
		...(reads.subscription?.failing && account.subscription === undefined
			? [
					[
						[
							' Starting billing is offered once the plan is read: it may have started.',
							'faint',
						] as const,
					],
				]
			: []),
	];
	return [
		{ type: 'values', values, lines: labelValueLines(values, width, theme) },
		{ type: 'lines', lines: failures },
	];
}

function planValues(options: BillingOptions): readonly LabelledValue[] {
	const { account, now, theme } = options;
	// The title has the age of the credits. The plan hardly ever changes, so its age is said only if it is not known.
	const isKnown = account.subscription !== undefined && !account.reads.subscription?.failing;
	const age = isKnown
		? []
		: readAgeSpans({ ...options, times: options.theme.times }, 'subscription');
	const [[label, plan] = ['Plan', []], ...others] = subscriptionValues(
		account.subscription,
		now,
		theme,
	);
	if (plan.length > 0) return [[label, [...plan, [' '], ...age]], ...others];
	// Without a plan, the age stands in its place and needs no blank before it.
	const [[text = '', tone] = [], ...more] = age;
	return [[label, [[text.trimStart(), tone], ...more]], ...others];
}

const planIds = ['free', 'pro', 'power', 'ultra'] as const;

const planNames = { free: 'Free', pro: 'Pro', power: 'Power', ultra: 'Ultra' } as const;

/** Says when this plan puts an idle computer to sleep, as in "after 30 min idle". */
export function autoSleepText(plan: string): string {
	const limit = idleLimitMsOf(plan);
	if (limit === undefined) return 'unknown';
	return Number.isFinite(limit) ? `after ${durationText(limit)} idle` : 'never';
}

/** Lists the plan with its labels, for the billing view and for the command `subscription`. */
export function subscriptionValues(
	subscription: Subscription | null | undefined,
	now: number,
	{ times }: Theme,
): readonly LabelledValue[] {
	if (subscription === undefined) return [];
	if (subscription === null) return [['Plan', [['none; billing is not set up', 'busy']]]];
	const { planName, status, periodEndsAt, endsWithPeriod } = subscription;
	const plan: LabelledValue = ['Plan', [[status ? `${planName}, ${status}` : planName]]];
	if (periodEndsAt === undefined) return [plan];
	const left = periodEndsAt - now;
	const dateSpans: readonly Span[] = [
		[timeText(periodEndsAt, now), endsWithPeriod ? 'busy' : undefined],
		[left > 0 ? ` (in ${times.duration(left)})` : ' (past)', 'faint'],
	];
	return [plan, [endsWithPeriod ? 'Ends' : 'Renews', dateSpans]];
}

//  PLAN    AUTO-SLEEP
//  Free    after 15 min idle
//  Pro     after 30 min idle    ← your plan

/**
 * Builds a table of the plans and the idle time after which each plan puts a computer to sleep. The
 * account's own plan is listed even if this program does not know that plan.
 */
export function plansTable(
	subscription: Subscription | null | undefined,
	width: number,
	theme: Theme,
): TableBlock {
	const ownPlanMark = '← your plan';
	const rows = planIds.map(plan => [
		planNames[plan],
		autoSleepText(plan),
		plan === subscription?.plan ? ownPlanMark : '',
	]);
	if (subscription && !planIds.some(plan => plan === subscription.plan)) {
		rows.push([subscription.planName, autoSleepText(subscription.plan), ownPlanMark]);
	}
	return fitTable(
		[
			{ title: 'PLAN', minWidth: 6, dropOrder: 0 },
			{ title: 'AUTO-SLEEP', minWidth: 12, dropOrder: 2 },
			{ title: '', minWidth: 11, dropOrder: 1 },
		],
		rows,
		width,
		theme,
	);
}
