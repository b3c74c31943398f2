import type { Credits } from '../computers/account.ts';
import type { Phase } from '../computers/computer.ts';
import type { Uptime } from '../computers/uptime.ts';
import type { CommandLine, OwnCommand } from './own-command.ts';
import type { Strictness } from './strictness.ts';

/** The values of an operation that a person enters or chooses, in addition to the targets. */
export type OperationDetails = {
	port?: number | undefined;
	/** The name of a new computer. */
	name?: string | undefined;
	provider?: string | undefined;
	/** The command line of an own command for the computer, as the question showed it. */
	commandLine?: CommandLine | undefined;
};

/** A computer as it was when the question opened. */
export type Target = {
	/** The account of the computer, as a key of the store. */
	account: string;
	id: string;
	/** The name, or the id of a computer without one. */
	name: string;
	phase: Phase;
	/** Null if the computer reports none, undefined if nobody has read it yet. */
	version?: string | null | undefined;
	uptime?: Uptime | undefined;
	/** The published ports; absent when unknown. */
	ports?: readonly number[] | undefined;
	/**
	 * What the platform says about a computer in error: null if it gives no reason, undefined if nobody has read it yet. And the
	 * used share of its storage in percent.
	 */
	error?: string | null | undefined;
	storage?: number | undefined;
	/** Whether the computer is in error and has never run. */
	neverRan?: boolean;
	/** The command line of an own command for the computer. */
	commandLine?: CommandLine | undefined;
	/** Whether the computer is stopped, and started before the operation. */
	startsFirst?: boolean;
};

/** A chosen computer that does not accept the operation, with the reason. */
export type SkippedComputer = {
	id: string;
	name: string;
	reason: string;
	/** Whether the computer already is what the operation would make it, such as stopped. */
	isSo?: boolean;
};

/** The facts about the account that a question can mention, apart from its targets. */
export type QuestionContext = {
	now: number;
	/** Whether the question is also about computers of other accounts. */
	isAmongOthers?: boolean;
	/** The latest version, if known. */
	latestVersion?: string | undefined;
	releaseTitle?: string | undefined;
	/** Milliseconds after which the plan puts an idle computer to sleep; absent when unknown. */
	idleLimitMs?: number | undefined;
	planName?: string | undefined;
	credits?: Credits | undefined;
	/** What the account spends an hour, and each active computer; null while that is not known. */
	runway: { burnPerHour: number; eachPerHour?: number } | null;
	/** When the plan renews; absent if it does not, or if the platform does not tell. */
	renewsAt?: number | undefined;
	/** How many creates the rate limit still allows, and when the next one is possible. */
	createBudget: {
		limit: number;
		requestsLeft: { operation: number };
		nextRequestAt: { operation: number };
	};
	/** The milliseconds that this kind of operation usually takes; absent if there was none before. */
	usualDurationMs?: number | undefined;
};

export type QuestionLinesOf = (
	targets: readonly Target[],
	context: QuestionContext,
) => readonly string[];

/**
 * The state of a computer, or of one of its ports, that an operation leads to. `intermediatePhase` is the phase in between,
 * which may pass unseen between two reads.
 */
export type OperationGoal =
	| { reaches: 'phase'; phase: Phase; intermediatePhase: Phase }
	/** The computer is active again, after it was seen in another phase or has a new start time. */
	| { reaches: 'newStart'; intermediatePhase: Phase }
	/** The computer is active again, with the new version. */
	| { reaches: 'version'; intermediatePhase: Phase }
	/** The port is published, or no longer published. */
	| { reaches: 'published' | 'unpublished' }
	| { reaches: 'gone' }
	/** The program that runs in place of a request has ended without an error. */
	| { reaches: 'exit' };

/** Everything about one kind of operation, except its request. `platform/operation-requests.ts` has that. */
export type OperationRow = {
	/** The operation as a command, such as "Stop". */
	label: string;
	/** The operation in its question, before the computer, such as "Run ssh on"; by default the label. */
	questionLabel?: string;
	/** The third person for the help of the key, such as "stops". */
	verbInHelp: string;
	/** The operation while it is under way, such as "Stopping". */
	doingLabel: string;
	/** The past participle, such as "stopped". */
	doneLabel: string;
	/** The sentence in the help and in the palette. */
	help: string;
	/** The name of the subcommand. */
	commandName: string;
	/**
	 * The subject that the operation changes. An operation on the account has no target, because it creates a computer.
	 */
	subject: 'account' | 'computer' | 'port';
	/** The phases in which a computer accepts the operation. */
	allowedFrom: readonly Phase[];
	/**
	 * The phases in which the operation is allowed but seldom helps. There it has no hint and comes last in the palette.
	 */
	seldomHelpsIn?: readonly Phase[];
	/** The reasons for a refusal that differ from the usual reason for the phase. */
	refusalReasons?: Readonly<Partial<Record<Phase, string>>>;
	goal: OperationGoal;
	/** The read that shows whether the operation was done, if its response was lost. */
	evidence: 'status' | 'detail' | 'list';
	/** Whether the operation ends what runs on the computer. If so, its confirmation is typed in production. */
	endsProcesses: boolean;
	/** Whether the operation may change something. If not, it is allowed while the monitor is locked or read-only. */
	changes: boolean;
	/** The own command that runs in place of a request. */
	ownCommand?: OwnCommand;
	/** Why the operation is not possible here at all, such as an own command in the demo. */
	barredBecause?: string;
	/** What the question about a few computers asks for, unless a setting is stricter. */
	asks: Strictness;
	/** Whether a setting can switch off the question about a few computers. */
	mayBeUnasked: boolean;
	/** Whether the request contains the latest version, which must be read before. */
	needsLatestVersion: boolean;
	/** The lines of the question: what the operation costs, keeps and loses. */
	questionLines: QuestionLinesOf;
	/** A short form of these lines, for a screen that has no room for all of them. */
	shortConsequence: (targets: readonly Target[]) => readonly string[];
	/** The rate limit that the request counts against; `none` for an operation without a request. */
	scope: 'create' | 'other' | 'none';
	/** The time after which an operation without an outcome is overdue: "still stopping after 60 s". */
	overdueAfterMs: number;
};
