import type { Budget } from '../pace/budget.ts';
import { documentedLimits, type Scope, slotLifetime } from '../pace/limits.ts';
import type { ReadBudget, ReadBudgets } from './planner-input.ts';

// A slot also stays spent while its request is in flight.
const turnaround = 250;

// At least this share is planned for: how much others really leave shows only when it is used.
const leastShare = 1 / 12;

/**
 * Converts the budgets into steady rates for the planner. The rate limit headers forget at each reset what
 * others have spent, but clients that spent a lot will probably continue. So that count is kept here and
 * fades over one window.
 */
export function createReadBudgets(): (
	budgets: Readonly<Record<Scope, Budget>>,
	now: number,
) => ReadBudgets {
	const others = { status: { count: 0, at: 0 }, other: { count: 0, at: 0 } };

	function readBudgetFrom(scope: keyof ReadBudgets, budget: Budget, now: number): ReadBudget {
		const rule = documentedLimits[scope];
		const before = others[scope];
		const faded = before.count * Math.exp(-Math.abs(now - before.at) / slotLifetime(rule));
		const count = Math.max(budget.spentElsewhere, faded);
		others[scope] = { count, at: now };
		const ours = budget.limit - Math.floor(budget.limit * rule.reserved);
		// Requests of others come at random, and such a count varies by about its square root.
		const theirs = count + Math.sqrt(count);
		return {
			left: budget.left.read,
			rate: Math.max(ours - theirs, ours * leastShare) / (slotLifetime(rule) + turnaround),
			nextAt: budget.nextAt.read,
		};
	}

	return (budgets, now) => ({
		status: readBudgetFrom('status', budgets.status, now),
		other: readBudgetFrom('other', budgets.other, now),
	});
}
