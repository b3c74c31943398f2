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
import type { BegunPart, PendingOperation } from './begun-part.ts';
import { createCountdowns } from './countdowns.ts';
import { knownSlotsFrom } from './durations.ts';
import { createForgottenOperations } from './forgotten.ts';
import type { OperationMaker } from './operation-maker.ts';
import type { OperationsDeps } from './operations-options.ts';
import { outcomesIn } from './outcome.ts';
import { createResponseHandler } from './responses.ts';
import { createSender } from './sender.ts';
import { estimatedTurnOf, holdingReasonOf, type WaitReason } from './waiting.ts';

/** Takes operations from the answered question to their outcome. */
export type Lifecycle = {
	/**
	 * Begins the operations of an answered question. With `first`, each waits until the operation of `first` on the same
	 * computer is done, and is dropped if that fails.
	 */
	begin(maker: OperationMaker, graceMs: number, first?: OperationMaker): BegunPart;
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
	const { store, accountStore, pending, clock, watch } = deps;
	const forgotten = createForgottenOperations({ ...deps, onLook: () => sendNext() });
	const { cancelAfterSleep } = forgotten;
	const countdowns = createCountdowns({ ...deps, cancelForgotten: cancelAfterSleep });
	const responses = createResponseHandler(deps);
	const sendNext = createSender(deps, responses, cancelAfterSleep);
	/** The operations that wait for another one on the same computer. */
	let waiting: readonly { item: PendingOperation; first: PendingOperation }[] = [];

	function beginPart(part: BegunPart, graceMs: number) {
		if (graceMs > 0) countdowns.begin(part, graceMs);
		else sendNext();
		return part;
	}

	const endOf = (graceMs: number) => (graceMs > 0 ? clock.now() + graceMs : undefined);

	/** Queues the operations whose first step is done, and drops those whose first step has failed. */
	function releaseWaiting() {
		const { operations, computers } = accountStore.state();
		const stageOf = ({ spec }: PendingOperation) => operations.get(spec.key)?.stage;
		const isOver = ({ first }: { first: PendingOperation }) =>
			!pending.isPending(first) && (stageOf(first) ?? 'failed') === 'failed';
		const over = waiting.filter(each => pending.isPending(each.item) && isOver(each));
		if (over.length === 0) return;
		waiting = waiting.filter(each => pending.isPending(each.item) && !over.includes(each));
		for (const { item, first } of over) {
			if (computers.get(item.spec.computer ?? '')?.phase === 'active') pending.putBack(item);
			else if (stageOf(first) === 'failed')
				responses.failAll([{ item, failure: createFailure('conflict', 'it was not started') }]);
			else pending.cancel([item]);
		}
	}

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
		releaseWaiting();
		sendNext();
		watch.wake();
	});

	return {
		begin(maker, graceMs, first) {
			endEarlierOperations(maker, deps);
			forgotten.watch();
			if (!first) return beginPart(pending.add(maker, endOf(graceMs)), graceMs);
			const part = pending.add(maker, undefined, true);
			const firstPart = pending.add(first, endOf(graceMs));
			const firsts = firstPart.all();
			waiting = [
				...waiting,
				...part.all().flatMap((item, at) => {
					const step = firsts[at];
					return step ? [{ item, first: step }] : [];
				}),
			];
			beginPart(firstPart, graceMs);
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
				if (waiting.some(each => each.item === item)) return { type: 'start' };
				return (
					holdingReasonOf(spec, operationWithCountdown(account, spec), {
						account,
						...conditions,
					}) ??
					estimatedTurnOf(
						spec,
						pending.positionOf(item),
						knownSlotsFrom(account.standings, conditions.now),
						conditions.now,
					)
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
