import type { Change, OperationMove } from './change.ts';

/** A process that ended by itself after the platform had accepted the request left `isAccepted`. */
export function unendedOperations(changes: readonly Change[]): readonly OperationMove[] {
	const lastSteps = new Map<string, OperationMove>();
	for (const change of changes)
		if (change.type === 'operationMoved') lastSteps.set(change.wish.key, change);
	return [...lastSteps.values()].filter(({ to, pane }) => to === 'sent' && pane !== undefined);
}

export const endedWhileItRanText = 'crowsnest ended while it ran';
