import type { Read, ReadBudgets } from './planner-input.ts';
import { readTable } from './reads.ts';

/**
 * Builds a plan. A read that is due and that the budget allows is added. Any other read determines when to
 * plan again.
 */
export type PlanBuilder = {
	readonly now: number;
	readonly reads: readonly Read[];
	readonly nextPlanAt: number;
	/**
	 * Offers a read that takes `requestCount` requests, and returns whether it was added. The read is added only
	 * if at least `reservedRequests` requests of the budget are left afterwards. A read that a person requests may exceed
	 * the share of this process.
	 */
	offer(
		read: Read,
		dueAt: number,
		options?: { requestCount?: number; reservedRequests?: number; isRequested?: boolean },
	): boolean;
	/** How many requests of a scope are left after the reads added so far. */
	requestsLeft(scope: keyof ReadBudgets): number;
};

export function createPlanBuilder(budgets: ReadBudgets, now: number): PlanBuilder {
	const chosen: Read[] = [];
	const left = { status: budgets.status.requestsLeft, other: budgets.other.requestsLeft };
	const leftForRequested = {
		status: budgets.status.requestedReadsLeft,
		other: budgets.other.requestedReadsLeft,
	};
	let next = Number.POSITIVE_INFINITY;

	return {
		now,
		reads: chosen,
		get nextPlanAt() {
			return next;
		},
		requestsLeft: scope => left[scope],
		offer(read, due, { requestCount = 1, reservedRequests = 0, isRequested = false } = {}) {
			const { scope } = readTable[read.name];
			if (due > now) {
				next = Math.min(next, due);
				return false;
			}
			const most = isRequested ? leftForRequested[scope] : left[scope];
			if (most < requestCount + reservedRequests) {
				next = Math.min(next, budgets[scope].nextRequestAt);
				return false;
			}
			if (chosen.some(({ name, id }) => name === read.name && id === read.id)) return false;
			left[scope] -= requestCount;
			leftForRequested[scope] -= requestCount;
			chosen.push(read);
			return true;
		},
	};
}
