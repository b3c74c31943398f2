import type { Change } from '../fleet/change.ts';
import type { RateLimitUsage } from '../fleet/fact.ts';
import { isUnderWay, type Operation, type OperationId } from '../fleet/operations/operation.ts';
import type { OperationRow } from '../fleet/operations/operation-row.ts';
import { operationRowOf } from '../fleet/operations/operation-table.ts';
import { durationText } from '../foundation/duration.ts';
import { documentedLimits, slotLifetimeMs } from '../limits/limits.ts';

function timeSinceSent(operation: Operation, now: number): number | undefined {
	const { sentAt } = operation;
	return sentAt === undefined || !isUnderWay(operation) ? undefined : Math.max(0, now - sentAt);
}

export function isOverdue(operation: Operation, now: number): boolean {
	const { overdueAfterMs } = operationRowOf(operation.spec.operation);
	return (timeSinceSent(operation, now) ?? 0) > overdueAfterMs;
}

/** Returns a text such as "still stopping after 60 s"; undefined while the operation is not overdue. */
export function overdueText(operation: Operation, now: number): string | undefined {
	if (!isOverdue(operation, now)) return undefined;
	const { doingLabel } = operationRowOf(operation.spec.operation);
	const time = durationText(timeSinceSent(operation, now) ?? 0);
	return `still ${doingLabel.toLowerCase()} after ${time}`;
}

// An operation that takes up to one and a half times the usual duration is not called slow.
const slowFactor = 1.5;

export function usualDurationIfSlow(
	operation: Operation,
	changes: readonly Change[],
	now: number,
): number | undefined {
	const time = timeSinceSent(operation, now);
	const usual = usualDurationOf(changes, operation.spec.operation);
	return time !== undefined && usual !== undefined && time >= usual * slowFactor
		? usual
		: undefined;
}

const maxSampledDurations = 20;

/** The median from sending to settling, which ignores the few operations that got stuck. */
export function usualDurationOf(
	changes: readonly Change[],
	operation: OperationId,
): number | undefined {
	const sentAt = new Map<string, number>();
	const durations: number[] = [];
	for (const change of changes) {
		if (change.type !== 'operationMoved' || change.wish.operation !== operation) continue;
		const { key } = change.wish;
		const sent = sentAt.get(key);
		if (change.to === 'sent') sentAt.set(key, change.at);
		else if (change.to === 'settled' && sent !== undefined && change.at >= sent)
			durations.push(change.at - sent);
	}
	const latest = durations.slice(-maxSampledDurations).sort((a, b) => a - b);
	return latest[Math.floor((latest.length - 1) / 2)];
}

// The estimate assumes that other clients leave at least this share of the limit.
const minShareOfLimit = 1 / 12;

/** Until the last one is sent. Operations go before reads, so they get every slot that becomes free. */
export function estimateSendingTime(
	count: number,
	scope: OperationRow['scope'],
	usage: RateLimitUsage | undefined,
	now: number,
): number {
	if (scope === 'none' || !usage) return 0;
	const { limit, spent, nextOperationAt = now, elsewhere = 0 } = usage[scope];
	const waiting = count - (limit - spent);
	if (waiting <= 0) return 0;
	const ours = Math.max(limit - elsewhere, limit * minShareOfLimit);
	const flowing = (waiting / ours) * slotLifetimeMs(documentedLimits[scope]);
	return Math.max(flowing, nextOperationAt - now);
}
