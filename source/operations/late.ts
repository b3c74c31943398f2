import type { Change } from '../fleet/change.ts';
import { isUnderWay, type Operation } from '../fleet/operation.ts';
import { durationText } from './duration-text.ts';
import { operations } from './operations.ts';
import { usualDuration } from './usual-duration.ts';

/** How long it has been since the request went out, while its end is not known. */
function settlingTime(operation: Operation, now: number): number | undefined {
	const { sentAt } = operation;
	return sentAt === undefined || !isUnderWay(operation) ? undefined : Math.max(0, now - sentAt);
}

export function isOverdue(operation: Operation, now: number): boolean {
	return (settlingTime(operation, now) ?? 0) > operations[operation.wish.operation].limit;
}

/** "still stopping after 60 s", from its time limit on. */
export function overdueText(operation: Operation, now: number): string | undefined {
	const time = settlingTime(operation, now);
	if (time === undefined || !isOverdue(operation, now)) return undefined;
	const { doing } = operations[operation.wish.operation];
	return `still ${doing.toLowerCase()} after ${durationText(time)}`;
}

// A little longer is nothing to tell of.
const remarkable = 1.5;

/** What it usually takes here, when this one has taken remarkably longer. */
export function usualIfSlow(
	operation: Operation,
	changes: readonly Change[],
	now: number,
): number | undefined {
	const time = settlingTime(operation, now);
	const usual = usualDuration(changes, operation.wish.operation);
	if (time === undefined || usual === undefined || time < usual * remarkable) return undefined;
	return usual;
}
