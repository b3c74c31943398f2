import { durationText } from '../fleet/duration.ts';
import type { OperationSpec } from '../fleet/operation.ts';
import type { Budget } from '../pace/budget.ts';
import { sendingTime } from './durations.ts';
import { operationTable } from './operation-table.ts';
import type { PendingOperation } from './queue.ts';

/** Why an operation is not sent yet. Esc cancels it in every case. */
export type WaitReason =
	/** The grace runs: the countdown before the request is sent. */
	| { for: 'grace'; until: number }
	/** The countdown is out of sight and held. */
	| { for: 'held'; left: number }
	/** The quit dialog is open and holds the queue. */
	| { for: 'quit' }
	/** Earlier operations or the rate limit are in the way. `until` is an estimate. */
	| { for: 'turn'; until: number }
	/** The outcome of an earlier create is not known yet. */
	| { for: 'create' }
	| { for: 'unlock' };

/** The functions are slow, so each one is called only when its result is needed. */
type WaitConditions = {
	isLocked: boolean;
	isQueueHeld: boolean;
	isCreateBlocked: () => boolean;
	/** How many operations are ahead in the queue. */
	placeOf: (item: PendingOperation) => number;
	budgets: () => Readonly<Record<'create' | 'other', Budget>>;
	now: number;
};

export function waitReason(
	item: PendingOperation,
	{ isLocked, isQueueHeld, isCreateBlocked, placeOf, budgets, now }: WaitConditions,
): WaitReason {
	const { spec, stage, graceEndsAt, heldGrace } = item;
	if (stage === 'grace' && heldGrace !== undefined) return { for: 'held', left: heldGrace };
	if (stage === 'grace') return { for: 'grace', until: graceEndsAt };
	if (isQueueHeld) return { for: 'quit' };
	if (isLocked) return { for: 'unlock' };
	if (spec.operation === 'create' && isCreateBlocked()) return { for: 'create' };
	const { scope } = operationTable[spec.operation];
	const count = Math.max(0, placeOf(item)) + 1;
	return { for: 'turn', until: now + sendingTime(count, scope, budgets()[scope], now) };
}

/** Says what an operation waits for, as in "Deleting atlas in 4 s, Esc to cancel". */
export function waitingText(
	{ operation, name, computer }: OperationSpec,
	waiting: WaitReason,
	now: number,
) {
	const { label, doing } = operationTable[operation];
	const who = name ?? computer ?? 'a computer';
	switch (waiting.for) {
		case 'grace':
			return `${doing} ${who} in ${wholeSecondsOf(waiting.until - now)} s, Esc to cancel`;
		case 'held':
			return `${doing} ${who}: held at ${wholeSecondsOf(waiting.left)} s`;
		case 'quit':
			return `${label} ${who}: held while the quit dialog is open`;
		case 'turn':
			return `${label} ${who}: queued, sends in about ${durationText(waiting.until - now)}`;
		case 'create':
			return `${label} ${who}: waits for the outcome of the previous creation`;
		case 'unlock':
			return `${label} ${who}: waits until you unlock`;
	}
}

/** The whole seconds left of a countdown; the last part of a second counts as one. */
export const wholeSecondsOf = (left: number) => Math.max(0, Math.ceil(left / 1000));
