import type { Change, StatusChange } from '../fleet/change.ts';
import type { Phase, Reading, ReadingField } from '../fleet/computers/computer.ts';
import type { CreditSample } from '../fleet/computers/runway.ts';
import type { StopReason } from '../fleet/computers/stop-reason.ts';
import type { PhaseStart } from '../fleet/computers/uptime.ts';
import type { ListNotes, RateLimitUsage } from '../fleet/fact.ts';
import type { Operation } from '../fleet/operations/operation.ts';
import type { Answers, ComputerReadName, ReadName, ReadShare } from '../fleet/reads.ts';
import type { Failure } from '../foundation/failure.ts';
import type { Proposal } from './proposals.ts';
import type { UsageHistory } from './usage-history.ts';

export type State = {
	accounts: ReadonlyMap<string, AccountState>;
};

export type AccountState = Partial<Answers> & {
	/** In the order of the list, and then those that it does not name yet. */
	computers: ReadonlyMap<string, ComputerState>;
	/** Kept apart from `computers`, so that a read without news changes no row. */
	computerReads: ReadonlyMap<string, ComputerReads>;
	removalTimes: ReadonlyMap<string, number>;
	/** Not settled, or failed and not yet seen by a person; oldest first. */
	operations: ReadonlyMap<string, Operation>;
	endedOperations: ReadonlyMap<string, Operation>;
	reads: Readonly<Partial<Record<ReadName, { answer?: AnswerTime; failing?: FailureStreak }>>>;
	listFields: ReadonlySet<ReadingField>;
	statusFields: ReadonlySet<ReadingField>;
	detailFields?: ReadonlySet<ReadingField>;
	listNotes: ListNotes;
	usage: UsageHistory;
	contact?: Contact;
	samples: readonly CreditSample[];
	standings?: RateLimitUsage;
	signIn?: { isSignedIn: boolean; at: number; email?: string; hasSignedOut?: boolean };
	/** This process polls if there is no `leader`. */
	sharedWatch?: { leader?: string; followers?: number };
	/** Absent for the configured share. */
	chosenShare?: { share: ReadShare; chosenAt: number };
	proposals?: readonly Proposal[];
	changes: readonly Change[];
	/** Changes to an error whose reason the latest read has told. */
	explainedChanges?: readonly StatusChange[];
	/** Of the computer that was opened last. */
	history?: { id: string; changes: readonly Change[] };
	/** Includes those that are no longer in `changes`. */
	changeCount: number;
};

export type Connection = Pick<AccountState, 'reads' | 'contact' | 'standings'>;

export type ComputerState = {
	id: string;
	reading: Reading;
	phase: Phase;
	since: PhaseStart;
	isListed: boolean;
	/** A stage is missing if no read saw it begin. */
	stageStarts?: Readonly<Record<string, number>>;
	stopReason?: StopReason;
	/** Absent if it is not known. */
	idleForMs?: number;
	/** A read by id found none, and the next list decides. */
	isMissing: boolean;
	/** When an operation was accepted, which makes an answer to an earlier request outdated. */
	answersValidFrom?: number;
	/** The latest version that was known when the status was read, or an empty text. */
	statusReadFor?: string;
};

export type AnswerTime = {
	askedAt: number;
	at: number;
	/** The planned milliseconds until the next answer of the same kind. */
	every?: number;
};

export type ComputerReads = {
	status?: AnswerTime;
	detail?: AnswerTime;
	/** The newest answer that told it: a list, a status, a detail, or one of an earlier run. */
	statusAnswer?: AnswerTime;
	/** When an earlier run had read what is known of the computer. */
	restoredFrom?: number;
	failing?: Readonly<Partial<Record<ComputerReadName, FailureStreak>>>;
};

export type FailureStreak = {
	failure: Failure;
	firstAskedAt: number;
	firstFailedAt: number;
	lastFailedAt: number;
	attempts: number;
	nextAt?: number;
};

export type Contact = {
	/** Since then, no silence was long enough for a computer to sleep and wake unnoticed. */
	since: number;
	lastAnswerAt: number;
	fleetAt?: number;
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
	listNotes: {},
	usage: new Map(),
	samples: [],
	changes: [],
	changeCount: 0,
};
