import type { ReadName } from '../fleet/fact.ts';
import type { Backoff } from './backoff.ts';

/**
 * Why one computer's status is read: an operation is under way, it is on screen, or its turn has come.
 * A round reads every computer at once, in place of a list.
 */
export type ReadPurpose = 'urgent' | 'attended' | 'rest' | 'round';

/** One request to the platform that only asks. */
export type Read = { name: ReadName; id?: string; purpose?: ReadPurpose };

/** How reading one thing has gone so far. Times are `-Infinity` until the first one. */
export type ReadHistory = {
	askedAt: number;
	/** The last answer; a failure is not an answer. */
	answeredAt: number;
	isInFlight: boolean;
	/** Null while the read works. */
	backoff: Backoff | null;
};

export type PolledComputer = {
	id: string;
	/** When an operation or a phase change began that is still under way; null when none is. */
	urgentSince: number | null;
	status: ReadHistory;
	detail: ReadHistory;
};

/** What the person at the screen can see. */
export type Attention = {
	/** The computers on the screen. */
	visible: ReadonlySet<string>;
	/** The computer whose details are open. */
	detail?: string;
	focused: boolean;
};

/** Everything the planner knows beside the budgets and the time. */
export type PlannerInput = Attention & {
	computers: ReadonlyMap<string, PolledComputer>;
	/** Status and detail are read per computer, so for them only the backoff counts here. */
	histories: Readonly<Record<ReadName, ReadHistory>>;
	/** Whether the list has the status of its computers; null before the first list. */
	listHasStatus: boolean | null;
	/** Whether a detail has the status; null before the first detail. */
	detailHasStatus: boolean | null;
	/** Whether a detail has any field that neither the list nor the status has. */
	detailAddsFields: boolean | null;
	/** A computer is being created whose id only the list can reveal. */
	isListUrgent: boolean;
	/** What the last list took: requests, and milliseconds. */
	listRequests: number;
	listDuration: number;
	/** When the budget was last spent on each purpose. */
	lastSpentAt: Readonly<Record<Exclude<ReadPurpose, 'round'> | 'detail', number>>;
	/** The last read of the whole fleet, by list or by round, and the lists since the last round. */
	lastSweep: { at: number; lists: number };
	/** Reads that a person asked for and that have no answer yet. */
	requested: readonly Read[];
	/** Answers from before this time are out of date: the program started then, or came back online. */
	staleBefore: number;
	/** Set while nothing works: the network is down, or the platform refuses the sign-in. */
	outage: Backoff | null;
};

/** What reads may spend of one scope. */
export type ReadBudget = {
	/** Requests that may go at once. */
	left: number;
	/** Requests per millisecond that the limit sustains beside what others spend. */
	rate: number;
	/** When more may be spent. */
	nextAt: number;
};

export type ReadBudgets = Readonly<Record<'status' | 'other', ReadBudget>>;

/** The history of what a read is about; undefined when its computer is gone. */
export function historyOf(
	{ histories, computers }: Pick<PlannerInput, 'histories' | 'computers'>,
	{ name, id }: Read,
): ReadHistory | undefined {
	if (name === 'status' || name === 'detail') return computers.get(id ?? '')?.[name];
	return histories[name];
}
