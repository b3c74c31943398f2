import type { Read, ReadSlotsByScope } from './planner-input.ts';
import { readTable } from './reads.ts';

/**
 * Builds a plan. A read that is due and for which a slot is free is added. Any other read determines when to
 * plan again.
 */
export type PlanBuilder = {
	readonly now: number;
	readonly reads: readonly Read[];
	readonly nextPlanAt: number;
	/**
	 * Offers a read that takes `requestCount` requests, and returns whether it was added. The read is added only
	 * if at least `reservedRequests` slots are left afterwards. A read that a person requests may exceed
	 * the share of this process.
	 */
	offer(
		read: Read,
		dueAt: number,
		options?: { requestCount?: number; reservedRequests?: number; isRequested?: boolean },
	): boolean;
	/** How many slots of a scope are left after the reads added so far. */
	slotsLeft(scope: keyof ReadSlotsByScope): number;
};

export function createPlanBuilder(slots: ReadSlotsByScope, now: number): PlanBuilder {
	const chosen: Read[] = [];
	const left = { status: slots.status.free.read, other: slots.other.free.read };
	const leftForRequested = {
		status: slots.status.free.requestedRead,
		other: slots.other.free.requestedRead,
	};
	let next = Number.POSITIVE_INFINITY;

	return {
		now,
		reads: chosen,
		get nextPlanAt() {
			return next;
		},
		slotsLeft: scope => left[scope],
		offer(read, due, { requestCount = 1, reservedRequests = 0, isRequested = false } = {}) {
			const { scope } = readTable[read.name];
			if (due > now) {
				next = Math.min(next, due);
				return false;
			}
			const most = isRequested ? leftForRequested[scope] : left[scope];
			if (most < requestCount + reservedRequests) {
				next = Math.min(next, slots[scope].nextAt[isRequested ? 'requestedRead' : 'read']);
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
