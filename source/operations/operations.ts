import type { AccountProfile } from '../fleet/computers/account-profile.ts';
import { type GlobalId, splitGlobalId } from '../fleet/computers/global-id.ts';
import type { OperationId, OperationSpec } from '../fleet/operations/operation.ts';
import { operationRowOf } from '../fleet/operations/operation-table.ts';
import { specWithAccountName } from '../store/joint-account.ts';
import type { StandingFailure } from '../store/our-operations.ts';
import { type AccountOperations, createAccountOperations } from './account-operations.ts';
import { begunOperationsFrom } from './begun-part.ts';
import { type CancelSelection, selectionTest } from './cancel-selection.ts';
import { batchTimeLeft, knownSlotsFrom } from './durations.ts';
import { type AnsweredQuestion, type AskOptions, createOpenQuestion } from './open-question.ts';
import {
	batchFacts,
	createIdGenerator,
	type OperationMaker,
	operationMakersFrom,
} from './operation-maker.ts';
import type { OperatedAccount, OperationsOptions } from './operations-options.ts';
import {
	createOperationsState,
	type ExitSummary,
	exitSummaryFrom,
	type HoldReason,
	type OperationsState,
} from './operations-state.ts';
import { type Question, startsFirst } from './question.ts';
import {
	type AnswerResult,
	type AskResult,
	type BegunOperations,
	createLock,
	refusalNow,
} from './refusal.ts';
import type { WaitReasonOf } from './waiting.ts';

/** Every change to a computer goes through this object. */
export type Operations = {
	/** Adds an account. The returned function drops the unsent operations of the account and removes it. */
	addAccount(account: OperatedAccount): () => void;
	/** Captures the targets and opens a question, which replaces an open one. */
	ask(operation: OperationId, ids: readonly GlobalId[], options?: AskOptions): AskResult;
	/** Confirms the open question with the collected answers, and starts its operations. */
	answer(question: Question): AnswerResult;
	/** Closes the open question without an answer. */
	closeQuestion(): void;
	/** Cancels those of these operations that are not sent yet. */
	cancel(selection: CancelSelection): readonly OperationSpec[];
	/** Notes that a person has seen a failure, so that it is shown no longer. */
	markSeen(failure: StandingFailure): void;
	/** Visits a published port. A visit wakes a computer, so nothing is visited while changes are refused. */
	checkPort(id: GlobalId, port: number): void;
	/** Returns a function that says why an operation is not sent yet; it returns undefined after it was sent. */
	waitReasonsAt(now?: number): WaitReasonOf;
	/** Returns the approximate milliseconds until the last operation of a batch is sent. */
	estimateTimeLeft(batch: string, now?: number): number;
	/** Holds countdowns while they are out of sight. `undefined` restarts each one with its full time. */
	hold(reason: HoldReason | undefined): void;
	/** Lets no countdown end while a key has arrived that may be Esc. */
	waitForEscape(isEscapePending: () => boolean): void;
	/** Starts the idle time of the lock again, because a key was pressed. */
	restartIdleTime(): void;
	lock(): void;
	unlock(): void;
	/** Which operations would continue, and which would be dropped, if the program exited or closed the account now. */
	exitSummary(account?: string): ExitSummary;
	/** Drops all operations that are not sent. No request is sent afterwards. */
	quit(): void;
	/** Shows these runs of own commands. */
	setCommandRuns(runs: OperationsState['commandRuns']): void;
	state(): OperationsState;
	subscribe(listener: () => void): () => void;
};

/**
 * Connects the operations of all accounts. All accounts share one open question, one lock and one hold; each account
 * has its own queue and rate limits.
 *
 * ```
 *   ask ─▶ open question ─▶ answer ─┬▶ account: grace ─▶ queue ─▶ request ─▶ outcome ─▶ facts
 *               ▲                   └▶ account: …
 *          lock, read-only                 ▲
 *                                   hold, lock, quit
 * ```
 *
 */
