import type { Operation } from '../../fleet/operations/operation.ts';
import type { Operations } from '../../operations/operations.ts';
import { nextDismissible } from '../../store/our-operations.ts';
import type { JointAccount } from '../../store/state.ts';

/** Says where a person can find a dismissed outcome. */
export const dismissedText = 'Dismissed: the log keeps it';

/** Dismisses what Esc dismisses next, if there is anything. */
export function dismissOutcome(
	operations: Operations,
	account: JointAccount,
	operationUnderCursor: Operation | undefined,
): boolean {
	const next = nextDismissible(account, operationUnderCursor);
	if (!next) return false;
	if ('batch' in next) operations.dismissBatch(next.batch);
	else operations.markSeen(next.key);
	return true;
}
