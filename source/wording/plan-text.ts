import { fitTable, type TableBlock } from '../drawing/section.ts';
import type { Theme } from '../drawing/theme.ts';
import type { Subscription } from '../fleet/account.ts';
import { durationText } from '../fleet/duration.ts';
import { idleLimitMsOf } from '../fleet/stop-reason.ts';

const planIds = ['free', 'pro', 'power', 'ultra'] as const;

const planNames = { free: 'Free', pro: 'Pro', power: 'Power', ultra: 'Ultra' } as const;

/** Describes how long an idle computer stays awake on this plan, as in "sleeps after 30 min idle". */
export function sleepText(plan: string): string {
	const limit = idleLimitMsOf(plan);
	if (limit === undefined) return 'auto-sleep unknown';
	return Number.isFinite(limit) ? `sleeps after ${durationText(limit)} idle` : 'never sleeps';
}

function autoSleepCellText(plan: string): string {
	const limit = idleLimitMsOf(plan);
	if (limit === undefined) return 'unknown';
	return Number.isFinite(limit) ? `after ${durationText(limit)} idle` : 'never';
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
		autoSleepCellText(plan),
		plan === subscription?.plan ? ownPlanMark : '',
	]);
	if (subscription && !planIds.some(plan => plan === subscription.plan)) {
		rows.push([subscription.planName, autoSleepCellText(subscription.plan), ownPlanMark]);
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
