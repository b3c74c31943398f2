import type { Operation, OperationSpec } from '../fleet/operations/operation.ts';
import { operationRowOf } from '../fleet/operations/operation-table.ts';
import type { AccountState } from '../store/state.ts';
import { estimateTimeInScope, type SendingSlots } from './durations.ts';

/**
 * Why an operation is not sent yet. Esc cancels only countdowns. On top of the log, every waiting operation can
 * be cancelled.
 */
export type WaitReason =
	/** The countdown before the request is running. */
	| { type: 'grace'; until: number }
	/** The countdown is held, because a person cannot see it now. */
	| { type: 'held'; leftMs: number }
	/** The quit dialog is open and holds the queue. */
	| { type: 'quitDialog' }
	/** Earlier operations are sent first, or the rate limit allows no request now. `until` is an estimate. */
	| { type: 'turn'; until: number }
	/** The outcome of an earlier create is not known yet. */
	| { type: 'previous' }
	/** The computer is being started first. */
	| { type: 'start' }
	| { type: 'unlock' };

/** Returns why an operation is not sent yet; undefined after it was sent. */
export type WaitReasonOf = (key: string) => WaitReason | undefined;

/** The conditions that delay every operation of an account. */
type WaitConditions = { account: AccountState; isLocked: boolean; isQueueHeld: boolean };

/** Returns why an operation is not even in turn to be sent; undefined if only the rate limit delays the operation. */
export function holdingReasonOf(
	{ operation }: Pick<OperationSpec, 'operation'>,
	countdown: Pick<Operation, 'graceEndsAt' | 'heldGraceMs'> | undefined,
	{ account, isLocked, isQueueHeld }: WaitConditions,
): WaitReason | undefined {
	const { heldGraceMs, graceEndsAt } = countdown ?? {};
	if (heldGraceMs !== undefined) return { type: 'held', leftMs: heldGraceMs };
	if (graceEndsAt !== undefined) return { type: 'grace', until: graceEndsAt };
	if (isQueueHeld) return { type: 'quitDialog' };
	if (isLocked) return { type: 'unlock' };
	const isCreate = operationRowOf(operation).scope === 'create';
	return isCreate && isCreateBlocked(account) ? { type: 'previous' } : undefined;
}

/**
 * Returns whether creates have to wait. A second create waits until the outcome of the first is known. Otherwise
 * a new computer in the list could belong to either of them.
 */
export function isCreateBlocked({ operations }: AccountState): boolean {
	const all = [...operations.values()];
	return all.some(({ spec, stage }) => stage === 'unknown' && spec.computer === undefined);
}

/**
 * Estimates when an operation that only the rate limit delays will be sent. `position` other operations are
 * sent first.
 */
export function estimatedTurnOf(
	{ operation }: Pick<OperationSpec, 'operation'>,
	position: number,
	slots: Readonly<Record<'create' | 'other', SendingSlots>>,
	now: number,
): WaitReason {
	const { scope } = operationRowOf(operation);
	const count = Math.max(0, position) + 1;
	return { type: 'turn', until: now + estimateTimeInScope(count, scope, slots, now) };
}
