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

/** What a person tells beside which computers: all of it is captured with the question. */
export type Details = {
	port?: number;
	/** Of a new computer. */
	name?: string;
	provider?: string;
};

/** One computer as it was when the question opened. */
export type Target = {
	id: string;
	/** Its name, or its id when it has none. */
	name: string;
	phase: Phase;
	version?: string;
	uptime?: Uptime;
	/** The published ones; absent when nothing tells. */
	ports?: readonly number[];
};

/** A computer that was chosen and does not take the operation, and why. */
export type Skipped = { id: string; name: string; reason: string };

/** What a question tells of beside its targets. */
export type QuestionContext = {
	now: number;
	/** The newest version that is out, when known. */
	latest?: string;
	releaseTitle?: string;
	/** Milliseconds of idling after which the plan puts a computer to sleep; absent when unknown. */
	idleLimit?: number;
	planName?: string;
	credits?: Credits;
	runway: Runway | null;
	/** How many computers burn that now. */
	activeCount: number;
	/** The budget for creating. */
	createBudget: Budget;
	/** What such an operation usually took here, when it was done before. */
	usualDuration?: number;
};

/** What the platform answered when it took an operation on. */
export type Acceptance = { computer?: string; reading?: Reading; published?: PublishedPort };

/** How an operation is confirmed when it is for one computer and nobody wants it stricter. */
export type Confirmation = 'yes-no' | 'typed-name';

/** The part of the platform that changes something, or looks at what a refusal was about. */
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
 * One thing that a person can ask for. How it ended is judged by `fleet/settlement.ts`; whatever else
 * one needs to know of an operation stands here.
 */
export type OperationRow = {
	id: OperationId;
	/** "Stop" */
	label: string;
	/** "stops", of the key that does it */
	does: string;
	/** "Stopping" */
	doing: string;
	/** "stopped" */
	done: string;
	/** For help and the palette. */
	help: string;
	/** Which budget its request is counted in. */
	scope: Exclude<Scope, 'status'>;
	confirmation: Confirmation;
	/** Asked of several computers at once, it must be typed: something running is cut off, or more. */
	isLossy: boolean;
	/** Whether a computer takes it as it is now, and why not. */
	allowed(computer: ComputerState, latest: string | undefined): Allowance;
	/** What it costs, what is kept and what is lost, in the documentation's terms. */
	lines(targets: readonly Target[], circumstances: QuestionContext): readonly string[];
	request(
		platform: OperationApi,
		wish: OperationSpec & Details,
		asking: RequestOptions,
	): Promise<Acceptance>;
	/**
	 * It is so already, or on its way to be: then a refusal ("already in progress") is no failure, and
	 * a request whose answer was lost did arrive.
	 */
	isAlreadyHappening(computer: ComputerState, wish: OperationSpec): boolean;
	/** Milliseconds between the answer and the request, in which Esc still keeps everything as it is. */
	grace: number;
	/** Settling longer than that is told: "still stopping after 60 s". */
	limit: number;
};
