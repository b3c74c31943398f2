import type { ReadName } from '../fleet/fact.ts';
import type { Backoff } from '../foundation/backoff.ts';
import type { Slots } from '../limits/slots.ts';
import type { PollableComputer } from './pollable-fleet.ts';

/**
 * Why the status of a computer is read. `urgent`: an operation or a phase change is under way; `attended`: the
 * computer is on screen; `rest`: its turn has come.
 */
export type ReadPurpose = 'urgent' | 'attended' | 'rest';

/** One read to send to the platform. */
export type Read = { name: ReadName; id?: string; purpose?: ReadPurpose };

/** The times and failures of one read so far. Times are `-Infinity` before the first request. */
export type ReadHistory = {
	askedAt: number;
	/** The time of the last answer. A failure is not an answer. */
	answeredAt: number;
	isInFlight: boolean;
	/** The backoff after failures; null if the last request was answered. */
	backoff: Backoff | null;
};

/**
 * The history of a read that was never sent. Computers share this object until their first read. Most are never read
 * one by one, because lists have their status.
 */
export const neverSent: ReadHistory = Object.freeze({
	askedAt: Number.NEGATIVE_INFINITY,
	answeredAt: Number.NEGATIVE_INFINITY,
	isInFlight: false,
	backoff: null,
});

export type PolledComputer = PollableComputer & {
	status: ReadHistory;
	detail: ReadHistory;
};

/** The part of the fleet that a person can see now. */
export type Attention = {
	/** The ids of the computers on screen. */
	visibleIds: ReadonlySet<string>;
	/** The id of the computer whose details are open. */
	detailId?: string | undefined;
	/** When the cursor came to rest on the computer with the open details. */
	restingSince?: number | undefined;
	/** The time until which a person counts as watching. A further key or the focus of the terminal extends it. */
	attendedUntil: number;
};

/** Everything that the planner knows, except the slots and the time. */
export type PlannerInput = Attention & {
	computers: ReadonlyMap<string, PolledComputer>;
	/**
	 * The history of each kind of read. Status and detail have a history per computer as well, so only their
	 * backoff is used here.
	 */
	histories: Readonly<Record<ReadName, ReadHistory>>;
	/** Whether the list has the status of its computers; null before the first list. */
	listHasStatus: boolean | null;
	/** Whether a detail has the status; null before the first detail. */
	detailHasStatus: boolean | null;
	/**
	 * Whether a detail has a field that lists and status reads lack; null before the first detail.
	 */
	detailAddsFields: boolean | null;
	/** Whether a computer is being created, and only the list can reveal its id. */
	isListUrgent: boolean;
	/**
	 * When the latest operation of this program or the latest creation began, if one is under way; otherwise null.
	 */
	movingSince: number | null;
	/** How many requests the last list took, one for each page, and how many milliseconds. */
	requestsPerList: number;
	listDurationMs: number;
	/** The time at which a request was last sent for each purpose. */
	lastSentAt: Readonly<Record<ReadPurpose | 'detail', number>>;
	/** The times at which the last side reads were sent, oldest first. See `isSideRead`. */
	sideReadTimes: readonly number[];
	/** Reads that a person asked for and that have no answer yet. */
	requestedReads: readonly Read[];
	/** The time when the program started or came back online. Earlier answers are out of date. */
	answersStaleBefore: number;
	/**
	 * The backoff of all reads during an outage: the network is down, or the sign-in is refused. Null
	 * otherwise.
	 */
	outageBackoff: Backoff | null;
};

/** The slots that the planner may use. */
export type ReadSlots = Pick<Slots, 'free' | 'nextAt' | 'readsPerMs'>;
export type ReadSlotsByScope = Readonly<Record<'status' | 'other', ReadSlots>>;

/** Returns the history of a read; undefined if the computer of the read was removed. */
export function historyOf(
	{ histories, computers }: Pick<PlannerInput, 'histories' | 'computers'>,
	{ name, id }: Read,
): ReadHistory | undefined {
	if (name === 'status' || name === 'detail') return computers.get(id ?? '')?.[name];
	return histories[name];
}

/**
 * Returns the histories that a read changes. A read of one computer has two: one of that computer, and one of the kind
 * of read.
 */
export function historiesOf(
	{ histories, computers }: PlannerInput,
	{ name, id }: Read,
): readonly ReadHistory[] {
	const kind = histories[name];
	if (name !== 'status' && name !== 'detail') return [kind];
	const computer = computers.get(id ?? '');
	if (!computer) return [kind];
	if (computer[name] === neverSent) computer[name] = { ...neverSent };
	return [computer[name], kind];
}

/** The planner input that the request history changes. The planner only reads it. */
export type MutablePlannerInput = PlannerInput & {
	lastSentAt: Record<keyof PlannerInput['lastSentAt'], number>;
};
