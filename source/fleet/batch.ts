import type { OperationId } from './operation.ts';
import type { SkippedComputer } from './operation-row.ts';

/** How far the operations of a batch have come. Operations that are not sent yet are waiting. */
export type BatchItemState = 'waiting' | 'underWay' | 'done' | 'failed' | 'unknown' | 'cancelled';

/** The operations that one question asked for: how many are in each state, and which failed. */
export type BatchProgress = {
	id: string;
	operation: OperationId;
	port?: number;
	total: number;
	countsByState: Readonly<Record<BatchItemState, number>>;
	failures: readonly { id: string; name: string; message: string }[];
	skipped: readonly SkippedComputer[];
	isOver: boolean;
};
