import type { Change, OperationMove } from '../fleet/change.ts';
import { durationText } from '../fleet/duration.ts';
import {
	isUnderWay,
	type Operation,
	type OperationId,
	type OperationSpec,
} from '../fleet/operation.ts';
import type { Budget } from '../pace/budget.ts';
import { documentedLimits, type Scope, slotLifetime } from '../pace/limits.ts';
import type { AccountState } from '../store/state.ts';
import { operationTable } from './operation-table.ts';

/** Milliseconds since the request was sent, until the outcome is known. */
function settlingTime(operation: Operation, now: number): number | undefined {
	const { sentAt } = operation;
	return sentAt === undefined || !isUnderWay(operation) ? undefined : Math.max(0, now - sentAt);
}

export function isOverdue(operation: Operation, now: number): boolean {
	return (settlingTime(operation, now) ?? 0) > operationTable[operation.spec.operation].limit;
}

/** Earlier operations on the same computers that took too long; new ones replace them. */
export function overdueOn(
	specs: readonly OperationSpec[],
	{ operations }: AccountState,
	now: number,
): readonly Operation[] {
	const ids = new Set(specs.map(({ computer }) => computer));
	return [...operations.values()].filter(operation => {
		const { computer } = operation.spec;
		// A lost create has no computer yet, and is looked for as long as it takes.
		return computer !== undefined && ids.has(computer) && isOverdue(operation, now);
	});
}

/** "still stopping after 60 s", once the time limit of the operation is over. */
export function overdueText(operation: Operation, now: number): string | undefined {
	const time = settlingTime(operation, now);
	if (time === undefined || !isOverdue(operation, now)) return undefined;
	const { doing } = operationTable[operation.spec.operation];
	return `still ${doing.toLowerCase()} after ${durationText(time)}`;
}

// Up to one and a half times the usual duration is not worth a remark.
const remarkablySlow = 1.5;

/** The usual duration, when this operation has taken remarkably longer. */
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
 * The median time from sending to settling of the last twenty such operations. A median, because single
 * operations get stuck. The wait in the queue does not count.
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

// However much others spend, at least this share of the limit is assumed to be free.
const leastShare = 1 / 12;

/**
 * The approximate time to send `count` operations. Operations go before reads, so they get every slot
 * that becomes free.
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
