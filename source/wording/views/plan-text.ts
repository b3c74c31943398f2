import { fitTable, type LabelledValue, type TableBlock } from '../../drawing/section.ts';
import type { Span } from '../../drawing/span.ts';
import type { Theme } from '../../drawing/theme.ts';
import { timeText } from '../../drawing/time-text.ts';
import type { Subscription } from '../../fleet/computers/account.ts';
import { idleLimitMsOf } from '../../fleet/computers/stop-reason.ts';
import { durationText } from '../../foundation/duration.ts';

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
//  Pro     after 30 min idle    ▪ your plan

/**
 * Builds a table of the plans and the idle time after which each plan puts a computer to sleep. The
 * account's own plan is listed even if this program does not know that plan.
 */
export function plansTable(
	subscription: Subscription | null | undefined,
	width: number,
	theme: Theme,
): TableBlock {
	const ownPlanMark = `${theme.glyphs.mark} your plan`;
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
