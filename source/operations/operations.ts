import { createListeners } from '../fleet/listeners.ts';
import type { OperationId, OperationSpec } from '../fleet/operation.ts';
import type { OperationDetails } from '../fleet/operation-row.ts';
import { operationRowOf } from '../fleet/operation-table.ts';
import { createAccountStore } from './account-store.ts';
import { createCachedBudgets } from './cached-budgets.ts';
import { createCountdowns, type HoldReason } from './countdowns.ts';
import { estimateSendingTime } from './durations.ts';
import { type ExitSummary, exitSummaryFrom } from './exit-summary.ts';
import { createLifecycle } from './lifecycle.ts';
import { createLock } from './lock.ts';
import { createOpenQuestion } from './open-question.ts';
import type { OperationsOptions } from './operations-options.ts';
import { createPortChecks, type PortCheck } from './port-check.ts';
import { detailsOf, type Question } from './question.ts';
import { type AnswerResult, type AskResult, createChangePolicy, refusalResult } from './refusal.ts';
import { batchFacts, createIdGenerator, specsFrom } from './targets.ts';
import type { WaitReason } from './waiting.ts';

/** The state of operations that views draw and that is not in the store. */
export type OperationsState = {
	question: Question | undefined;
	isLocked: boolean;
	/** The profile forbids every change. */
	isReadOnly: boolean;
	portChecks: readonly PortCheck[];
};

/** Every change to a computer goes through this object. */
export type Operations = {
	/** Captures the targets and opens a question, which replaces an open one. */
	ask(
		operation: OperationId,
		ids: readonly string[],
		options?: OperationDetails & { askedWith?: string | undefined },
	): AskResult;
	/** Confirms the open question, whose answers the caller has collected, and starts its operations. */
	answer(question: Question): AnswerResult;
	/** Closes the open question without an answer. */
	closeQuestion(): void;
	/** Cancels operations that are not sent yet: one operation, a batch, or all of them. */
	cancel(selection: { key: string } | { batch: string } | 'all'): readonly OperationSpec[];
	/** Opens the question again for the computers of a batch whose operations failed. */
	retryFailed(batch: string, askedWith?: string): AskResult;
	/** Removes the result of a batch, because a person has read the result. */
	dismissBatch(batch: string): void;
	/** Notes that a person has seen how an operation ended. */
	markSeen(key: string): void;
	/** Visits a published port, unless changes are refused: a visit wakes a computer. */
	checkPort(id: string, port: number): void;
	/** Returns why an operation is not sent yet; undefined after it was sent. */
	waitReasonOf(key: string): WaitReason | undefined;
	/** Returns a function like `waitingFor` for a whole frame, so that shared work is done once. */
	waitReasonsAt(now?: number): (key: string) => WaitReason | undefined;
	/** Returns the approximate milliseconds until the last operation of a batch is sent. */
	estimateTimeLeft(batch: string, now?: number): number;
	/** Holds countdowns while they are out of sight. `undefined` restarts each one with its full time. */
	hold(reason: HoldReason | undefined): void;
	/** Starts the idle time of the lock again, because a key was pressed. */
	restartIdleTime(): void;
	lock(): void;
	unlock(): void;
	/** Which operations would continue, and which would be dropped, if the program exited now. */
	exitSummary(): ExitSummary;
	/** Drops all operations that are not sent. No request is sent afterwards. */
	quit(): void;
	state(): OperationsState;
	subscribe(listener: () => void): () => void;
};

/**
 * Connects the parts of one account's operations:
 *
 * ```
 *   ask ─▶ open question ─▶ answer ─▶ lifecycle: grace ─▶ queue ─▶ request ─▶ outcome ─▶ facts
 *               ▲                        ▲
 *          lock, read-only          hold, lock, quit
 * ```
 *
 * The function is over 60 lines because it only connects parts and forwards calls. Each part has its own file.
 */
