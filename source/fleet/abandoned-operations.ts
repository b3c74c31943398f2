import type { Change, OperationMove } from './change.ts';

/**
 * Returns the last steps of the operations of other processes that the log has no end of. If such a process was killed, the
 * operation is abandoned. If it ended by itself after the platform had accepted the request, `isAccepted` says so.
 */
export function unendedOperations(changes: readonly Change[]): readonly OperationMove[] {
	const lastSteps = new Map<string, OperationMove>();
	for (const change of changes)
		if (change.type === 'operationMoved') lastSteps.set(change.wish.key, change);
	return [...lastSteps.values()].filter(({ to, pane }) => to === 'sent' && pane !== undefined);
}

export const endedWhileItRanText = 'crowsnest ended while it ran';
