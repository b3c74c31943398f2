import {
	isOfThisProcess,
	isUnderWay,
	isUnsent,
	type Operation,
	type OperationSpec,
} from '../fleet/operations/operation.ts';
import { operationRowOf } from '../fleet/operations/operation-table.ts';
import { createFailure } from '../platform/decoding/platform-error.ts';
import type { AccountState } from '../store/state.ts';
import type { BegunPart } from './begun-part.ts';
import { createCountdowns } from './countdowns.ts';
import { createForgottenOperations } from './forgotten.ts';
import type { OperationMaker } from './operation-maker.ts';
import type { OperationsDeps } from './operations-options.ts';
import { outcomesIn } from './outcome.ts';
import { createResponseHandler } from './responses.ts';
import { createSender } from './sender.ts';
import { estimatedTurnOf, holdingReasonOf, type WaitReason } from './waiting.ts';

/** Takes operations from the answered question to their outcome. */
export type Lifecycle = {
	/** Begins the operations of an answered question. */
	begin(maker: OperationMaker, graceMs: number): BegunPart;
	/** Stops all countdowns because they are out of sight, or restarts each one with its full time. */
	holdCountdowns(isHeld: boolean): void;
	/** Sends all requests that may be sent now. Call it when the lock or the hold of the queue has changed. */
	sendNext(): void;
	/** Returns a function that says why an operation waits. It returns undefined for an operation that was sent. */
	waitReasonsUnder(conditions: {
		isLocked: boolean;
		isQueueHeld: boolean;
		now: number;
	}): (key: string) => WaitReason | undefined;
	close(): void;
};

/**
 * Takes each operation through its stages, which the comment of `Operation` draws. Every step is a fact, and every
 * part learns of a step from the store:
 *
 * ```
 *   begin ─▶ countdowns ─▶ queue ─▶ sender ─▶ responses
 *      └─────────┴──────────┴─ facts ─┴───────────┘
 *                               │
 *                             store ─▶ outcomes, next request, next reads
 * ```
 */
export function createLifecycle(deps: OperationsDeps): Lifecycle {
	const { store, accountStore, pending, clock, watch, cachedBudgets } = deps;
	const forgotten = createForgottenOperations({ ...deps, onLook: () => sendNext() });
	const { cancelAfterSleep } = forgotten;
	const countdowns = createCountdowns({ ...deps, cancelForgotten: cancelAfterSleep });
	const sendNext = createSender(deps, createResponseHandler(deps), cancelAfterSleep);

	let seen = accountStore.state();
	const unsubscribe = store.subscribe(() => {
		const before = seen;
		seen = accountStore.state();
		// Facts of other accounts are ignored.
		if (seen === before) return;
		const outcomes = outcomesIn(seen, clock.now(), deps.isRecorder?.());
		if (outcomes.length > 0) accountStore.foldAll(outcomes);
		if (seen.operations === before.operations) return;
		pending.fillStore();
		sendNext();
		watch.wake();
	});

	return {
		begin(maker, graceMs) {
			endEarlierOperations(maker, deps);
			forgotten.watch();
			const part = pending.add(maker, graceMs > 0 ? clock.now() + graceMs : undefined);
			if (graceMs > 0) countdowns.begin(part, graceMs);
			else sendNext();
			return part;
		},
		holdCountdowns(isHeld) {
			if (isHeld) return countdowns.hold();
			forgotten.noteContinued();
			countdowns.release();
		},
		sendNext,
		waitReasonsUnder(conditions) {
			return key => {
				const item = pending.get(key);
				const account = accountStore.state();
				if (!item || account.operations.get(key)?.sentAt !== undefined) return undefined;
				const { spec } = item;
				return (
					holdingReasonOf(spec, operationWithCountdown(account, spec), {
						account,
						...conditions,
					}) ??
					estimatedTurnOf(spec, pending.positionOf(item), cachedBudgets.latest(), conditions.now)
				);
			};
		},
		close() {
			forgotten.close();
			countdowns.close();
			unsubscribe();
		},
	};
}

/**
 * Ends overdue operations that new operations on the same computers replace. An overdue operation that still waits,
 * because the rate limit has refused it, is cancelled. Own commands are not involved: they neither replace anything
 * nor are replaced.
 */
function endEarlierOperations(
	maker: OperationMaker,
	{ accountStore, pending }: Pick<OperationsDeps, 'accountStore' | 'pending'>,
): void {
	const underWay = [...accountStore.state().operations.values()].filter(
		operation => isRequest(operation.spec) && isUnderWay(operation) && isOfThisProcess(operation),
	);
	if (underWay.length === 0 || !isRequest(maker)) return;
	const ids = new Set(Array.from({ length: maker.count }, (_, index) => maker.computerAt(index)));
	const earlier = underWay.filter(
		({ spec: { computer } }) => computer !== undefined && ids.has(computer),
	);
	const [unsent, sent] = [earlier.filter(isUnsent), earlier.filter(each => !isUnsent(each))];
	pending.cancel(unsent.flatMap(({ spec }) => pending.get(spec.key) ?? []));
	for (const { spec } of sent) pending.remove(spec.key);
	accountStore.foldAll(sent.map(replacedFact));
}

const isRequest = ({ operation }: Pick<OperationSpec, 'operation'>) =>
	operationRowOf(operation).scope !== 'none';

function replacedFact({ spec: { key } }: Operation) {
	const message = 'replaced by a later request';
	const failure = createFailure('cancelled', message, { isOutcomeUnknown: true });
	return { type: 'operationFailed', key, failure } as const;
}

/**
 * Returns the operation that holds the countdown. A batch has one countdown, and only some of its operations may be
 * in the store.
 */
function operationWithCountdown(
	{ operations }: AccountState,
	{ key, batch }: OperationSpec,
): Operation | undefined {
	const isSibling = (other: Operation) => other.spec.batch === batch && isUnsent(other);
	return (
		operations.get(key) ??
		(batch === undefined ? undefined : [...operations.values()].find(isSibling))
	);
}
