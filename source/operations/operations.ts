import { createListeners } from '../fleet/listeners.ts';
import type { OperationId, OperationSpec } from '../fleet/operation.ts';
import { createAccountStore } from './account-store.ts';
import { createBatches, type Progress } from './batches.ts';
import { createCachedBudgets } from './cached-budgets.ts';
import { createCountdowns, type HoldReason } from './countdowns.ts';
import { sendingTime } from './durations.ts';
import { type ExitSummary, exitSummaryFrom } from './exit-summary.ts';
import { createLifecycle } from './lifecycle.ts';
import { createLock } from './lock.ts';
import { createOpenQuestion } from './open-question.ts';
import type { Details } from './operation-row.ts';
import { operationTable } from './operation-table.ts';
import type { OperationsOptions } from './parts.ts';
import { createPortChecks, type PortCheck } from './port-check.ts';
import { detailsOf, type KeyOrPaste, type Question } from './question.ts';
import {
	type AnswerResult,
	type AskResult,
	createChangePolicy,
	type KeyResult,
	refused,
} from './refusal.ts';
import { createIdSource, specsFrom } from './targets.ts';
import type { WaitReason } from './waiting.ts';

/** What a person has asked for, beside the facts: what views draw from. */
export type OperationsState = {
	question: Question | undefined;
	isLocked: boolean;
	/** Nothing may be changed, for good. */
	isReadOnly: boolean;
	batches: readonly Progress[];
	checks: readonly PortCheck[];
};

/** The one way of everything that changes something. */
export type Operations = {
	/** Captures what it is about. A question that was open is gone. */
	ask(
		operation: OperationId,
		ids: readonly string[],
		more?: Details & { askedWith?: string },
	): AskResult;
	/** A key, or a paste, for the open question. */
	press(input: KeyOrPaste): KeyResult;
	/** The open question came into sight. */
	shown(): void;
	/** For an answer that did not come by keys. Only the question that `ask` gave last is taken. */
	answer(question: Question): AnswerResult;
	/** Drops what has not gone: one, a batch, or everything. What has gone stays. */
	cancel(what: { key: string } | { batch: string } | 'all'): readonly OperationSpec[];
	/** Asks about those of a batch that failed, and no others. */
	retryFailed(batch: string, askedWith?: string): AskResult;
	/** The result of a batch was read. */
	dismissBatch(batch: string): void;
	/** How an operation ended was seen. */
	markSeen(key: string): void;
	/** Visits a published port, unless nothing may be changed: a visit wakes a computer. */
	checkPort(id: string, port: number): void;
	/** Why that operation has not been sent; undefined when it has. */
	waitingFor(key: string): WaitReason | undefined;
	/** The same for as many as are asked about at once: a picture, or a list of them. */
	waiting(now?: number): (key: string) => WaitReason | undefined;
	/** About how long until the last of a batch is sent. */
	timeLeft(batch: string, now?: number): number;
	/** Why countdowns are out of sight; undefined when they are seen, each from its full time. */
	hold(why: HoldReason | undefined): void;
	/** A key was pressed. */
	touch(): void;
	lock(): void;
	unlock(): void;
	/** What goes on without us, and what would be dropped. */
	exitSummary(): ExitSummary;
	/** Drops all that has not gone; nothing is sent after that. */
	quit(): void;
	state(): OperationsState;
	subscribe(listener: () => void): () => void;
};

