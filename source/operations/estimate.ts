import type { Budget } from '../pace/budget.ts';
import { documentedLimits, type Scope, slotLifetime } from '../pace/limits.ts';

// Whatever others spend, some of the budget comes our way.
const leastShare = 1 / 12;

/**
 * About how long it takes to send so many requests. Operations go before all reads, so while some wait
 * every slot that becomes free is theirs.
 */
export function sendingTime(
	count: number,
	scope: Exclude<Scope, 'status'>,
	{ limit, left, nextAt, spentElsewhere }: Budget,
	now: number,
): number {
	const waiting = count - left.operation;
	if (waiting <= 0) return 0;
	const ours = Math.max(limit - spentElsewhere, limit * leastShare);
	const flowing = (waiting / ours) * slotLifetime(documentedLimits[scope]);
	return Math.max(flowing, nextAt.operation - now);
}
