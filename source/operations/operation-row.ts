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

/** What a person enters beside the targets. The question captures it. */
export type Details = {
	port?: number;
	/** Of a new computer. */
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

/** A computer that was chosen and does not take the operation, and why. */
export type Skipped = { id: string; name: string; reason: string };

/** What a question says beside its targets. */
export type QuestionContext = {
	now: number;
	/** The latest version, if known. */
	latest?: string;
	releaseTitle?: string;
	/** Milliseconds after which the plan puts an idle computer to sleep; absent when unknown. */
	idleLimit?: number;
	planName?: string;
	credits?: Credits;
	runway: Runway | null;
	/** How many computers burn credits now. */
	activeCount: number;
	/** The budget for creating. */
	createBudget: Budget;
	/** How long such an operation usually takes here, if there were any. */
	usualDuration?: number;
};

/** The response of the platform that accepted an operation. */
export type Acceptance = { computer?: string; reading?: Reading; published?: PublishedPort };

/** How an operation on one computer is confirmed, unless the profile is stricter. */
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

/**
 * Everything about one kind of operation, except when it has settled, which `settlement.ts` decides.
 */
export type OperationRow = {
	id: OperationId;
	/** "Stop" */
	label: string;
	/** "stops", in the help of its key */
	does: string;
	/** "Stopping" */
	doing: string;
	/** "stopped" */
	done: string;
	/** For help and the palette. */
	help: string;
	/** The rate limit that counts its request. */
	scope: Exclude<Scope, 'status'>;
	confirmation: Confirmation;
	/** Something running is lost, so that on several computers it must be confirmed by typing. */
	isLossy: boolean;
	/** Whether a computer accepts it now, and why not. */
	allowed(computer: ComputerState, latest: string | undefined): Allowance;
	/** The lines of the question: what it costs, what is kept and what is lost. */
	lines(targets: readonly Target[], circumstances: QuestionContext): readonly string[];
	request(
		platform: OperationApi,
		wish: OperationSpec & Details,
		asking: RequestOptions,
	): Promise<Acceptance>;
	/**
	 * Whether the computer already is, or is becoming, what was asked for. Then a refusal such as "already in
	 * progress" is no failure, and a request without a response did arrive.
	 */
	isAlreadyHappening(computer: ComputerState, wish: OperationSpec): boolean;
	/** Milliseconds between the answer and the request, in which Esc cancels it. */
	grace: number;
	/** After this many milliseconds it is overdue: "still stopping after 60 s". */
	limit: number;
};
