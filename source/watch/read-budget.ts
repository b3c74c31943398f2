import type { Budget } from '../pace/budget.ts';
import { documentedLimits, type Scope, slotLifetime } from '../pace/limits.ts';
import type { ReadBudget, ReadBudgets } from './planner-input.ts';

// A slot stays spent for the time that its request takes too.
const turnaround = 250;

// Whatever others spend, this share is planned for: what they leave is known only when it is used.
const leastShare = 1 / 12;

/**
 * The budgets as the planner takes them. The headers tell what others spent until their reset, which
 * may be in a second; but who has spent goes on spending. So it is remembered, and fades in a window.
 */
export function createReadBudgets(): (
	budgets: Readonly<Record<Scope, Budget>>,
	now: number,
) => ReadBudgets {
	const others = { status: { count: 0, at: 0 }, other: { count: 0, at: 0 } };

	function purseFrom(scope: keyof ReadBudgets, budget: Budget, now: number): ReadBudget {
		const rule = documentedLimits[scope];
		const before = others[scope];
		const faded = before.count * Math.exp(-Math.abs(now - before.at) / slotLifetime(rule));
		const count = Math.max(budget.spentElsewhere, faded);
		others[scope] = { count, at: now };
		const ours = budget.limit - Math.floor(budget.limit * rule.reserved);
		// They do not come evenly: what comes at random varies by its root.
		const theirs = count + Math.sqrt(count);
		return {
			left: budget.left.read,
			rate: Math.max(ours - theirs, ours * leastShare) / (slotLifetime(rule) + turnaround),
			nextAt: budget.nextAt.read,
		};
	}

	return (budgets, now) => ({
		status: purseFrom('status', budgets.status, now),
		other: purseFrom('other', budgets.other, now),
	});
}
