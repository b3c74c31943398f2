import type {
	PlannerInput,
	PolledComputer,
	ReadHistory,
	ReadSlots,
	ReadSlotsByScope,
} from '../../source/watch/planner-input.ts';

export const now = Date.UTC(2026, 10, 21, 8);

const never = Number.NEGATIVE_INFINITY;

export function readHistory(change: Partial<ReadHistory> = {}): ReadHistory {
	return { askedAt: never, answeredAt: never, isInFlight: false, backoff: null, ...change };
}

/** The history of a read that was sent and answered this many milliseconds ago. */
export function answeredAgo(ago: number): ReadHistory {
	return readHistory({ askedAt: now - ago, answeredAt: now - ago });
}

export function polledComputer(id: string, change: Partial<PolledComputer> = {}): PolledComputer {
	return {
		id,
		urgentSince: null,
		statusNeed: null,
		lacksDetail: false,
		status: answeredAgo(60_000),
		detail: answeredAgo(60_000),
		...change,
	};
}

export function fleetOf(
	...computers: readonly PolledComputer[]
): ReadonlyMap<string, PolledComputer> {
	return new Map(computers.map(each => [each.id, each]));
}

/** An input in which everything was read a moment ago, nothing is due, and an operation is under way. */
export function plannerInput(change: Partial<PlannerInput> = {}): PlannerInput {
	return {
		visibleIds: new Set(),
		attendedUntil: Number.POSITIVE_INFINITY,
		computers: new Map(),
		histories: {
			list: answeredAgo(100),
			status: readHistory(),
			detail: readHistory(),
			credits: answeredAgo(100),
			subscription: answeredAgo(100),
			release: answeredAgo(100),
			models: readHistory(),
		},
		listHasStatus: true,
		detailHasStatus: true,
		detailAddsFields: false,
		isListUrgent: false,
		movingSince: now - 60_000,
		requestsPerList: 1,
		listDurationMs: 100,
		lastSentAt: { urgent: now - 100, attended: now - 100, rest: now - 100, detail: now - 100 },
		sideReadTimes: [],
		requestedReads: [],
		answersStaleBefore: now - 3_600_000,
		outageBackoff: null,
		...change,
	};
}

/** The slots when no other client takes any. */
export function readSlotsByScope(left: { status?: number; other?: number } = {}): ReadSlotsByScope {
	return {
		status: readSlots(left.status ?? 30, 60, 1000),
		other: readSlots(left.other ?? 12, 24, 2000),
	};
}

/** The slots of a process that may send this many requests now, and this many per window. */
export function readSlots(count: number, perWindow: number, nextMs = 1000): ReadSlots {
	const nextAt = now + nextMs;
	return {
		free: { operation: count, requestedRead: count, read: count },
		nextAt: { operation: nextAt, requestedRead: nextAt, read: nextAt },
		readsPerMs: perWindow / 61_000,
	};
}
