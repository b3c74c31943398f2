import type { Change } from '../fleet/change.ts';
import type { Phase, Reading, ReadingField } from '../fleet/computers/computer.ts';
import type { CreditSample } from '../fleet/computers/runway.ts';
import type { StopReason } from '../fleet/computers/stop-reason.ts';
import type { PhaseStart } from '../fleet/computers/uptime.ts';
import type { RateLimitUsage } from '../fleet/fact.ts';
import type { Operation } from '../fleet/operations/operation.ts';
import type { ReadShare } from '../fleet/operations/preferences.ts';
import type { Answers, ReadName } from '../fleet/reads.ts';
import type { Failure } from '../foundation/failure.ts';
import { emptyUsage, type UsageHistory } from './usage-history.ts';

/** Only `fold` creates a new state. */
export type State = {
	accounts: ReadonlyMap<string, AccountState>;
};

/** What is known of an account, with the last answer to each read about the account itself. */
export type AccountState = Partial<Answers> & {
	/** By id, in the order of the list. Computers that the list does not name yet come last. */
	computers: ReadonlyMap<string, ComputerState>;
	/** Kept apart from `computers`, so that a read without news changes no row. */
	computerReads: ReadonlyMap<string, ComputerReads>;
	/** An answer from before the removal must not restore the computer. */
	removalTimes: ReadonlyMap<string, number>;
	/** What has not settled, and failures that no person has seen yet; by operation key, oldest first. */
	operations: ReadonlyMap<string, Operation>;
	/**
	 * Done or cancelled, or a person has seen the failure, or a later operation replaced it. All of the last question are
	 * kept, and those of the latest earlier questions.
	 */
	endedOperations: ReadonlyMap<string, Operation>;
	/** For all computers together. */
	reads: Readonly<Partial<Record<ReadName, ReadHealth>>>;
	/** The fields that the last non-empty list contained. */
	listFields: ReadonlySet<ReadingField>;
	/** The fields that statuses and the last detail contained. */
	statusFields: ReadonlySet<ReadingField>;
	detailFields?: ReadonlySet<ReadingField>;
	unreadableCount: number;
	/** How many records of the last list had the id of another. */
	repeatedCount: number;
	/** Of the last 30 minutes. */
	usage: UsageHistory;
	contact?: Contact;
	/** Balances over time, oldest first. Older samples are kept at wider intervals. */
	samples: readonly CreditSample[];
	standings?: RateLimitUsage;
	signIn?: SignIn;
	/** Which process polls the account; absent while no other process shares the watch. */
	sharedWatch?: SharedWatchState;
	/** How much of the rate limits reads may use, and when a person chose that; absent for the configured share. */
	chosenShare?: { share: ReadShare; chosenAt: number };
	/** The latest, oldest first. */
	changes: readonly Change[];
	/** All changes of the computer whose details were opened last, read from the journal; oldest first. */
	history?: { id: string; changes: readonly Change[] };
	/** How many changes this process has seen, including those no longer in `changes`. */
	changeCount: number;
};

/** Computers are left out: an id alone does not say which account's computer is meant. */
export type JointAccount = Omit<
	AccountState,
	| 'computers'
	| 'computerReads'
	| 'removalTimes'
	| 'listFields'
	| 'statusFields'
	| 'detailFields'
	| 'history'
	| 'usage'
	| 'chosenShare'
>;

/** Replaced only when one of its values changes. */
export type ComputerState = {
	id: string;
	reading: Reading;
	phase: Phase;
	since: PhaseStart;
	listed: 'absent' | 'named' | 'with-status';
	/** While the computer is being created: when its stages began. A stage is missing if no read saw it begin. */
	stageStarts?: Readonly<Record<string, number>>;
	/** Why the computer stopped, if a read saw it stop. */
	stopReason?: StopReason;
	/** While the computer is stopping: the milliseconds for which it had been idle; absent if that is not known. */
	idleForMs?: number;
	/** Whether a read by id found no such computer. The next list decides whether it is removed. */
	isMissing: boolean;
	/** When the platform last accepted an operation on the computer. An answer to an earlier request is outdated. */
	answersValidFrom?: number;
	/**
	 * Set once a read has told what only the status of a computer tells: the latest version that was known then, or an
	 * empty text. Dropped when the status changes, and when the platform accepts an operation on the computer.
	 */
	statusReadFor?: string;
};

/** The answer describes a moment between the two. */
export type AnswerTime = {
	askedAt: number;
	at: number;
	/** The planned milliseconds until the next answer of the same kind. */
	every?: number;
};

export type ComputerReads = {
	status?: ComputerAnswer;
	detail?: ComputerAnswer;
	/** The last list that had the computer's status, set when later lists did not name the computer. */
	list?: AnswerTime;
	/** The time at which an earlier run last read the computer, if the state comes from its snapshot. */
	restoredFrom?: number;
	failing?: Readonly<Partial<Record<'status' | 'detail', FailureStreak>>>;
};

export type ComputerAnswer = AnswerTime & { hasStatus: boolean };

export type ReadHealth = { answer?: AnswerTime; failing?: FailureStreak };

export type FailureStreak = {
	failure: Failure;
	firstAskedAt: number;
	firstFailedAt: number;
	lastFailedAt: number;
	attempts: number;
	/** If the rate limits allow it. */
	nextAt?: number;
};

export type Contact = {
	/**
	 * The start of the current contact. Since this time, no silence was long enough for a computer to sleep and wake
	 * unnoticed.
	 */
	since: number;
	/** About any computer. */
	lastAnswerAt: number;
	/** The time of the last complete list, or of the snapshot before the first list. */
	fleetAt?: number;
};

/**
 * Which process polls the account: another process with the id `leader`, or this process, for this number of
 * `followers`.
 */
export type SharedWatchState = { leader?: string; followers?: number };

type SignIn =
	| { isSignedIn: true; at: number; email?: string }
	| {
			isSignedIn: false;
			at: number;
			failure: Failure;
			/** Whether a person has signed out since the last sign-in. */
			hasSignedOut?: boolean;
	  };

export const emptyState: State = { accounts: new Map() };

export const emptyAccount: AccountState = {
	computers: new Map(),
	computerReads: new Map(),
	removalTimes: new Map(),
	operations: new Map(),
	endedOperations: new Map(),
	reads: {},
	listFields: new Set(),
	statusFields: new Set(),
	unreadableCount: 0,
	repeatedCount: 0,
	usage: emptyUsage,
	samples: [],
	changes: [],
	changeCount: 0,
};