export function createOperations(options: OperationsOptions): Operations {
	const { clock, skipsGrace = false } = options;
	const closing = new AbortController();
	const createId = createIdGenerator(clock, options.random);
	const state = createOperationsState();
	const lock = createLock({ clock, lockAfterMs: options.lockAfterMs, state });
	const accounts = new Map<string, AccountOperations>();
	const all = () => [...accounts.values()];
	const openQuestion = createOpenQuestion({
		accounts: all,
		refusalNow: id => refusalNow({ signal: closing.signal, lock, state }, operationRowOf(id)),
		state,
		clock,
		createId,
	});

	const updateReadOnly = () =>
		state.setState({ isReadOnly: all().every(({ profile }) => profile.isReadOnly) });

	/** Begins the operations if the question is answered. Any other result is returned unchanged. */
	function begin<R extends AskResult>(result: R | AnsweredQuestion): R | BegunOperations {
		if (result.type !== 'answered') return result;
		const { question } = result;
		const graceMs = skipsGrace ? 0 : question.countdownMs;
		const { targets } = question;
		const started = targets.filter(startsFirst);
		const makersOf = (part: Question, batch?: string) =>
			operationMakersFrom(part, createId, batch).filter(({ count }) => count > 0);
		const announce = (part: Question, makers: readonly OperationMaker[]) => {
			for (const maker of makers)
				accounts.get(maker.account)?.accountStore.foldAll(batchFacts(part, maker));
		};
		const all = makersOf(question);
		announce(question, all);
		const begin = (maker: OperationMaker, first?: OperationMaker) =>
			accounts.get(maker.account)?.lifecycle.begin(maker, graceMs, first) ?? [];
		if (started.length === 0)
			return begunOperationsFrom(
				all.flatMap(each => begin(each)),
				question,
			);
		const [batch] = all.flatMap(each => each.batch ?? []);
		const startQuestion = { ...question, operation: 'start', targets: started, skipped: [] };
		const starts = makersOf(startQuestion);
		announce(startQuestion, starts);
		const rest = makersOf(
			{ ...question, targets: targets.filter(each => !startsFirst(each)) },
			batch,
		);
		const later = makersOf({ ...question, targets: started }, batch);
		const parts = [
			...later.flatMap(maker =>
				begin(
					maker,
					starts.find(({ account }) => account === maker.account),
				),
			),
			...rest.flatMap(maker => begin(maker)),
		];
		return begunOperationsFrom(parts, question);
	}

	function cancel(
		isMatch: (spec: OperationSpec, account: string) => boolean,
	): readonly OperationSpec[] {
		return all().flatMap(({ profile, pending }) => {
			const items = pending.unsent().filter(({ spec }) => isMatch(spec, profile.account));
			if (items.length > 0) pending.cancel(items);
			return items.map(({ spec }) => named(profile, spec));
		});
	}

	/** Names the account of an operation if there are several, because two computers may have the same name. */
	const named = ({ name }: AccountProfile, spec: OperationSpec) =>
		accounts.size > 1 ? specWithAccountName(name, spec) : spec;

	const sendNext = () => {
		for (const { lifecycle } of all()) lifecycle.sendNext();
	};

	return {
		addAccount(account) {
			const { account: key } = account.profile;
			const opened = createAccountOperations({ ...options, account, lock, state });
			accounts.set(key, opened);
			if (state.getState().holdReason !== undefined) opened.lifecycle.holdCountdowns(true);
			updateReadOnly();
			return () => {
				if (accounts.get(key) !== opened) return;
				const { question } = state.getState();
				if (question?.accounts.some(({ profile }) => profile.account === key)) openQuestion.close();
				opened.close();
				accounts.delete(key);
				if (accounts.size > 0) updateReadOnly();
			};
		},
		ask: (...request) => begin(openQuestion.ask(...request)),
		answer: question => begin(openQuestion.answer(question)),
		closeQuestion: openQuestion.close,
		cancel: selection => cancel(selectionTest(selection, all())),
		markSeen(failure) {
			for (const { accountStore } of all()) {
				const { batches, operations } = accountStore.state();
				if (failure.type === 'batch') {
					const { id } = failure.batch;
					if (batches.has(id)) accountStore.fold({ type: 'batchSeen', batch: id });
				} else {
					const { key } = failure.operation.spec;
					if (operations.has(key)) accountStore.fold({ type: 'operationSeen', key });
				}
			}
		},
		checkPort(globalId, port) {
			const { account, id } = splitGlobalId(globalId);
			accounts.get(account)?.checkPort(id, port);
		},
		waitReasonsAt(now = clock.now()) {
			const { isLocked, holdReason } = state.getState();
			const conditions = { isLocked, isQueueHeld: holdReason === 'quit', now };
			const lookups = all().map(({ lifecycle }) => lifecycle.waitReasonsUnder(conditions));
			return key => {
				for (const reasonOf of lookups) {
					const reason = reasonOf(key);
					if (reason) return reason;
				}
				return undefined;
			};
		},
		estimateTimeLeft(batch, now = clock.now()) {
			const times = all().map(({ accountStore }) => {
				const { batches, standings } = accountStore.state();
				return batchTimeLeft(batches.get(batch), knownSlotsFrom(standings, now), now);
			});
			return Math.max(0, ...times);
		},
		hold(holdReason) {
			if (holdReason === state.getState().holdReason) return;
			for (const { lifecycle } of all()) lifecycle.holdCountdowns(holdReason !== undefined);
			state.setState({ holdReason });
			sendNext();
		},
		waitForEscape: isEscapePending => state.setState({ isEscapePending }),
		restartIdleTime: lock.restartIdleTime,
		lock: lock.lock,
		unlock() {
			lock.unlock();
			sendNext();
		},
		exitSummary(account) {
			const closed = all().filter(
				({ profile }) => account === undefined || profile.account === account,
			);
			return exitSummaryFrom(
				closed.flatMap(({ profile, accountStore }) =>
					[...accountStore.state().operations.values()].map(operation => {
						return { ...operation, spec: named(profile, operation.spec) };
					}),
				),
				closed.flatMap(({ profile, pending }) =>
					pending.unsent().map(({ spec }) => ({ spec: named(profile, spec) })),
				),
			);
		},
		quit() {
			closing.abort();
			openQuestion.close();
			for (const { close } of all()) close();
			lock.close();
		},
		setCommandRuns: commandRuns => state.setState({ commandRuns }),
		state: state.getState,
		subscribe: state.subscribe,
	};
}
