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

export type OperationStage = (typeof stages)[number];

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
	countdownEndsAt?: number;
	sentAt?: number;
	acceptedAt?: number;
	endedAt?: number;
	failure?: Failure;
	readingBefore?: Reading;
	/** Until the response to a create comes; absent if no complete list was read. */
	idsBeforeCreate?: ReadonlySet<string>;
	hasPhaseChanged: boolean;
	/** Absent for this process, which then follows the operation. */
	pane?: string;
	/** The recorder of this host follows the operation from then on. */
	abandonedAt?: number;
	/** The computers of its question that did not accept the operation. */
	skipped?: number;
};

export const isOfThisProcess = ({ pane }: Pick<Operation, 'pane'>) => pane === undefined;

export const isUnderWay = ({ stage }: Pick<Operation, 'stage'>) =>
	!['failed', 'done', 'cancelled', 'skipped'].includes(stage);

/** Such an operation has not failed. */
export const hasUnknownOutcome = ({ stage, failure }: Operation) =>
	stage === 'failed' && failure?.isOutcomeUnknown === true;

export const isUnsent = ({ stage }: Pick<Operation, 'stage'>) =>
	['counting', 'held', 'queued'].includes(stage);

/** `operation-table.ts` has a row for each id that this version knows; a file of another version may contain others. */
export type OperationId = string;

export const operationSpecFields = {
	key: v.word,
	operation: v.word,
	/** Absent for a create until the platform has answered. */
	computer: v.optional(v.id),
	name: v.optional(v.word),
	port: v.optional(v.port),
	version: v.optional(v.word),
	batch: v.optional(v.word),
};

export const operationSpecSchema = v.object(operationSpecFields);

export type OperationSpec = v.ValueOf<typeof operationSpecSchema>;

/** The same for all operations of one question. */
export const questionIdOf = ({ key, batch = key }: OperationSpec): string => batch;

/** One whose response was lost is checked, and unknown if that reveals nothing. */
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
	skipped: number;
	askedAt: number;
	endedAt?: number;
	isOver: boolean;
	pane?: string;
};
