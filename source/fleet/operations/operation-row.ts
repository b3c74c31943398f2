import type { Credits } from '../computers/account.ts';
import type { Phase } from '../computers/computer.ts';
import type { Uptime } from '../computers/uptime.ts';
import type { CommandLine, OwnCommand } from './own-command.ts';
import type { Strictness } from './strictness.ts';

export type OperationDetails = {
	port?: number | undefined;
	name?: string | undefined;
	provider?: string | undefined;
	/** As the question showed it. */
	commandLine?: CommandLine | undefined;
};

/** A computer as it was when the question opened. */
export type Target = {
	account: string;
	id: string;
	/** The id, if the computer has no name. */
	name: string;
	phase: Phase;
	/** Null if the computer reports none, undefined if nobody has read it yet. */
	version?: string | null | undefined;
	uptime?: Uptime | undefined;
	ports?: readonly number[] | undefined;
	/** Null if the platform gives no reason, undefined if nobody has read it yet. */
	error?: string | null | undefined;
	storage?: number | undefined;
	/** Whether the computer is in error and has never run. */
	neverRan?: boolean;
	commandLine?: CommandLine | undefined;
	/** Whether the computer is stopped, and started before the operation. */
	startsFirst?: boolean;
};

export type SkippedComputer = {
	id: string;
	name: string;
	reason: string;
	/** Whether the computer already is what the operation would make it, such as stopped. */
	isSo?: boolean;
};

export type QuestionContext = {
	now: number;
	/** Whether the question is about computers of several accounts, so that "it" would not be clear for the only one here. */
	isOfSeveralAccounts?: boolean;
	latestVersion?: string | undefined;
	releaseTitle?: string | undefined;
	idleLimitMs?: number | undefined;
	planName?: string | undefined;
	credits?: Credits | undefined;
	/** Null while that is not known. */
	runway: { burnPerHour: number; eachPerHour?: number } | null;
	/** When the plan renews; absent if it does not, or if the platform does not tell. */
	renewsAt?: number | undefined;
	createSlots: {
		limit: number;
		free: { operation: number };
		nextAt: { operation: number };
	};
	/** Absent if there was none before. */
	usualDurationMs?: number | undefined;
};

type QuestionLinesOf = (targets: readonly Target[], context: QuestionContext) => readonly string[];

/** What an operation leads to. The phase in between, `intermediatePhase`, may pass unseen between two reads. */
export type OperationGoal =
	| { reaches: 'phase'; phase: Phase; intermediatePhase: Phase }
	/** The computer is active again, after it was seen in another phase or has a new start time. */
	| { reaches: 'newStart'; intermediatePhase: Phase }
	/** The computer is active again, with the new version. */
	| { reaches: 'version'; intermediatePhase: Phase }
	| { reaches: 'published' | 'unpublished' }
	| { reaches: 'gone' }
	/** Nothing that a read shows: the operation is done when the platform has accepted it. */
	| { reaches: 'accepted' }
	/** The program that runs in place of a request has ended without an error. */
	| { reaches: 'exit' };

/** A kind of operation. It is a POST to its id below the computer, unless `platform/operation-requests.ts` has another. */
export type OperationRow = {
	label: string;
	/** The operation in its question, before the computer, such as "Run ssh on"; by default the label. */
	questionLabel?: string;
	/** The third person, such as "stops". */
	verbInHelp: string;
	/** Such as "Stopping". */
	doingLabel: string;
	/** Such as "stopped". */
	doneLabel: string;
	help: string;
	/** An own command has its key from the configuration. */
	key?: string;
	commandName: string;
	examples?: readonly string[];
	/** An operation on the account has no target, because it creates a computer. */
	subject: 'account' | 'computer' | 'port';
	allowedFrom: readonly Phase[];
	/** Where the operation is allowed but seldom helps, it has no hint and comes last in the palette. */
	seldomHelpsIn?: readonly Phase[];
	refusalReasons?: Readonly<Partial<Record<Phase, string>>>;
	goal: OperationGoal;
	evidence: 'status' | 'detail' | 'list';
	/** If so, the confirmation is typed in production. */
	endsProcesses: boolean;
	/** If not, the operation is allowed while the monitor is locked or read-only. */
	changes: boolean;
	ownCommand?: OwnCommand;
	/** Why the operation is not possible here at all, such as an own command in the demo. */
	barredBecause?: string;
	/** About a few computers, unless a setting is stricter. */
	asks: Strictness;
	mayBeUnasked: boolean;
	needsLatestVersion: boolean;
	questionLines: QuestionLinesOf;
	/** For a screen that has no room for all lines. */
	shortConsequence: (targets: readonly Target[]) => readonly string[];
	/** `none` for an operation without a request. */
	scope: 'create' | 'other' | 'none';
	/** The time after which an operation without an outcome is overdue: "still stopping after 60 s". */
	overdueAfterMs: number;
};
