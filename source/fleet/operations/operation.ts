import type { Failure } from '../../foundation/failure.ts';
import * as v from '../../foundation/schema.ts';
import type { Reading } from '../computers/computer.ts';

const stages = [
	'counting',
	'held',
	'queued',
	'sent',
	'accepted',
	'done',
	'failed',
	'unknown',
	'cancelled',
	'skipped',
] as const;

/** How far an operation has come. A computer is skipped if it does not accept the operation. */
export type OperationStage = (typeof stages)[number];

/** The steps of an operation: a new stage, or a person has seen how it failed. */
export const operationSteps = [...stages, 'seen'] as const;

/**
 * An operation of this program, with the stage that the facts about it say:
 *
 * ```
 *   skipped
 *
 *   counting ◀──▶ held        a dialog hides the countdown, and it starts again afterwards
 *      │           │
 *      ├───────────┴──▶ cancelled            Esc, or the end of the program
 *      ▼                   ▲
 *   queued ────────────────┘
 *      │ ▲
 *      │ └── the rate limit refused the request
 *      ▼ │
 *     sent ──▶ failed                          the platform refused the request
 *      │ └───▶ unknown ──▶ accepted, failed    no response came, and the state of the computer decides
 *      ▼
 *   accepted ──▶ done, failed
 * ```
 *
 * The store keeps the operation until it is done or cancelled, or until a person has seen its failure. It then keeps
 * how the operations of the last question ended.
 */
export type Operation = {
	spec: OperationSpec;
	stage: OperationStage;
	askedAt: number;
	graceEndsAt?: number;
	heldGraceMs?: number;
	sentAt?: number;
	acceptedAt?: number;
	/** When the operation ended, or when its response was lost. */
	endedAt?: number;
	failure?: Failure;
	readingBefore?: Reading;
	/** The ids of all computers when a create was sent, until its response comes; absent if no complete list was read. */
	idsBeforeCreate?: ReadonlySet<string>;
	hasPhaseChanged: boolean;
	/** The id of the process that a person asked; absent for this process, which then follows the operation. */
	pane?: string;
	/** When that process was found to have ended. The recorder of this host follows the operation from then on. */
	abandonedAt?: number;
	/** How many other computers of its question did not accept the operation. */
	skipped?: number;
};

export function isOfThisProcess({ pane }: Pick<Operation, 'pane'>): boolean {
	return pane === undefined;
}

export function isUnderWay({ stage }: Pick<Operation, 'stage'>): boolean {
	return stage !== 'failed' && stage !== 'done' && stage !== 'cancelled' && stage !== 'skipped';
}

/** Whether the operation has ended, although its outcome is not known. Such an operation has not failed. */
export function hasUnknownOutcome({ stage, failure }: Operation): boolean {
	return stage === 'failed' && failure?.isOutcomeUnknown === true;
}

export const isCancelledWhole = ({
	countsByState,
	total,
}: Pick<BatchProgress, 'countsByState' | 'total'>): boolean => countsByState.cancelled === total;

/** Whether the request has not left yet, so that Esc cancels the operation. */
export function isUnsent({ stage }: Pick<Operation, 'stage'>): boolean {
	return stage === 'counting' || stage === 'held' || stage === 'queued';
}

/** `operation-table.ts` has a row for each id that this version knows; a file of another version may contain others. */
export type OperationId = string;

export const operationSpecFields = {
	key: v.word,
	operation: v.word,
	/** The id of the computer; absent for a create until the platform has answered. */
	computer: v.optional(v.id),
	name: v.optional(v.name),
	port: v.optional(v.port),
	version: v.optional(v.word),
	/** Shared by all operations that were asked for together. */
	batch: v.optional(v.word),
};

export const operationSpecSchema = v.object(operationSpecFields);

/** The values were captured when the question opened. */
export type OperationSpec = v.ValueOf<typeof operationSpecSchema>;

/** How far an operation of a batch has come. One whose response was lost is checked, and unknown if that reveals nothing. */
export type BatchItemState =
	| 'waiting'
	| 'underWay'
	| 'checking'
	| 'done'
	| 'failed'
	| 'unknown'
	| 'cancelled';

type BatchProblem = { id: string; name: string; message: string };

export type BatchProgress = {
	id: string;
	operation: OperationId;
	port?: number;
	total: number;
	countsByState: Readonly<Record<BatchItemState, number>>;
	failures: readonly BatchProblem[];
	unknownOutcomes: readonly BatchProblem[];
	/** How many computers of the question did not accept the operation. */
	skipped: number;
	askedAt: number;
	endedAt?: number;
	isOver: boolean;
	/** Absent for this process. */
	pane?: string;
};
