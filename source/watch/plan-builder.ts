import type { Read, ReadBudgets } from './planner-input.ts';
import { reads } from './reads.ts';

/** A plan in the making. What is due and affordable goes in; the rest sets when to plan again. */
export type PlanBuilder = {
	readonly now: number;
	readonly reads: readonly Read[];
	readonly next: number;
	/**
	 * Returns whether the read went in. It costs `cost` requests, and goes in only if `keep` requests are
	 * left for others afterwards.
	 */
	offer(read: Read, due: number, terms?: { cost?: number; keep?: number }): boolean;
	/** What is left of a scope after the reads that went in. */
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
