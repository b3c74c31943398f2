import type {
	PlannerInput,
	PolledComputer,
	ReadBudgets,
	ReadHistory,
} from '../../source/watch/planner-input.ts';

export const now = Date.UTC(2026, 10, 21, 8);

const never = Number.NEGATIVE_INFINITY;

export function tried(change: Partial<ReadHistory> = {}): ReadHistory {
	return { askedAt: never, answeredAt: never, isInFlight: false, backoff: null, ...change };
}

/** Asked and answered that many milliseconds ago. */
export function done(ago: number): ReadHistory {
	return tried({ askedAt: now - ago, answeredAt: now - ago });
}

export function watched(id: string, change: Partial<PolledComputer> = {}): PolledComputer {
	return { id, urgentSince: null, status: done(60_000), detail: done(60_000), ...change };
}

export function fleetOf(
	...computers: readonly PolledComputer[]
): ReadonlyMap<string, PolledComputer> {
	return new Map(computers.map(each => [each.id, each]));
}

/** Everything was read a moment ago, and nothing is due. */
export function outlook(change: Partial<PlannerInput> = {}): PlannerInput {
	return {
		visible: new Set(),
		focused: true,
		computers: new Map(),
		histories: {
			list: done(100),
			status: tried(),
			detail: tried(),
			credits: done(100),
			subscription: done(100),
			release: done(100),
			models: tried(),
		},
		listHasStatus: true,
		detailHasStatus: true,
		detailAddsFields: false,
		isListUrgent: false,
		listRequests: 1,
		listDuration: 100,
		lastSpentAt: { urgent: now - 100, attended: now - 100, rest: now - 100, detail: now - 100 },
		lastSweep: { at: now - 100, lists: 1 },
		requested: [],
		staleBefore: now - 3_600_000,
		outage: null,
		...change,
	};
}

/** What a budget nobody else spends from bears. */
export function purses(left: { status?: number; other?: number } = {}): ReadBudgets {
	return {
		status: { left: left.status ?? 30, rate: 60 / 61_000, nextAt: now + 1000 },
		other: { left: left.other ?? 12, rate: 24 / 61_000, nextAt: now + 2000 },
	};
}
