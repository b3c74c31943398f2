import type { Operation } from '../../fleet/operations/operation.ts';
import type { Operations } from '../../operations/operations.ts';
import { pendingCreate, shownBatchOf } from '../../store/our-operations.ts';
import type { JointAccount } from '../../store/state.ts';

/** Says where a person can find a dismissed outcome. */
export const dismissedText = 'Dismissed: the log keeps it';

/**
 * Dismisses the first of these that exists: a finished batch whose result is shown, the failed operation of the
 * computer under the cursor, a failed create.
 */
export function dismissOutcome(
	operations: Operations,
	account: JointAccount,
	operationUnderCursor: Operation | undefined,
): boolean {
	const shownBatch = shownBatchOf(account);
	if (shownBatch?.isOver) {
		operations.dismissBatch(shownBatch.id);
		return true;
	}
	const finishedBatch = [...account.batches.values()].findLast(({ isOver }) => isOver);
	const failedOperation = [operationUnderCursor, pendingCreate(account)].find(
		candidate => candidate?.stage === 'failed',
	);
	if (failedOperation) operations.markSeen(failedOperation.spec.key);
	else if (finishedBatch) operations.dismissBatch(finishedBatch.id);
	return (failedOperation ?? finishedBatch) !== undefined;
}
