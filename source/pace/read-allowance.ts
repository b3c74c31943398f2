import type { Budget } from './budget.ts';
import { typicalSlotMs } from './fair-share.ts';
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
 */
export function createReadAllowance(rule: Limit) {
	/** The reads of this process, each with the share at which it was sent. */
	const shareById = new Map<string, number>();
	let share = 1;

	/** Returns how many reads this process may send in any window. */
	const maxOwnReads = ({
		limit,
		countsThisProcessOnly = false,
	}: Pick<Budget, 'limit' | 'countsThisProcessOnly'>) =>
		Math.max(1, Math.floor(share * (countsThisProcessOnly ? rule.maxRequests : limit)));

	/**
	 * Returns when the next read may be sent within the share, given the reads that still count. When the share becomes
	 * smaller, more reads may count than it allows. Until they no longer count, the process reads at the pace of the smaller
	 * share: if it waited for them instead, half a minute could pass without a read.
	 */
	function nextWithinShare(own: readonly OwnRead[], most: number): number {
		const whenFewerThan = (reads: readonly OwnRead[]) =>
			inOrder(reads.map(({ end }) => end))[reads.length - most] ?? 0;
		const next = whenFewerThan(own);
		const atThisShare = own.filter(({ sentAtShare }) => sentAtShare <= share);
		if (next === 0 || atThisShare.length === own.length) return next;
		const lastAt = Math.max(...own.map(({ at }) => at));
		return Math.min(
			next,
			Math.max(lastAt + typicalSlotMs(rule) / most, whenFewerThan(atThisShare)),
		);
	}

	return {
		maxOwnReads,
		/** Whether this process uses less than the whole limit. */
		isShared: () => share < 1,
		isOwnRead: (slotId: string) => shareById.has(slotId),
		noteTaken: (slotId: string) => void shareById.set(slotId, share),
		setShare(newShare: number) {
			share = newShare;
		},
		/**
		 * Returns the budget with fewer reads left, if this process or several other processes have just read a lot.
		 */
		appliedTo(budget: Budget, { spends }: ScopeState, now: number): Budget {
			const burstMs = rule.windowMs * burstShareOfWindow;
			const own: OwnRead[] = [];
			/** The last read of each other process that has just read. */
			const recentReads = new Map<string, number>();
			for (const spend of spends.values()) {
				const sentAtShare = shareById.get(spend.id);
				if (sentAtShare !== undefined)
					own.push({ at: spend.at, end: intervalEndOf(spend), sentAtShare });
				else if (now - spend.at < burstMs) {
					const poller = pollerOf(spend.id);
					if (poller !== undefined)
						recentReads.set(poller, Math.max(spend.at, recentReads.get(poller) ?? 0));
				}
			}
			for (const id of shareById.keys()) {
				if (own.length === shareById.size) break;
				if (!spends.has(id)) shareById.delete(id);
			}
			const most = maxOwnReads(budget);
			const burst = Math.max(1, Math.floor(rule.maxRequests * burstShareOfLimit));
			const isBeginning = own.length === 0;
			const withinShareAt = nextWithinShare(own, most);
			const nextAt = Math.max(
				budget.nextRequestAt.read,
				withinShareAt,
				isBeginning
					? (inOrder([...recentReads.values()])[recentReads.size - burst] ?? -burstMs) + burstMs
					: 0,
			);
			const isFull =
				(own.length >= most && now < withinShareAt) || (isBeginning && recentReads.size >= burst);
			return {
				...budget,
				requestsLeft: {
					...budget.requestsLeft,
					read: isFull ? 0 : Math.min(budget.requestsLeft.read, Math.max(1, most - own.length)),
				},
				nextRequestAt: { ...budget.nextRequestAt, read: nextAt },
			};
		},
	};
}

/** A read of this process that still counts. */
type OwnRead = { at: number; end: number; sentAtShare: number };

const inOrder = (times: readonly number[]) => times.toSorted((a, b) => a - b);
