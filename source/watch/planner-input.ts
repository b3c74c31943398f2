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
	restingSince?: number | undefined;
	attendedUntil: number;
};

export type ReadSlots = Pick<Slots, 'free' | 'nextAt' | 'readsPerMs'>;
export type ReadSlotsByScope = Readonly<Record<'status' | 'other', ReadSlots>>;

export type PlannerInput = {
	account: AccountState;
	needs: FleetNeeds;
	attention: Attention;
	inFlight: ReadonlySet<string>;
	/** By the key of a read, by its purpose and by its name. */
	sentAt: ReadonlyMap<string, number>;
	sideReadTimes: readonly number[];
	failures: Failures;
	requested: readonly Read[];
	staleBefore: number;
	requestsPerList: number;
};

/** Before the first list, this is assumed. */
export const doesListTellStatus = ({ reads, computers, listFields }: AccountState) =>
	reads.list?.answer === undefined || computers.size === 0 || listFields.has('status');

export const isSideRead = ({ name }: Read) => readRows[name].scope === 'other' && name !== 'list';

export type ReadHistory = {
	askedAt: number;
	answeredAt: number;
	isInFlight: boolean;
	backoff: Backoff | null;
};

const never = Number.NEGATIVE_INFINITY;

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
