import type { Budget } from './budget.ts';
import { intervalEndOf, type ScopeState } from './ledger-state.ts';
import type { Limit } from './limits.ts';
import { pollerOf } from './slot-id.ts';

// When many processes start together, only a few of them read at a time. Otherwise they would all have to wait
// together one window later.
const burstShareOfLimit = 1 / 10;
const burstShareOfWindow = 8 / 100;

/**
 * Keeps the reads of this process within its share of the limit, and at some distance from the reads of other
 * processes.
 * The function is long because its methods share the reads of this process.
 */
export function createReadAllowance(rule: Limit) {
	const ownIds = new Set<string>();
	let share = 1;

	/** Returns how many reads this process may send in any window. */
	const maxOwnReads = ({
		limit,
		countsThisProcessOnly = false,
	}: Pick<Budget, 'limit' | 'countsThisProcessOnly'>) =>
		Math.max(1, Math.floor(share * (countsThisProcessOnly ? rule.maxRequests : limit)));

	return {
		maxOwnReads,
		/** Whether this process uses less than the whole limit. */
		isShared: () => share < 1,
		isOwnRead: (slotId: string) => ownIds.has(slotId),
		noteTaken: (slotId: string) => void ownIds.add(slotId),
		setShare(newShare: number) {
			share = newShare;
		},
		/**
		 * Returns the budget with fewer reads left, if this process or several other processes have just read a lot.
		 */
		appliedTo(budget: Budget, { spends }: ScopeState, now: number): Budget {
			const burstMs = rule.windowMs * burstShareOfWindow;
			const ownEnds: number[] = [];
			/** The last read of each other process that has just read. */
			const recentReads = new Map<string, number>();
			for (const spend of spends.values()) {
				if (ownIds.has(spend.id)) ownEnds.push(intervalEndOf(spend));
				else if (now - spend.at < burstMs) {
					const poller = pollerOf(spend.id);
					if (poller !== undefined)
						recentReads.set(poller, Math.max(spend.at, recentReads.get(poller) ?? 0));
				}
			}
			for (const id of ownIds) {
				if (ownEnds.length === ownIds.size) break;
				if (!spends.has(id)) ownIds.delete(id);
			}
			const most = maxOwnReads(budget);
			const burst = Math.max(1, Math.floor(rule.maxRequests * burstShareOfLimit));
			const isBeginning = ownEnds.length === 0;
			const nextAt = Math.max(
				budget.nextRequestAt.read,
				inOrder(ownEnds)[ownEnds.length - most] ?? 0,
				isBeginning
					? (inOrder([...recentReads.values()])[recentReads.size - burst] ?? -burstMs) + burstMs
					: 0,
			);
			const isFull = ownEnds.length >= most || (isBeginning && recentReads.size >= burst);
			return {
				...budget,
				requestsLeft: {
					...budget.requestsLeft,
					read: isFull ? 0 : Math.min(budget.requestsLeft.read, most - ownEnds.length),
				},
				nextRequestAt: { ...budget.nextRequestAt, read: nextAt },
			};
		},
	};
}

const inOrder = (times: readonly number[]) => times.toSorted((a, b) => a - b);
