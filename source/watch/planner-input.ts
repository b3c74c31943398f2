import type { ReadName } from '../fleet/fact.ts';
import { dueTimeAfter, failuresUntilDown } from '../foundation/backoff.ts';
import type { Slots } from '../limits/slots.ts';
import type { AccountState, FailureStreak } from '../store/state.ts';
import type { FleetNeeds } from './needs.ts';

/**
 * Why the status of a computer is read. `urgent`: an operation or a phase change is under way; `attended`: the
 * computer is on screen; `rest`: its turn has come.
 */
export type ReadPurpose = 'urgent' | 'attended' | 'rest';

/** One read to send to the platform. */
export type Read = { name: ReadName; id?: string; purpose?: ReadPurpose };

/** The key of a read. Only one read of a key is in flight at a time. */
export const readKey = ({ name, id = '' }: Read) => `${name} ${id}`;

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

/** Everything that the planner knows, except the slots and the time. Earlier answers are in the account. */
export type PlannerInput = {
	account: AccountState;
	needs: FleetNeeds;
	attention: Attention;
	/** When each read that is in flight was sent, by its key. */
	inFlight: ReadonlyMap<string, number>;
	/** The reads of the last minutes, oldest first. */
	sent: readonly { read: Read; at: number }[];
	/** Reads that a person asked for and that have no answer yet, with the time of the request. */
	requested: readonly { read: Read; at: number }[];
	/** The time when the program started or came back online. Earlier answers are out of date, earlier failures forgotten. */
	staleBefore: number;
	/** How many requests the last list took, one for each page. */
	requestsPerList: number;
};

/** Whether the list tells the status of its computers. Before the first list, this is assumed. */
export const doesListTellStatus = ({ reads, computers, listFields }: AccountState) =>
	reads.list?.answer === undefined || computers.size === 0 || listFields.has('status');

/** The times and failures of one read so far. Times are `-Infinity` before the first request. */
export type ReadHistory = {
	askedAt: number;
	answeredAt: number;
	isInFlight: boolean;
	failing: FailureStreak | undefined;
};

const never = Number.NEGATIVE_INFINITY;

/** Returns the history of a read; of all reads of its kind, if no computer is named. */
export function historyOf(
	{ account, inFlight, staleBefore }: PlannerInput,
	lastSentAt: ReadonlyMap<string, number>,
	read: Read,
): ReadHistory {
	const { name, id } = read;
	const isAboutOne = id !== undefined && (name === 'status' || name === 'detail');
	const about = isAboutOne ? account.computerReads.get(id) : undefined;
	const answer = isAboutOne ? about?.[name] : account.reads[name]?.answer;
	const failing = isAboutOne ? about?.failing?.[name] : account.reads[name]?.failing;
	// A rate limit says nothing about the computer that the refused read was about.
	const counts = failing && failing.lastFailedAt >= staleBefore;
	const key = readKey(read);
	return {
		askedAt: Math.max(answer?.askedAt ?? never, lastSentAt.get(key) ?? never),
		answeredAt: answer?.at ?? never,
		isInFlight: inFlight.has(key),
		failing: counts && !(isAboutOne && failing.failure.kind === 'limited') ? failing : undefined,
	};
}

/** Returns the earliest time at which a failed read may be retried; `-Infinity` if it has not failed. */
export function retryTimeOf(failing: FailureStreak | undefined, now: number): number {
	if (!failing) return never;
	const { lastFailedAt, nextAt = lastFailedAt } = failing;
	return dueTimeAfter(lastFailedAt, nextAt - lastFailedAt, now);
}

export const isDown = (failing: FailureStreak | undefined) =>
	(failing?.attempts ?? 0) >= failuresUntilDown;

/**
 * Returns the failures of an outage: several connection failures in a row, or two refused sign-ins. Until the next
 * answer, only one request at a time is sent.
 */
export function outageIn({
	account: { unconnected },
	staleBefore,
}: Pick<PlannerInput, 'account' | 'staleBefore'>): FailureStreak | undefined {
	if (!unconnected || unconnected.lastFailedAt < staleBefore) return undefined;
	const isSignInRefused = unconnected.failure.kind === 'auth' && unconnected.attempts > 1;
	return isSignInRefused || isDown(unconnected) ? unconnected : undefined;
}
