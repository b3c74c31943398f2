import type { Reading } from './computer.ts';
import type { Failure } from './failure.ts';
import * as v from './schema.ts';

/**
 * How far an operation has come. Settled and cancelled operations are removed; a failed operation stays
 * until a person has seen it.
 */
export type OperationStage = 'asked' | 'sent' | 'accepted' | 'unknown' | 'failed';

/**
 * An operation of this program. The store keeps it until it settles, or until a person has seen its failure:
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
	/** When the operation failed, or when its response was lost; absent after any other outcome. */
	endedAt?: number;
	failure?: Failure;
	/** The last reading of the computer before the request was sent. */
	readingBefore?: Reading;
	/** Whether the computer was seen in another phase since the request was sent. */
	hasPhaseChanged: boolean;
	/** Whether a person has seen that the outcome is unknown. The program still tries to find it out. */
	isSeen: boolean;
};

/** Whether the outcome is not known yet. */
export function isUnderWay({ stage }: Operation): boolean {
	return stage !== 'failed';
}

/**
 * The id of an operation. `operation-table.ts` has a row for each id that this version knows; a file of another
 * version may contain others.
 */
export type OperationId = string;

export const operationSpecSchema = v.object({
	/** The id of the operation. Every later fact about this operation has the same key. */
	key: v.word,
	operation: v.word,
	/** The id of the computer; absent for a create until the platform has answered. */
	computer: v.optional(v.id),
	/** The name that the question showed for the computer. */
	name: v.optional(v.name),
	port: v.optional(v.port),
	version: v.optional(v.word),
	/** The id of the batch, shared by all operations that were asked for together. */
	batch: v.optional(v.word),
});

/** What to do to which computer. The values were captured when the question opened. */
export type OperationSpec = v.ValueOf<typeof operationSpecSchema>;
