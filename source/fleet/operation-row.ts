import type { Credits } from '../fleet/account.ts';
import type { Phase, PublishedPort, Reading } from '../fleet/computer.ts';
import type { OperationId, OperationSpec } from '../fleet/operation.ts';
import type { Runway } from '../fleet/runway.ts';
import type { Uptime } from '../fleet/uptime.ts';
import type { Budget } from '../pace/budget.ts';
import type { Scope } from '../pace/limits.ts';
import type { Platform } from '../platform/platform.ts';
import type { RequestOptions } from '../platform/transport.ts';
import type { ComputerState } from '../store/state.ts';
import type { Allowance } from './allowance.ts';

/** The values of an operation that a person enters or chooses, beside its targets. */
export type OperationDetails = {
	port?: number;
	/** The name of a new computer. */
	name?: string;
	provider?: string;
};

/** A computer as it was when the question opened. */
export type Target = {
	id: string;
	/** The name, or the id of a computer without one. */
	name: string;
	phase: Phase;
	version?: string;
	uptime?: Uptime;
	/** The published ports; absent when unknown. */
	ports?: readonly number[];
};

/** A chosen computer that does not accept the operation, with the reason. */
export type SkippedComputer = { id: string; name: string; reason: string };

/** The facts about the account that a question can mention, apart from its targets. */
export type QuestionContext = {
	now: number;
	/** The latest version, if known. */
	latestVersion?: string;
	releaseTitle?: string;
	/** Milliseconds after which the plan puts an idle computer to sleep; absent when unknown. */
	idleLimitMs?: number;
	planName?: string;
	credits?: Credits;
	runway: Runway | null;
	/** How many computers are active, and so burn credits, now. */
	activeCount: number;
	/** How many creates the rate limit still allows, and when the next one is possible. */
	createBudget: Budget;
	/** The milliseconds that this kind of operation usually takes; absent if there was none before. */
	usualDurationMs?: number;
};

/** The response of the platform that accepted an operation. */
export type Acceptance = { computer?: string; reading?: Reading; published?: PublishedPort };

/** How a person confirms an operation on one computer, unless the profile is stricter. */
export type Confirmation = 'yes-no' | 'typed-name';

/** The calls of the platform that change something, or that recheck a refused request. */
export type OperationApi = Pick<
	Platform,
	| 'createComputer'
	| 'startComputer'
	| 'stopComputer'
	| 'restartComputer'
	| 'updateComputer'
	| 'deleteComputer'
	| 'publishPort'
	| 'unpublishPort'
	| 'readStatus'
	| 'readComputer'
	| 'visitPort'
>;

/** Everything about one kind of operation, except when an operation has settled. `settlement.ts` decides that. */
export type OperationRow = {
	id: OperationId;
	/** The operation as a command, such as "Stop". */
	label: string;
	/** The third person for the help of the key, such as "stops". */
	verbInHelp: string;
	/** The operation while it is under way, such as "Stopping". */
	doingLabel: string;
	/** The past participle, such as "stopped". */
	doneLabel: string;
	/** The sentence in the help and in the palette. */
	help: string;
	/** The rate limit that the request counts against. */
	scope: Exclude<Scope, 'status'>;
	confirmation: Confirmation;
	/** The operation ends what runs on the computer, so a person types the confirmation for several computers. */
	isLossy: boolean;
	/** Whether a computer accepts the operation now; if not, with the reason. */
	allowanceOf(computer: ComputerState, latestVersion: string | undefined): Allowance;
	/** The lines of the question: what the operation costs, keeps and loses. */
	questionLines(targets: readonly Target[], context: QuestionContext): readonly string[];
	sendRequest(
		platform: OperationApi,
		spec: OperationSpec & OperationDetails,
		requestOptions: RequestOptions,
	): Promise<Acceptance>;
	/**
	 * Whether the computer has reached the goal of the operation, or is on the way to the goal. If so, a
	 * refusal such as "already in progress" is no failure, and a request without a response did arrive.
	 */
	isAlreadyHappening(computer: ComputerState, spec: OperationSpec): boolean;
	/** Milliseconds between the answer and the request. Until then, Esc cancels the operation. */
	graceMs: number;
	/** The time after which an operation without an outcome is overdue: "still stopping after 60 s". */
	overdueAfterMs: number;
};
