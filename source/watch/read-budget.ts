import type { Budget } from '../pace/budget.ts';
import { documentedLimits, type Scope, slotLifetimeMs } from '../pace/limits.ts';
import type { ReadBudget, ReadBudgets } from './planner-input.ts';

// A rate limit slot is also occupied while its request is in flight, which takes about this many milliseconds.
const typicalRequestMs = 250;

// Reads always use at least this share of the rate limit, because only the responses to requests reveal how
// many requests other clients send.
const minShareOfLimit = 1 / 12;

/**
 * Creates a function that converts budgets into steady rates for the planner. At each reset, the rate limit
 * headers no longer count the earlier requests of other clients, although these clients will probably send more.
 * So the count of their requests is kept here, and decreases slowly over one window of the rate limit.
 */
export function createReadBudgetConverter(): (
	budgets: Readonly<Record<Scope, Budget>>,
	now: number,
) => ReadBudgets {
	const others = { status: { count: 0, at: 0 }, other: { count: 0, at: 0 } };

	function readBudgetFrom(scope: keyof ReadBudgets, budget: Budget, now: number): ReadBudget {
		const rule = documentedLimits[scope];
		const before = others[scope];
		const faded = before.count * Math.exp(-Math.abs(now - before.at) / slotLifetimeMs(rule));
		const count = Math.max(budget.spentElsewhere, faded);
		others[scope] = { count, at: now };
		const ours = budget.limit - Math.floor(budget.limit * rule.reservedShare);
		// Requests of other clients come at random, and a random count varies by about its square root.
		const theirs = count + Math.sqrt(count);
		return {
			requestsLeft: budget.requestsLeft.read,
			requestsPerMs:
				Math.max(ours - theirs, ours * minShareOfLimit) / (slotLifetimeMs(rule) + typicalRequestMs),
			nextRequestAt: budget.nextRequestAt.read,
		};
	}

	return (budgets, now) => ({
		status: readBudgetFrom('status', budgets.status, now),
		other: readBudgetFrom('other', budgets.other, now),
	});
}
