import type { Reading } from './computer.ts';
import type { Failure } from './failure.ts';

/** How far an operation is. Settled and cancelled ones are removed; a failure stays until seen. */
export type OperationStage = 'asked' | 'sent' | 'accepted' | 'unknown' | 'failed';

/**
 * One of our operations, until it settles or a person has seen its failure:
 *
 * ```
 *   asked ──▶ sent ──▶ accepted ──▶ (settled)
 *     │         ├──▶ unknown ──▶ accepted, (settled) or failed
 *     ▼         └──▶ failed ──▶ (seen)
 *   (cancelled)
 * ```
 */
export type Operation = {
	spec: OperationSpec;
	stage: OperationStage;
	askedAt: number;
	sentAt?: number;
	acceptedAt?: number;
	/** When it failed, or when its response was lost. */
	endedAt?: number;
	failure?: Failure;
	/** The computer as it was known when the request was sent. */
	before?: Reading;
	/** The computer was seen in another phase since the request was sent. */
	hasMoved: boolean;
	/** A person has seen that the outcome is unknown. It is still looked up. */
	isSeen: boolean;
};

/** The outcome is not known yet. */
export function isUnderWay({ stage }: Operation): boolean {
	return stage !== 'failed';
}

export type OperationId =
	| 'create'
	| 'start'
	| 'stop'
	| 'restart'
	| 'update'
	| 'delete'
	| 'publish'
	| 'unpublish';

/** What to do to which computer, captured when the question opened. */
export type OperationSpec = {
	/** The id of the operation. Every later fact about it has the same key. */
	key: string;
	operation: OperationId;
	/** Absent for a create until the platform has answered. */
	computer?: string;
	/** The name of the computer in the question. */
	name?: string;
	port?: number;
	version?: string;
	/** Shared by operations that were asked for together. */
	batch?: string;
};
