import type { Reading } from './computer.ts';
import type { Failure } from './failure.ts';

/** How far an operation has come. What settled or was cancelled is gone; a failure stays until seen. */
export type OperationStage = 'asked' | 'sent' | 'accepted' | 'unknown' | 'failed';

/** One operation of ours, from when it was asked for until it settled or a person saw how it failed. */
export type Operation = {
	spec: OperationSpec;
	stage: OperationStage;
	askedAt: number;
	sentAt?: number;
	acceptedAt?: number;
	/** When it failed, or its answer was lost. */
	endedAt?: number;
	failure?: Failure;
	/** What was known of the computer when the request went out. */
	before?: Reading;
	/** Since it was sent, the computer was seen in another phase than before. */
	hasMoved: boolean;
	/** A person saw that its outcome is unknown; it is still looked up. */
	isSeen: boolean;
};

/** Asked for, and nobody knows yet how it ends. */
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

/** One operation on one computer, captured when its question opened. */
export type OperationSpec = {
	/** Its own id: every later fact about it carries the same one. */
	key: string;
	operation: OperationId;
	/** The computer it is for; absent for a create until the platform has answered. */
	computer?: string;
	/** Its name as it stood in the question. */
	name?: string;
	port?: number;
	version?: string;
	/** Operations that were asked for together share one. */
	batch?: string;
};
