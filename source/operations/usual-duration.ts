import type { Change, OperationMove } from '../fleet/change.ts';
import type { OperationId } from '../fleet/fact.ts';

const remembered = 20;

/**
 * How long such an operation took here of late, from when it was sent until it had settled: the middle
 * one of the last twenty, so that one that got stuck does not count. Waiting for a turn is not counted.
 */
export function usualDuration(
	changes: readonly Change[],
	operation: OperationId,
): number | undefined {
	const sentAt = new Map<string, number>();
	const durations: number[] = [];
	for (const change of changes) {
		if (change.type !== 'operationMoved' || change.wish.operation !== operation) continue;
		noteDuration(change, sentAt, durations);
	}
	const latest = durations.slice(-remembered).sort((a, b) => a - b);
	return latest[Math.floor((latest.length - 1) / 2)];
}

function noteDuration(
	{ wish: { key }, to, at }: OperationMove,
	sentAt: Map<string, number>,
	durations: number[],
): void {
	if (to === 'sent') sentAt.set(key, at);
	const sent = sentAt.get(key);
	if (to === 'settled' && sent !== undefined && at >= sent) durations.push(at - sent);
}
