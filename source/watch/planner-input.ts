import { readRows } from '../fleet/reads.ts';
import type { Backoff } from '../foundation/backoff.ts';
import type { Slots } from '../limits/slots.ts';
import type { AccountState } from '../store/state.ts';
import type { Failures } from './failures.ts';
import type { FleetNeeds } from './needs.ts';
import { type Read, readKey } from './reads.ts';

export type Attention = {
	visibleIds: ReadonlySet<string>;
	detailId?: string | undefined;
	/** When the cursor came to rest on the computer with the open details. */
	restingSince?: number | undefined;
	/** A further key or the focus of the terminal extends it. */
	attendedUntil: number;
};

export type ReadSlots = Pick<Slots, 'free' | 'nextAt' | 'readsPerMs'>;
export type ReadSlotsByScope = Readonly<Record<'status' | 'other', ReadSlots>>;

/** What was answered is in the account. */
export type PlannerInput = {
	account: AccountState;
	needs: FleetNeeds;
	attention: Attention;
	inFlight: ReadonlySet<string>;
	/** When each read, each purpose and each name of a read was last handed to the limits. */
	sentAt: ReadonlyMap<string, number>;
	/** Oldest first; see `isSideRead`. */
	sideReadTimes: readonly number[];
	failures: Failures;
	/** Reads that a person asked for and that have no answer yet. */
	requested: readonly Read[];
	/** Earlier answers are out of date: the program started or came back online then. */
	staleBefore: number;
	/** One for each page. */
	requestsPerList: number;
};

/** Before the first list, this is assumed. */
export const doesListTellStatus = ({ reads, computers, listFields }: AccountState) =>
	reads.list?.answer === undefined || computers.size === 0 || listFields.has('status');

/** Whether a read says nothing about the status of a computer, although it counts against the same limit as the list. */
export const isSideRead = ({ name }: Read, account: AccountState) =>
	readRows[name].scope === 'other' &&
	name !== 'list' &&
	(name !== 'detail' || doesListTellStatus(account));

/** Times are `-Infinity` before the first request. */
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
