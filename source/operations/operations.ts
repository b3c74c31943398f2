import type { OperationId, OperationSpec } from '../fleet/operations/operation.ts';
import type { OperationDetails } from '../fleet/operations/operation-row.ts';
import { operationRowOf } from '../fleet/operations/operation-table.ts';
import { changesBetween } from '../store/change-log.ts';
import { createCachedBudgets } from './cached-budgets.ts';
import { estimateSendingTime } from './durations.ts';
import { createLifecycle } from './lifecycle.ts';
import { type Answered, createOpenQuestion } from './open-question.ts';
import type { OperationsOptions } from './operations-options.ts';
import {
	createOperationsState,
	type ExitSummary,
	exitSummaryFrom,
	type HoldReason,
	type OperationsState,
} from './operations-state.ts';
import { createAccountStore, createPendingOperations } from './pending-operations.ts';
import { checkPort } from './port-check.ts';
import { detailsOf, type Question } from './question.ts';
import {
	type AnswerResult,
	type AskResult,
	type Begun,
	createChangePolicy,
	createLock,
	refusalResult,
} from './refusal.ts';
import { batchFacts, createIdGenerator, specsFrom } from './targets.ts';
import type { WaitReasonOf } from './waiting.ts';

/** Every change to a computer goes through this object. */
export type Operations = {
	/** Captures the targets and opens a question, which replaces an open one. */
	ask(
		operation: OperationId,
		ids: readonly string[],
		options?: OperationDetails & { openingKey?: string | undefined },
	): AskResult;
	/** Confirms the open question, whose answers the caller has collected, and starts its operations. */
	answer(question: Question): AnswerResult;
	/** Closes the open question without an answer. */
	closeQuestion(): void;
	/** Cancels operations that are not sent yet: one operation, a batch, or all of them. */
	cancel(selection: { key: string } | { batch: string } | 'all'): readonly OperationSpec[];
	/** Opens the question again for the computers of a batch whose operations failed. */
	retryFailed(batch: string, openingKey?: string): AskResult;
	/** Removes the result of a batch, because a person has read the result. */
	dismissBatch(batch: string): void;
	/** Notes that a person has seen how an operation ended. */
	markSeen(key: string): void;
	/** Visits a published port, unless changes are refused: a visit wakes a computer. */
	checkPort(id: string, port: number): void;
	/** Returns a function that says why an operation is not sent yet; it returns undefined after it was sent. */
	waitReasonsAt(now?: number): WaitReasonOf;
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
	const { account, store, pace, clock, skipsGrace = false } = options;
	const closing = new AbortController();
	const { signal } = closing;
	const createId = createIdGenerator(clock, options.random);
	const accountStore = createAccountStore(account, store, clock);
	const pending = createPendingOperations(accountStore);
	const state = createOperationsState(options.isReadOnly);
	const lock = createLock({ clock, lockAfterMs: options.lockAfterMs, state });
	const policy = createChangePolicy({ signal, lock, state });
	const cachedBudgets = createCachedBudgets({ pace, clock, store, accountStore });
	const own = { accountStore, pending, policy, state, cachedBudgets, createId, signal };
	const deps = { ...options, ...own };
	const lifecycle = createLifecycle(deps);
	const openQuestion = createOpenQuestion(deps);

	let seen = accountStore.state();
	const unsubscribe = store.subscribe(() => {
		const before = seen;
		seen = accountStore.state();
		for (const change of changesBetween(before, seen)) {
			if (change.type !== 'operationMoved') continue;
			const { operation, computer, port } = change.wish;
			if (change.to === 'sent') lock.restartIdleTime();
			const isPublished =
				change.to === 'settled' && operationRowOf(operation).goal.reaches === 'published';
			if (isPublished && computer !== undefined && port !== undefined)
				void checkPort(deps, computer, port);
		}
	});

	/** Begins the operations of an answered question, and returns any other result as it is. */
	function begin<R extends AskResult>(result: R | Answered): R | Begun {
		if (result.type !== 'answered') return result;
		const { question } = result;
		const specs = specsFrom(question, createId);
		const graceMs = skipsGrace ? 0 : operationRowOf(question.operation).graceMs;
		accountStore.foldAll(batchFacts(question, specs));
		lifecycle.begin(specs, detailsOf(question), graceMs);
		return { type: 'begun', specs };
	}

	function cancel(isMatch: (spec: OperationSpec) => boolean): readonly OperationSpec[] {
		const items = pending.unsent().filter(({ spec }) => isMatch(spec));
		if (items.length > 0) pending.cancel(items);
		return items.map(({ spec }) => spec);
	}

	return {
		ask: (...request) => begin(openQuestion.ask(...request)),
		answer: question => begin(openQuestion.answer(question)),
		closeQuestion: openQuestion.close,
		cancel: what =>
			cancel(({ key, batch }) => {
				if (what === 'all') return true;
				return 'key' in what ? key === what.key : batch === what.batch;
			}),
		retryFailed(batch, openingKey) {
			const progress = accountStore.state().batches.get(batch);
			if (!progress) return refusalResult('not-allowed', 'No failed request to repeat');
			const { operation, failures, port } = progress;
			const ids = failures.map(({ id }) => id);
			return begin(openQuestion.ask(operation, ids, { port, openingKey }));
		},
		dismissBatch: batch => accountStore.fold({ type: 'batchSeen', batch }),
		markSeen: key => accountStore.fold({ type: 'operationSeen', key }),
		checkPort(id, port) {
			if (policy.changePermission() === 'go') void checkPort(deps, id, port);
		},
		waitReasonsAt(now = clock.now()) {
			const { isLocked, holdReason } = state.getState();
			return lifecycle.waitReasonsUnder({ isLocked, isQueueHeld: holdReason === 'quit', now });
		},
		estimateTimeLeft(batch, now = clock.now()) {
			const progress = accountStore.state().batches.get(batch);
			if (!progress) return 0;
			const { scope } = operationRowOf(progress.operation);
			const budget = cachedBudgets.latest()[scope];
			return estimateSendingTime(progress.countsByState.waiting, scope, budget, now);
		},
		hold(holdReason) {
			if (holdReason === state.getState().holdReason) return;
			lifecycle.holdCountdowns(holdReason !== undefined);
			state.setState({ holdReason });
			lifecycle.sendNext();
		},
		restartIdleTime: lock.restartIdleTime,
		lock: lock.lock,
		unlock() {
			lock.unlock();
			lifecycle.sendNext();
		},
		exitSummary: () =>
			exitSummaryFrom([...accountStore.state().operations.values()], pending.unsent()),
		quit() {
			closing.abort();
			openQuestion.close();
			cancel(() => true);
			lifecycle.close();
			lock.close();
			cachedBudgets.close();
			unsubscribe();
		},
		state: state.getState,
		subscribe: state.subscribe,
	};
}
