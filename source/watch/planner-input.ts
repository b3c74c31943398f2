import { readRows } from '../fleet/reads.ts';
import type { Backoff } from '../foundation/backoff.ts';
import type { Slots } from '../limits/slots.ts';
import type { AccountState } from '../store/state.ts';
import type { Failures } from './failures.ts';
import type { FleetNeeds } from './needs.ts';
import { type Read, readKey } from './reads.ts';

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

/** The slots that the planner may use. */
export type ReadSlots = Pick<Slots, 'free' | 'nextAt' | 'readsPerMs'>;
export type ReadSlotsByScope = Readonly<Record<'status' | 'other', ReadSlots>>;

/** Everything that the planner knows, except the slots and the time. What was answered is in the account. */
export type PlannerInput = {
	account: AccountState;
	needs: FleetNeeds;
	attention: Attention;
	/** The keys of the reads that are in flight. */
	inFlight: ReadonlySet<string>;
	/** When each read, each purpose and each name of a read was last handed to the limits. */
	sentAt: ReadonlyMap<string, number>;
	/** When the last reads beside the list and the statuses were sent, oldest first; see `isSideRead`. */
	sideReadTimes: readonly number[];
	failures: Failures;
	/** Reads that a person asked for and that have no answer yet. */
	requested: readonly Read[];
	/** The time when the program started or came back online. Earlier answers are out of date. */
	staleBefore: number;
	/** How many requests the last list took, one for each page. */
	requestsPerList: number;
};

/** Whether the list tells the status of its computers. Before the first list, this is assumed. */
export const doesListTellStatus = ({ reads, computers, listFields }: AccountState) =>
	reads.list?.answer === undefined || computers.size === 0 || listFields.has('status');

/** Whether a read says nothing about the status of a computer, although it counts against the same limit as the list. */
export const isSideRead = ({ name }: Read, account: AccountState) =>
	readRows[name].scope === 'other' &&
	name !== 'list' &&
	(name !== 'detail' || doesListTellStatus(account));

/** The times and failures of one read so far. Times are `-Infinity` before the first request. */
export type ReadHistory = {
	askedAt: number;
	answeredAt: number;
	isInFlight: boolean;
	backoff: Backoff | null;
};

const never = Number.NEGATIVE_INFINITY;

/** Returns the history of a read; of all reads of its name, if no computer is given. */
export function historyOf(
	{ account, inFlight, sentAt, failures }: PlannerInput,
	read: Read,
): ReadHistory {
	const { name, id } = read;
	const key = readKey(read);
	const isAboutOne = id !== undefined && (name === 'status' || name === 'detail');
	const answer = isAboutOne ? account.computerReads.get(id)?.[name] : account.reads[name]?.answer;
	return {
		askedAt: sentAt.get(key) ?? never,
		answeredAt: answer?.at ?? never,
		isInFlight: inFlight.has(key),
		backoff: (isAboutOne ? failures.byComputer.get(key) : failures.byName.get(name)) ?? null,
	};
}
