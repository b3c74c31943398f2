import type { Read, ReadBudgets } from './planner-input.ts';
import { reads } from './reads.ts';

/** Builds a plan. A read that is due and affordable is added; any other read sets the time to plan again. */
export type PlanBuilder = {
	readonly now: number;
	readonly reads: readonly Read[];
	readonly next: number;
	/**
	 * Offers a read that costs `cost` requests, and returns whether it was added. It is added only if at least
	 * `keep` requests of the budget are left afterwards.
	 */
	offer(read: Read, due: number, terms?: { cost?: number; keep?: number }): boolean;
	/** How many requests of a scope are left after the reads added so far. */
	left(scope: keyof ReadBudgets): number;
};

export function createPlanBuilder(budgets: ReadBudgets, now: number): PlanBuilder {
	const chosen: Read[] = [];
	const left = { status: budgets.status.left, other: budgets.other.left };
	let next = Number.POSITIVE_INFINITY;

	return {
		now,
		reads: chosen,
		get next() {
			return next;
		},
		left: scope => left[scope],
		offer(read, due, { cost = 1, keep = 0 } = {}) {
			const { scope } = reads[read.name];
			if (due > now) {
				next = Math.min(next, due);
				return false;
			}
			if (left[scope] < cost + keep) {
				next = Math.min(next, budgets[scope].nextAt);
				return false;
			}
			if (chosen.some(({ name, id }) => name === read.name && id === read.id)) return false;
			left[scope] -= cost;
			chosen.push(read);
			return true;
		},
	};
}
