import type { OperationSpec } from '../fleet/operations/operation.ts';
import type { PendingOperations } from './pending-operations.ts';

/**
 * The operations to cancel: one, those of a batch or of an account, those that count down, or all. A batch that counts
 * down is cancelled as a whole.
 */
export type CancelSelection =
	| { key: string }
	| { batch: string }
	| { account: string }
	| 'countingDown'
	| 'all';

/** Returns a function that says whether an operation is to be cancelled. */
export function selectionTest(
	selection: CancelSelection,
	accounts: readonly { pending: Pick<PendingOperations, 'countingDown'> }[],
): (spec: OperationSpec, account: string) => boolean {
	if (selection === 'all') return () => true;
	if (selection !== 'countingDown') {
		if ('account' in selection) return (_, ofAccount) => ofAccount === selection.account;
		return ({ key, batch }) =>
			'key' in selection ? key === selection.key : batch === selection.batch;
	}
	const counting = new Set(accounts.flatMap(({ pending }) => [...pending.countingDown()]));
	return ({ key, batch = key }) => counting.has(batch);
}
