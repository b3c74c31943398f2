import type { Change, OperationMove } from '../fleet/change.ts';
import { durationText } from '../fleet/duration.ts';
import { isUnderWay, type Operation, type OperationId } from '../fleet/operation.ts';
import type { Budget } from '../pace/budget.ts';
import { documentedLimits, type Scope, slotLifetime } from '../pace/limits.ts';
import { operationTable } from './operation-table.ts';

/** How long it has been since the request went out, while its end is not known. */
function settlingTime(operation: Operation, now: number): number | undefined {
	const { sentAt } = operation;
	return sentAt === undefined || !isUnderWay(operation) ? undefined : Math.max(0, now - sentAt);
}

export function isOverdue(operation: Operation, now: number): boolean {
	return (settlingTime(operation, now) ?? 0) > operationTable[operation.spec.operation].limit;
}

/** "still stopping after 60 s", from its time limit on. */
export function overdueText(operation: Operation, now: number): string | undefined {
	const time = settlingTime(operation, now);
	if (time === undefined || !isOverdue(operation, now)) return undefined;
	const { doing } = operationTable[operation.spec.operation];
	return `still ${doing.toLowerCase()} after ${durationText(time)}`;
}

// A little longer is nothing to tell of.
const remarkablySlow = 1.5;

/** What it usually takes here, when this one has taken remarkably longer. */
export function usualIfSlow(
	operation: Operation,
	changes: readonly Change[],
	now: number,
): number | undefined {
	const time = settlingTime(operation, now);
	const usual = usualDuration(changes, operation.spec.operation);
	if (time === undefined || usual === undefined || time < usual * remarkablySlow) return undefined;
	return usual;
}

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

// Whatever others spend, some of the budget comes our way.
const leastShare = 1 / 12;

/**
 * About how long it takes to send so many requests. Operations go before all reads, so while some wait
 * every slot that becomes free is theirs.
 */
export function sendingTime(
	count: number,
	scope: Exclude<Scope, 'status'>,
	{ limit, left, nextAt, spentElsewhere }: Budget,
	now: number,
): number {
	const waiting = count - left.operation;
	if (waiting <= 0) return 0;
	const ours = Math.max(limit - spentElsewhere, limit * leastShare);
	const flowing = (waiting / ours) * slotLifetime(documentedLimits[scope]);
	return Math.max(flowing, nextAt.operation - now);
}
