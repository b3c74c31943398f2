import type { Credits, Model, Release, Subscription } from '../fleet/account.ts';
import type { Change } from '../fleet/change.ts';
import type { Phase, Reading } from '../fleet/computer.ts';
import type { RateLimitUsage, ReadName } from '../fleet/fact.ts';
import type { Failure } from '../fleet/failure.ts';
import type { Operation } from '../fleet/operation.ts';
import type { CreditSample } from '../fleet/runway.ts';
import type { StopReason } from '../fleet/stop-reason.ts';
import type { Since } from '../fleet/uptime.ts';

/** Everything the program knows. Only `fold` makes a new state. */
export type State = {
	/** By account name. */
	accounts: ReadonlyMap<string, AccountState>;
};

export type AccountState = {
	/** By id, in list order. Computers that the list does not name yet are at the end. */
	computers: ReadonlyMap<string, ComputerState>;
	/** How each computer was read by itself. It is kept apart so that a read without news changes no row. */
	computerReads: ReadonlyMap<string, ComputerReads>;
	/** Ids of recently removed computers and when: earlier answers must not restore them. */
	removed: ReadonlyMap<string, number>;
	/** Our operations that have not settled, and failures not seen yet; by key, oldest first. */
	operations: ReadonlyMap<string, Operation>;
	/** How each kind of read went last, for whichever computer. */
	reads: Readonly<Partial<Record<ReadName, ReadHealth>>>;
	/** The fields of the last list that was not empty. */
	listFields: ReadonlySet<keyof Reading>;
	/** How many records of the last list could not be read. */
	unreadable: number;
	contact?: Contact;
	credits?: Credits;
	/** Oldest first; the older, the fewer. */
	samples: readonly CreditSample[];
	/** Null when the platform answered that there is none. */
	subscription?: Subscription | null;
	release?: Release;
	models?: readonly Model[];
	standings?: RateLimitUsage;
	signIn?: SignIn;
	/** The latest changes, oldest first. */
	changes: readonly Change[];
	/** The history of the computer whose details were opened last, oldest first. */
	history?: { id: string; changes: readonly Change[] };
	/** All changes that this process has seen, including those no longer in `changes`. */
	changeCount: number;
};

/** One computer. It is a new object only when something about it changed. */
export type ComputerState = {
	id: string;
	/** The fields of all answers, merged. */
	reading: Reading;
	phase: Phase;
	since: Since;
	/** Whether the last list left it out, named it, or had its status as well. */
	listed: 'absent' | 'named' | 'with-status';
	/** Why it stopped, if the stop was seen. */
	stopReason?: StopReason;
	/** While it is stopping: how long it ran before, at least. */
	ranFor?: number;
	/** A read by id found nothing. The next list decides whether it is removed. */
	isMissing: boolean;
	/** When the platform accepted an operation: answers asked for before that are out of date. */
	believedFrom?: number;
};

/** An answer was true at some time between these two. */
export type AnswerTime = {
	askedAt: number;
	at: number;
	/** The planned interval to the next such answer. */
	every?: number;
};

export type ComputerReads = {
	status?: ComputerAnswer;
	detail?: ComputerAnswer;
	/** The last list that had its status, when later lists were incomplete and did not name it. */
	list?: AnswerTime;
	/** When an earlier run last saw it. Its snapshot is shown until an answer comes. */
	restoredFrom?: number;
	failing?: Readonly<Partial<Record<'status' | 'detail', FailureStreak>>>;
};

export type ComputerAnswer = AnswerTime & { hasStatus: boolean };

/** The last answer of a read, and its failures since. */
export type ReadHealth = { answer?: AnswerTime; failing?: FailureStreak };

export type FailureStreak = {
	failure: Failure;
	/** When the first of the failed tries was asked for. */
	askedAt: number;
	since: number;
	last: number;
	attempts: number;
	/** When the next try is due, if the rate limits allow it. */
	nextAt?: number;
};

export type Contact = {
	/** Since then there was no silence long enough for a computer to sleep and wake unnoticed. */
	since: number;
	/** When the last answer about any computer came. */
	lastAnswerAt: number;
	/** When the whole fleet was last known, from a complete list or from a snapshot. */
	fleetAt?: number;
};

export type SignIn =
	| { isIn: true; at: number; email?: string }
	| { isIn: false; at: number; failure: Failure };

export const emptyState: State = { accounts: new Map() };

/** The state of an account before its first fact. */
export const emptyAccount: AccountState = {
	computers: new Map(),
	computerReads: new Map(),
	removed: new Map(),
	operations: new Map(),
	reads: {},
	listFields: new Set(),
	unreadable: 0,
	samples: [],
	changes: [],
	changeCount: 0,
};
