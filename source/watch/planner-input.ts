import type { ReadName } from '../fleet/fact.ts';
import type { Backoff } from './backoff.ts';

/**
 * What a read of one computer's status is spent for. A round asks about every computer at once, in the
 * place of a list.
 */
export type ReadPurpose = 'urgent' | 'attended' | 'rest' | 'round';

/** One thing to ask the platform now. */
export type Read = { name: ReadName; id?: string; purpose?: ReadPurpose };

/** How asking for one thing went so far. */
export type ReadHistory = {
	/** When it was asked for last. Never is `-Infinity`, here and below. */
	askedAt: number;
	/** When it was answered last, with anything but a failure. */
	answeredAt: number;
	isInFlight: boolean;
	/** Null while it works. */
	backoff: Backoff | null;
};

export type PolledComputer = {
	id: string;
	/** Since when something is under way with it; null when nothing is. */
	urgentSince: number | null;
	status: ReadHistory;
	detail: ReadHistory;
};

/** What a person looks at. */
export type Attention = {
	/** The computers on the screen. */
	visible: ReadonlySet<string>;
	/** The computer whose details are open. */
	detail?: string;
	focused: boolean;
};

/** All that the planner knows beside the budgets and the time. */
export type PlannerInput = Attention & {
	computers: ReadonlyMap<string, PolledComputer>;
	/** For status and detail, which are asked per computer, only the setback counts here. */
	histories: Readonly<Record<ReadName, ReadHistory>>;
	/** Whether the list tells the status of its computers; null while no list was answered. */
	listHasStatus: boolean | null;
	/** Whether the answer about one computer tells its status too; null while there was none. */
	detailHasStatus: boolean | null;
	/** Whether that answer tells anything that the list and the status do not. */
	detailAddsFields: boolean | null;
	/** A computer is expected whose id only the list can tell. */
	isListUrgent: boolean;
	/** What the last list took: requests, and milliseconds. */
	listRequests: number;
	listDuration: number;
	/** When a read was last spent on each stream. */
	lastSpentAt: Readonly<Record<Exclude<ReadPurpose, 'round'> | 'detail', number>>;
	/** The last look at the whole fleet, be it a list or a round, and the lists since the last round. */
	lastSweep: { at: number; lists: number };
	/** What a person asked for and has not been answered. */
	requested: readonly Read[];
	/** What was told before this is not trusted: the program started then, or the network came back. */
	staleBefore: number;
	/** Nothing works: the network is gone, or the platform does not let us in. */
	outage: Backoff | null;
};

/** What may be spent of one scope on reads. */
export type ReadBudget = {
	/** Requests that may go at once. */
	left: number;
	/** Requests a millisecond that the budget bears for good, beside what others spend. */
	rate: number;
	/** When there may be more to spend. */
	nextAt: number;
};

export type ReadBudgets = Readonly<Record<'status' | 'other', ReadBudget>>;

/** How asking for that went so far; nothing when it is about a computer that is gone. */
export function historyOf(
	{ histories, computers }: Pick<PlannerInput, 'histories' | 'computers'>,
	{ name, id }: Read,
): ReadHistory | undefined {
	if (name === 'status' || name === 'detail') return computers.get(id ?? '')?.[name];
	return histories[name];
}