export function createOperations(options: OperationsOptions): Operations {
	const { account, store, platform, pace, clock, isReadOnly, skipsGrace = false } = options;
	const closing = new AbortController();
	const { signal } = closing;
	const uniqueId = createIdGenerator(clock, options.random);
	const accountStore = createAccountStore(account, store, clock);
	const countdowns = createCountdowns(clock);
	const listeners = createListeners();
	let isLocked = false;
	let holdReason: HoldReason | undefined;
	let state: OperationsState | undefined;

	const checks = createPortChecks({ platform, clock, signal, onChange: changed });
	const lock = createLock({
		clock,
		lockAfterMs: options.lockAfterMs,
		onChange() {
			isLocked = lock.isLocked();
			if (isLocked) openQuestion.close();
			else lifecycle.resume();
			changed();
		},
	});
	const cachedBudgets = createCachedBudgets({
		pace,
		clock,
		hasWaitingOperations: () => lifecycle.unsentOperations().length > 0,
	});
	const policy = createChangePolicy({
		signal,
		isReadOnly,
		isLocked: lock.isLocked,
		isQueueHeld: () => holdReason === 'quit',
	});
	const lifecycle = createLifecycle({
		...options,
		accountStore,
		countdowns,
		changePermission: policy.changePermission,
		cachedBudgets: cachedBudgets.latest,
		onSent: lock.restartIdleTime,
		onSettled({ operation, computer, port }) {
			const { reaches } = operationRowOf(operation).goal;
			if (reaches === 'published' && computer !== undefined && port !== undefined)
				void checks.check(computer, port);
		},
	});
	const openQuestion = createOpenQuestion({
		accountStore,
		pace,
		clock,
		createId: uniqueId,
		strictnessByOperation: options.confirm ?? {},
		commandOptions: options.commandOptions ?? [],
		hiddenOperations: lifecycle.hiddenOperations,
		refusalNow: policy.refusalNow,
		begin,
		onChange: changed,
	});

	let seen = accountStore.state();
	const stopWatchingStore = store.subscribe(() => {
		const before = seen;
		seen = accountStore.state();
		if (seen.operations !== before.operations || seen.batches !== before.batches) changed();
	});

	function changed() {
		state = undefined;
		cachedBudgets.refreshWhileWaiting();
		listeners.notify();
	}

	function begin(question: Question): AnswerResult {
		const { operation } = question;
		const specs = specsFrom(question, uniqueId);
		const details = detailsOf(question);
		accountStore.foldAll(batchFacts(question, specs));
		lifecycle.begin(specs, details, skipsGrace ? 0 : operationRowOf(operation).graceMs);
		changed();
		return { type: 'begun', specs };
	}

	const waiting = (now = clock.now()) =>
		lifecycle.waitReasonsUnder({ isLocked, isQueueHeld: holdReason === 'quit', now });

	return {
		ask: openQuestion.ask,
		answer: openQuestion.answer,
		closeQuestion: openQuestion.close,
		cancel: what =>
			lifecycle.cancel(({ key, batch }) => {
				if (what === 'all') return true;
				return 'key' in what ? key === what.key : batch === what.batch;
			}),
		retryFailed(batch, askedWith) {
			const progress = accountStore.state().batches.get(batch);
			if (!progress) return refusalResult('not-allowed', 'No failed request to repeat');
			const { operation, failures, port } = progress;
			const ids = failures.map(({ id }) => id);
			return openQuestion.ask(operation, ids, { ...(port !== undefined && { port }), askedWith });
		},
		dismissBatch: batch => accountStore.fold({ type: 'batchSeen', batch }),
		markSeen: key => accountStore.fold({ type: 'operationSeen', key }),
		checkPort(id, port) {
			if (policy.changePermission() === 'go') void checks.check(id, port);
		},
		waitReasonOf: key => waiting()(key),
		waitReasonsAt: waiting,
		estimateTimeLeft(batch, now = clock.now()) {
			const progress = accountStore.state().batches.get(batch);
			if (!progress) return 0;
			const { scope } = operationRowOf(progress.operation);
			return estimateSendingTime(
				progress.countsByState.waiting,
				scope,
				cachedBudgets.latest()[scope],
				now,
			);
		},
		hold(reason) {
			if (reason === holdReason) return;
			holdReason = reason;
			if (reason === undefined) countdowns.release();
			else countdowns.hold();
			lifecycle.resume();
			changed();
		},
		restartIdleTime: lock.restartIdleTime,
		lock: lock.lock,
		unlock: lock.unlock,
		exitSummary: () =>
			exitSummaryFrom([...accountStore.state().operations.values()], lifecycle.unsentOperations()),
		quit() {
			closing.abort();
			openQuestion.close();
			lifecycle.cancel(() => true);
			lifecycle.close();
			countdowns.close();
			lock.close();
			cachedBudgets.close();
			stopWatchingStore();
		},
		state() {
			state ??= {
				question: openQuestion.current(),
				isLocked,
				isReadOnly: isReadOnly(),
				portChecks: checks.list(),
			};
			return state;
		},
		subscribe: listeners.subscribe,
	};
}
