import type { Credits } from '../computers/account.ts';
import type { Phase } from '../computers/computer.ts';
import type { Uptime } from '../computers/uptime.ts';
import type { CommandLine, OwnCommand } from './own-command.ts';
import type { Strictness } from './strictness.ts';

/** The values of an operation that a person enters or chooses, in addition to the targets. */
export type OperationDetails = {
	port?: number | undefined;
	name?: string | undefined;
	provider?: string | undefined;
	/** The command line of an own command for the computer, as the question showed it. */
	commandLine?: CommandLine | undefined;
};

/** A computer as it was when the question opened. */
export type Target = {
	account: string;
	id: string;
	/** The name, or the id of a computer without one. */
	name: string;
	phase: Phase;
	/** Null if the computer reports none, undefined if nobody has read it yet. */
	version?: string | null | undefined;
	uptime?: Uptime | undefined;
	ports?: readonly number[] | undefined;
	/** What the platform says about an error: null if it gives no reason, undefined if nobody has read it yet. */
	error?: string | null | undefined;
	storage?: number | undefined;
	/** Whether the computer is in error and has never run. */
	neverRan?: boolean;
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
	/** Whether the question is about computers of several accounts, so that "it" would not be clear for the only one here. */
	isOfSeveralAccounts?: boolean;
	latestVersion?: string | undefined;
	releaseTitle?: string | undefined;
	idleLimitMs?: number | undefined;
	planName?: string | undefined;
	credits?: Credits | undefined;
	/** What the account spends an hour, and each active computer; null while that is not known. */
	runway: { burnPerHour: number; eachPerHour?: number } | null;
	/** When the plan renews; absent if it does not, or if the platform does not tell. */
	renewsAt?: number | undefined;
	/** How many creates the rate limit still allows, and when the next one is possible. */
	createSlots: {
		limit: number;
		free: { operation: number };
		nextAt: { operation: number };
	};
	/** The milliseconds that this kind of operation usually takes; absent if there was none before. */
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
	/** The port is published, or no longer published. */
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
	/** The third person for the help of the key, such as "stops". */
	verbInHelp: string;
	/** The operation while it is under way, such as "Stopping". */
	doingLabel: string;
	/** The past participle, such as "stopped". */
	doneLabel: string;
	help: string;
	/** The key that asks for the operation in the table of computers; an own command has its key from the configuration. */
	key?: string;
	commandName: string;
	examples?: readonly string[];
	/** What the operation changes. One on the account has no target, because it creates a computer. */
	subject: 'account' | 'computer' | 'port';
	allowedFrom: readonly Phase[];
	/** Where the operation is allowed but seldom helps, it has no hint and comes last in the palette. */
	seldomHelpsIn?: readonly Phase[];
	refusalReasons?: Readonly<Partial<Record<Phase, string>>>;
	goal: OperationGoal;
	evidence: 'status' | 'detail' | 'list';
	/** Whether the operation ends what runs on the computer. If so, its confirmation is typed in production. */
	endsProcesses: boolean;
	/** Whether the operation may change something. If not, it is allowed while the monitor is locked or read-only. */
	changes: boolean;
	ownCommand?: OwnCommand;
	/** Why the operation is not possible here at all, such as an own command in the demo. */
	barredBecause?: string;
	/** What the question about a few computers asks for, unless a setting is stricter. */
	asks: Strictness;
	/** Whether a setting can switch off the question about a few computers. */
	mayBeUnasked: boolean;
	/** Whether the request contains the latest version, which must be read before. */
	needsLatestVersion: boolean;
	questionLines: QuestionLinesOf;
	/** A short form of these lines, for a screen that has no room for all of them. */
	shortConsequence: (targets: readonly Target[]) => readonly string[];
	/** The rate limit that the request counts against; `none` for an operation without a request. */
	scope: 'create' | 'other' | 'none';
	/** The time after which an operation without an outcome is overdue: "still stopping after 60 s". */
	overdueAfterMs: number;
};
