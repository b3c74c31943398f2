import type { Credits, Model, Release, Subscription } from '../fleet/account.ts';
import type { Change } from '../fleet/change.ts';
import type { Phase, Reading } from '../fleet/computer.ts';
import type { RateLimitUsage, ReadName } from '../fleet/fact.ts';
import type { Failure } from '../fleet/failure.ts';
import type { Operation } from '../fleet/operation.ts';
import type { CreditSample } from '../fleet/runway.ts';
import type { StopReason } from '../fleet/stop-reason.ts';
import type { Since } from '../fleet/uptime.ts';

/** Everything the program knows, on one page. Only `fold` makes a new one. */
export type State = {
	/** By the account's name. */
	accounts: ReadonlyMap<string, AccountState>;
};

export type AccountState = {
	/** By id, in the order of the list; what the list has not told yet stands at the end. */
	computers: ReadonlyMap<string, ComputerState>;
	/** How each computer was last read by itself. Apart, so that a look changes no row. */
	computerReads: ReadonlyMap<string, ComputerReads>;
	/** The ids that went away a moment ago, and when: answers asked for earlier cannot bring them back. */
	removed: ReadonlyMap<string, number>;
	/** What we asked for and has not settled, and failures that nobody saw yet; by key, oldest first. */
	operations: ReadonlyMap<string, Operation>;
	/** How each kind of read went last, whichever computer it was for. */
	reads: Readonly<Partial<Record<ReadName, ReadHealth>>>;
	/** The fields that the last list with a computer in it carried. */
	listFields: ReadonlySet<keyof Reading>;
	/** How many records of the last list could not be read. */
	unreadable: number;
	contact?: Contact;
	credits?: Credits;
	/** Oldest first, thinned with age. */
	samples: readonly CreditSample[];
	/** Null when the platform told that there is none. */
	subscription?: Subscription | null;
	release?: Release;
	models?: readonly Model[];
	standings?: RateLimitUsage;
	signIn?: SignIn;
	/** The latest, oldest first. */
	changes: readonly Change[];
	/** What was kept of the computer that was looked at last, oldest first. */
	history?: { id: string; changes: readonly Change[] };
	/** How many changes were seen by this process in all, also those no longer in `changes`. */
	changeCount: number;
};

/** One computer. A new object only when something about it changed. */
export type ComputerState = {
	id: string;
	/** What all answers together told. */
	reading: Reading;
	phase: Phase;
	since: Since;
	/** What the last list told: nothing of it, that it is there, or its status too. */
	listed: 'absent' | 'present' | 'told';
	/** Why it stopped, when it was seen to. */
	stopReason?: StopReason;
	/** While it stops: how long it ran before, at least. */
	ranFor?: number;
	/** Asked for by its id, the platform did not know it. The next list tells whether it is gone. */
	isMissing: boolean;
	/** The platform took on an operation then: answers asked for earlier are out of date. */
	believedFrom?: number;
};

/** An answer tells what was so at some time between these two. */
export type AnswerTime = {
	askedAt: number;
	at: number;
	/** How soon the same was meant to be told again. */
	every?: number;
};

export type ComputerReads = {
	status?: ComputerAnswer;
	detail?: ComputerAnswer;
	/** The list that told its status last, since when lists were read in part and did not name it. */
	list?: AnswerTime;
	/** When an earlier run saw it last, whose notes are shown until an answer comes. */
	restoredFrom?: number;
	failing?: Readonly<Partial<Record<'status' | 'detail', FailureStreak>>>;
};

export type ComputerAnswer = AnswerTime & { hasStatus: boolean };

/** How a read went: the last answer, and the failures since. */
export type ReadHealth = { answer?: AnswerTime; failing?: FailureStreak };

export type FailureStreak = {
	failure: Failure;
	/** When the first of the tries that failed was asked for. */
	askedAt: number;
	since: number;
	last: number;
	attempts: number;
	/** When it is tried again, as far as the rate limits allow. */
	nextAt?: number;
};

export type Contact = {
	/** Answers have come since then without a silence long enough to sleep and wake in unseen. */
	since: number;
	/** When the last answer about a computer came. */
	lastAnswerAt: number;
	/** When the whole fleet was last told, by a whole list or by the notes of an earlier run. */
	fleetAt?: number;
};

export type SignIn =
	| { isIn: true; at: number; email?: string }
	| { isIn: false; at: number; failure: Failure };

export const emptyState: State = { accounts: new Map() };

/** What is known of an account before its first fact. */
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
