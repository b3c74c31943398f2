import type {
	PlannerInput,
	PolledComputer,
	ReadBudgets,
	ReadHistory,
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

/** An input in which everything was read a moment ago and nothing is due. */
export function plannerInput(change: Partial<PlannerInput> = {}): PlannerInput {
	return {
		visibleIds: new Set(),
		isFocused: true,
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
		requestsPerList: 1,
		listDurationMs: 100,
		lastSentAt: { urgent: now - 100, attended: now - 100, rest: now - 100, detail: now - 100 },
		lastFleetRead: { readAt: now - 100, listsSinceRound: 1 },
		requestedReads: [],
		answersStaleBefore: now - 3_600_000,
		outageBackoff: null,
		...change,
	};
}

/** The read budgets when no other client spends from them. */
export function readBudgets(left: { status?: number; other?: number } = {}): ReadBudgets {
	return {
		status: {
			requestsLeft: left.status ?? 30,
			requestsPerMs: 60 / 61_000,
			nextRequestAt: now + 1000,
		},
		other: {
			requestsLeft: left.other ?? 12,
			requestsPerMs: 24 / 61_000,
			nextRequestAt: now + 2000,
		},
	};
}