/** Joins the parts of one account's operations: asking, the walk of each, the lock, the results. */
export function createOperations(parts: OperationsOptions): Operations {
	const { account, store, platform, pace, clock, random, isReadOnly, graces, watch } = parts;
	const closing = new AbortController();
	const mint = createIdSource(clock, random);
	const teller = createAccountStore(account, store, clock);
	const countdowns = createCountdowns(clock);
	const batches = createBatches();
	const listeners = createListeners();
	let isLocked = false;
	let held: HoldReason | undefined;
	let picture: OperationsState | undefined;

	const checks = createPortChecks({ platform, clock, signal: closing.signal, onChange: changed });
	const lock = createLock({
		clock,
		lockAfter: parts.lockAfter,
		onChange() {
			isLocked = lock.isLocked();
			if (isLocked) desk.clear();
			else walk.resume();
			changed();
		},
	});
	const { signal } = closing;
	const seenBudgets = createCachedBudgets({
		pace,
		clock,
		isWaiting: () => walk.unsent().length > 0,
	});
	const { mayChange, refusal: barred } = createChangePolicy({
		signal,
		isReadOnly,
		isLocked: lock.isLocked,
		isQueueHeld: () => held === 'quit',
	});
	const walk = createLifecycle({
		account,
		store,
		teller,
		platform,
		pace,
		clock,
		countdowns,
		watch,
		mayChange,
		budgets: seenBudgets.now,
		onSent: lock.touch,
		onMoved(wish, state, message) {
			batches.note(wish, state, message);
			changed();
		},
		onSettled({ operation, computer, port }) {
			if (operation !== 'publish' || computer === undefined || port === undefined) return;
			void checks.check(computer, port);
		},
	});
	const desk = createOpenQuestion({
		teller,
		pace,
		clock,
		mint,
		confirm: parts.confirm ?? {},
		commandOptions: parts.commandOptions ?? [],
		untold: walk.hidden,
		barred,
		begin,
		onChange: changed,
	});

	function changed() {
		picture = undefined;
		seenBudgets.wake();
		listeners.notify();
	}

	function begin(question: Question): AnswerResult {
		const { operation, skipped } = question;
		const wishes = specsFrom(question, mint);
		const details = detailsOf(question);
		const batch = wishes[0]?.batch;
		if (batch !== undefined) batches.begin({ id: batch, wishes, details, skipped });
		walk.begin(wishes, details, graces?.[operation] ?? operationTable[operation].grace);
		changed();
		return { type: 'begun', wishes };
	}

	const waiting = (now = clock.now()) =>
		walk.waiting({ isLocked, isQueueHeld: held === 'quit', now });

	function leaving(): ExitSummary {
		return exitSummaryFrom([...teller.state().operations.values()], walk.unsent());
	}

	return {
		ask: desk.ask,
		press: desk.press,
		shown: desk.shown,
		answer: desk.answer,
		cancel: what =>
			walk.cancel(wish => {
				if (what === 'all') return true;
				return 'key' in what ? wish.key === what.key : wish.batch === what.batch;
			}),
		retryFailed(batch, askedWith) {
			const progress = batches.find(batch);
			if (!progress) return refused('not-allowed', 'No failed request to repeat');
			const { operation, failures, details } = progress;
			const more = { ...details, ...(askedWith !== undefined && { askedWith }) };
			return desk.ask(
				operation,
				failures.map(({ id }) => id),
				more,
			);
		},
		dismissBatch(batch) {
			batches.forget(batch);
			changed();
		},
		markSeen: key => teller.fold({ type: 'operationSeen', key }),
		checkPort(id, port) {
			if (mayChange() === 'go') void checks.check(id, port);
		},
		waitingFor: key => waiting()(key),
		waiting,
		timeLeft(batch, now = clock.now()) {
			const progress = batches.find(batch);
			if (!progress) return 0;
			const { scope } = operationTable[progress.operation];
			return sendingTime(progress.counts.waiting, scope, seenBudgets.now()[scope], now);
		},
		hold(why) {
			if (why === held) return;
			held = why;
			if (why === undefined) countdowns.release();
			else countdowns.hold();
			walk.resume();
			changed();
		},
		touch: lock.touch,
		lock: lock.lock,
		unlock: lock.unlock,
		exitSummary: leaving,
		quit() {
			closing.abort();
			desk.clear();
			walk.cancel(() => true);
			walk.close();
			countdowns.close();
			lock.close();
			seenBudgets.close();
		},
		state() {
			const question = desk.question();
			picture ??= {
				question,
				isLocked,
				isReadOnly: isReadOnly(),
				batches: batches.all(),
				checks: checks.all(),
			};
			return picture;
		},
		subscribe: listeners.subscribe,
	};
}
