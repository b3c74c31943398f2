import type { Read, ReadBudgets } from './planner-input.ts';
import { reads } from './reads.ts';

/** A plan in the making: what is due and paid for goes in, anything else sets when to look again. */
export type PlanBuilder = {
	readonly now: number;
	readonly reads: readonly Read[];
	readonly next: number;
	/** Says whether it went in. It costs that many requests, and must leave so many for others. */
	offer(read: Read, due: number, terms?: { cost?: number; keep?: number }): boolean;
	/** What is left of a scope after what went in. */
	left(scope: keyof ReadBudgets): number;
};

export function createPlanBuilder(purses: ReadBudgets, now: number): PlanBuilder {
	const chosen: Read[] = [];
	const left = { status: purses.status.left, other: purses.other.left };
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
				next = Math.min(next, purses[scope].nextAt);
				return false;
			}
			if (chosen.some(({ name, id }) => name === read.name && id === read.id)) return false;
			left[scope] -= cost;
			chosen.push(read);
			return true;
		},
	};
}
