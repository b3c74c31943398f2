import type { Change, OperationMove } from './change.ts';

/**
 * Returns the last steps of the operations that a process sent and did not follow to their end, because it was killed:
 *
 * ```
 *   sent ─▶ settled, failed, unknown, cancelled       has an end
 *   sent, accepted when its process ended             left to the platform
 *   sent, and its process runs                        goes on
 *   sent, and its process has ended                   abandoned
 * ```
 */
export function abandonedOperations(
	changes: readonly Change[],
	/** Whether the process that noted a step has ended. */
	hasEnded: (step: OperationMove) => boolean,
): readonly OperationMove[] {
	const lastSteps = new Map<string, OperationMove>();
	for (const change of changes)
		if (change.type === 'operationMoved') lastSteps.set(change.wish.key, change);
	return [...lastSteps.values()].filter(
		step => step.to === 'sent' && !step.isAccepted && hasEnded(step),
	);
}

/** Says why the outcome of such an operation is not known. */
export const endedWhileItRanText = 'crowsnest ended while it ran';
