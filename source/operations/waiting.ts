import { durationText } from '../fleet/duration.ts';
import type { Operation, OperationSpec } from '../fleet/operation.ts';
import { operationRowOf } from '../fleet/operation-table.ts';
import type { Budget } from '../pace/budget.ts';
import { estimateSendingTime } from './durations.ts';

/** Why an operation is not sent yet. Esc cancels it in every case. */
export type WaitReason =
	/** The grace runs: the countdown before the request is sent. */
	| { type: 'grace'; until: number }
	/** The countdown is held, because a person cannot see it now. */
	| { type: 'held'; leftMs: number }
	/** The quit dialog is open and holds the queue. */
	| { type: 'quit' }
	/** Earlier operations are sent first, or the rate limit allows no request now. `until` is an estimate. */
	| { type: 'turn'; until: number }
	/** The outcome of an earlier create is not known yet. */
	| { type: 'previous' }
	| { type: 'unlock' };

/** The conditions that can delay a request. The functions are slow and are called only when needed. */
type WaitConditions = {
	isLocked: boolean;
	isQueueHeld: boolean;
	isCreateOutcomeUnknown: () => boolean;
	/** Returns how many operations in the queue are sent before this one. */
	position: () => number;
	budgets: () => Readonly<Record<'create' | 'other', Budget>>;
	now: number;
};

export function waitReasonFor(
	spec: OperationSpec,
	countdown: Pick<Operation, 'graceEndsAt' | 'heldGraceMs'> | undefined,
	{
		isLocked,
		isQueueHeld,
		isCreateOutcomeUnknown: isCreateBlocked,
		position,
		budgets,
		now,
	}: WaitConditions,
): WaitReason {
	const { heldGraceMs, graceEndsAt } = countdown ?? {};
	if (heldGraceMs !== undefined) return { type: 'held', leftMs: heldGraceMs };
	if (graceEndsAt !== undefined) return { type: 'grace', until: graceEndsAt };
	if (isQueueHeld) return { type: 'quit' };
	if (isLocked) return { type: 'unlock' };
	const { scope } = operationRowOf(spec.operation);
	if (scope === 'create' && isCreateBlocked()) return { type: 'previous' };
	const count = Math.max(0, position()) + 1;
	return { type: 'turn', until: now + estimateSendingTime(count, scope, budgets()[scope], now) };
}

/** Returns what an operation waits for, such as "Deleting atlas in 4 s, Esc to cancel". */
export function waitReasonText(
	{ operation, name, computer }: OperationSpec,
	waiting: WaitReason,
	now: number,
) {
	const { label, doingLabel } = operationRowOf(operation);
	const who = name ?? computer ?? 'a computer';
	switch (waiting.type) {
		case 'grace':
			return `${doingLabel} ${who} in ${wholeSecondsOf(waiting.until - now)} s, Esc to cancel`;
		case 'held':
			return `${doingLabel} ${who}: paused with ${wholeSecondsOf(waiting.leftMs)} s left`;
		case 'quit':
			return `${label} ${who}: paused while the quit dialog is open`;
		case 'turn':
			return `${label} ${who}: queued, sends in about ${durationText(waiting.until - now)}`;
		case 'previous':
			return `${label} ${who}: waits for the outcome of the previous creation`;
		case 'unlock':
			return `${label} ${who}: waits until you unlock`;
	}
}

/** Returns the remaining time of a countdown in whole seconds, rounded up. */
export const wholeSecondsOf = (left: number) => Math.max(0, Math.ceil(left / 1000));
