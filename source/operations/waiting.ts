import { durationText } from '../fleet/duration.ts';
import type { OperationSpec } from '../fleet/operation.ts';
import type { Budget } from '../pace/budget.ts';
import { sendingTime } from './durations.ts';
import { operationTable } from './operation-table.ts';
import type { PendingOperation } from './queue.ts';

/** What keeps something that was answered from being sent. Esc calls it off in each of these. */
export type WaitReason =
	/** The countdown in which nothing is sent yet. */
	| { for: 'grace'; until: number }
	/** The same countdown out of sight, with so many milliseconds left of it. */
	| { for: 'held'; left: number }
	/** The answer to whether to quit. */
	| { for: 'quit' }
	/** Its turn, and the rate limit: at about that time. */
	| { for: 'turn'; until: number }
	/** What became of the create before it. */
	| { for: 'create' }
	| { for: 'unlock' };

/** What takes its time to find out is asked for only where it is needed. */
type Circumstances = {
	isLocked: boolean;
	isQueueHeld: boolean;
	isCreateBlocked: () => boolean;
	/** How many go before it. */
	placeOf: (run: PendingOperation) => number;
	budgets: () => Readonly<Record<'create' | 'other', Budget>>;
	now: number;
};

export function waitReason(
	run: PendingOperation,
	{ isLocked, isQueueHeld, isCreateBlocked, placeOf, budgets, now }: Circumstances,
): WaitReason {
	const { spec, stage, graceEndsAt, heldGrace } = run;
	if (stage === 'grace' && heldGrace !== undefined) return { for: 'held', left: heldGrace };
	if (stage === 'grace') return { for: 'grace', until: graceEndsAt };
	if (isQueueHeld) return { for: 'quit' };
	if (isLocked) return { for: 'unlock' };
	if (spec.operation === 'create' && isCreateBlocked()) return { for: 'create' };
	const { scope } = operationTable[spec.operation];
	const count = Math.max(0, placeOf(run)) + 1;
	return { for: 'turn', until: now + sendingTime(count, scope, budgets()[scope], now) };
}

/** "Deleting atlas in 4 s, Esc to keep it" */
export function waitingText(
	{ operation, name, computer }: OperationSpec,
	waiting: WaitReason,
	now: number,
) {
	const { label, doing } = operationTable[operation];
	const who = name ?? computer ?? 'a computer';
	switch (waiting.for) {
		case 'grace':
			return `${doing} ${who} in ${secondsOf(waiting.until - now)} s, Esc to keep it`;
		case 'held':
			return `${doing} ${who}: held at ${secondsOf(waiting.left)} s`;
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

/** Whole seconds of a countdown, the last one of which is a second too. */
export const secondsOf = (left: number) => Math.max(0, Math.ceil(left / 1000));
