import { type GlobalId, splitGlobalId } from '../fleet/computers/global-id.ts';
import {
	isOfThisProcess,
	type Operation,
	type OperationId,
	type OperationSpec,
} from '../fleet/operations/operation.ts';
import { operationRowOf } from '../fleet/operations/operation-table.ts';
import type { Clock } from '../foundation/clock.ts';
import type { Jumps } from '../foundation/jumps.ts';
import { specWithAccountName } from '../store/joint-account.ts';
import type { StandingFailure } from '../store/our-operations.ts';
import type { Store } from '../store/store.ts';
import { type OpenAccount, openAccount } from './account.ts';
import { type Countdown, startCountdown } from './countdown.ts';
import { estimateSendingTime, knownSlotsFrom } from './durations.ts';
import { createLock } from './lock.ts';
import {
	createOperationsState,
	type ExitSummary,
	type HoldReason,
	type OperationsState,
} from './operations-state.ts';
import {
	type AnswerResult,
	type AskOptions,
	type AskResult,
	type BegunOperations,
	captureQuestion,
	idsOfTargets,
	problemWithAnswers,
	type Refused,
	refusedBecause,
} from './question.ts';
import { chosenAccountsOf, detailsOf, type Question, startsFirst } from './question-wording.ts';
import { createRun, type OperatedAccount, type Run } from './run.ts';
import { runOperation } from './run-operation.ts';
import { type WaitReasonOf, whyNotNow } from './why-not.ts';

/** The operations to cancel: one, those of a batch or of an account, those that count down, or all. */
type CancelSelection =
	| { key: string }
	| { batch: string }
	| { account: string }
	| 'countingDown'
	| 'all';

/** Every change to a computer goes through this object. */
export type Operations = ReturnType<typeof createOperations>;

type OperationsOptions = {
	store: Store;
	clock: Clock;
	jumps: Jumps;
	/** Returns a number from 0 to below 1. */
	random: () => number;
	/** The time without a key press after which the monitor locks; `Infinity` for never. */
	lockAfterMs: number;
	/** Whether operations are sent without a countdown. */
	skipsGrace?: boolean | undefined;
};

/** A run that was answered for, with its account. */
type Answered = { account: OpenAccount; run: Run };

/**
 * Connects the operations of all accounts. They share one open question, one lock and one hold; each account has its own
 * queues and rate limits.
 *
 * ```
 *   ask ─▶ open question ─▶ answer ─▶ a run for each computer; see `runOperation`
 *               ▲                               ▲
 *          lock, read-only                 hold, lock, quit
 * ```
 *
 */
export function createOperations(options: OperationsOptions) {
	const { store, clock, jumps, random, lockAfterMs, skipsGrace = false } = options;
	const state = createOperationsState();
	const lock = createLock({ clock, lockAfterMs, state });
	const accounts = new Map<string, OpenAccount>();
	const countdowns = new Set<Countdown>();
	const processPart = Math.floor(random() * 2 ** 48).toString(36);
	let isClosing = false;
	let idCount = 0;

	const all = () => [...accounts.values()];
	const advance = () => {
		for (const account of all()) account.advance();
	};

	/** Creates an id that is unique across processes, because all processes write one journal. */
	function createId() {
		idCount += 1;
		return `${clock.now().toString(36)}-${processPart}-${idCount.toString(36)}`;
	}

	const updateReadOnly = () =>
		state.setState({ isReadOnly: all().every(({ profile }) => profile.isReadOnly) });

	function setQuestion(question: Question | undefined) {
		if (question !== state.getState().question) state.setState({ question });
	}

	/** Returns why nothing may be asked for or answered now, and closes the question then. */
	function refusalNow(operation: OperationId): Refused | undefined {
		const { isReadOnly } = state.getState();
		const isLocked = lock.isLocked();
		const why = whyNotNow(operationRowOf(operation), { isClosing, isReadOnly, isLocked });
		if (!why) return undefined;
		setQuestion(undefined);
		return refusedBecause(why.reason, why.message);
	}

	/** Begins the operations of an answered question, one for each computer. */
	function begin(question: Question): BegunOperations {
		const { operation, targets } = question;
		const started = targets.filter(startsFirst);
		const starts = runsOf({ ...question, operation: 'start', targets: started, skipped: [] });
		const runs = runsOf(question);
		for (const { run } of runs)
			run.first = starts.find(start => start.run.spec.computer === run.spec.computer)?.run;
		const counted = [...starts, ...runs.filter(({ run }) => !run.first)];
		const graceMs = skipsGrace ? 0 : question.countdownMs;
		const until = graceMs > 0 ? clock.now() + graceMs : undefined;
		const countdown = graceMs > 0 ? countDown(counted, graceMs) : undefined;
		for (const { run } of counted) run.countdown = countdown;
		const askedOf = ({ run }: Answered): Operation => {
			const isPart = run.spec.operation === operation && run.spec.batch !== undefined;
			const isCounted = until !== undefined && !run.first;
			return {
				spec: run.spec,
				stage: isCounted ? 'counting' : 'queued',
				askedAt: clock.now(),
				graceEndsAt: isCounted ? until : undefined,
				skipped: (isPart && question.skipped.length) || undefined,
				hasPhaseChanged: false,
			};
		};
		for (const account of all()) {
			const own = [...starts, ...runs].filter(each => each.account === account);
			if (own.length === 0) continue;
			const ownRuns = own.map(({ run }) => run);
			account.begin(ownRuns, own.map(askedOf));
			for (const run of ownRuns) void runOperation(run, account);
		}
		if (state.getState().holdReason !== undefined) countdown?.hold();
		return {
			type: 'begun',
			operations: runs.map(({ account, run }) => {
				return { account: account.profile.account, spec: run.spec };
			}),
			ids: idsOfTargets(question),
		};
	}

	/** Makes the operations that an answered question asks for. */
	function runsOf(question: Question): readonly Answered[] {
		const { operation, targets } = question;
		const details = detailsOf(question);
		const { port, name } = details;
		const chosen = chosenAccountsOf(question);
		if (operationRowOf(operation).subject === 'account')
			return chosen.flatMap(({ profile }) => {
				const account = accounts.get(profile.account);
				const run = createRun({ key: createId(), operation, name: name || undefined }, details);
				return account ? [{ account, run }] : [];
			});
		const batch = targets.length > 1 ? createId() : undefined;
		return targets.flatMap(({ account: key, id: computer, name: targetName, commandLine }) => {
			const account = accounts.get(key);
			if (!account) return [];
			const spec: OperationSpec = {
				key: createId(),
				operation,
				computer,
				name: targetName === computer ? undefined : targetName,
				port,
				version: chosen.find(({ profile }) => profile.account === key)?.version,
				batch,
			};
			return [
				{ account, run: createRun(spec, commandLine ? { ...details, commandLine } : details) },
			];
		});
	}

	/** Starts the countdown that the operations of one question share. */
	function countDown(counted: readonly Answered[], durationMs: number): Countdown {
		const countdown = startCountdown({
			durationMs,
			clock,
			isEscapePending: () => state.getState().isEscapePending(),
			isWaitedFor: () => counted.some(({ run }) => !run.isOver),
			beforeEnd: jumps.check,
			note(step) {
				for (const account of all())
					account.noteWaiting(
						counted.filter(each => each.account === account).map(({ run }) => run),
						step,
					);
			},
		});
		void countdown.over.then(() => countdowns.delete(countdown));
		countdowns.add(countdown);
		return countdown;
	}

	/** Returns the operations that were not sent and that a selection means. A batch counts down as a whole. */
	function selected(selection: CancelSelection): readonly Answered[] {
		const unsent = all().flatMap(account => account.unsent().map(run => ({ account, run })));
		if (selection === 'all') return unsent;
		if (selection === 'countingDown') {
			const counting = ({ account, run }: Answered) => {
				const stage = account.state().operations.get(run.spec.key)?.stage;
				return stage === 'counting' || stage === 'held';
			};
			const ids = new Set(
				unsent.filter(counting).map(({ run: { spec } }) => spec.batch ?? spec.key),
			);
			return unsent.filter(({ run: { spec } }) => ids.has(spec.batch ?? spec.key));
		}
		if ('account' in selection)
			return unsent.filter(({ account }) => account.profile.account === selection.account);
		return unsent.filter(({ run: { spec } }) =>
			'key' in selection ? spec.key === selection.key : spec.batch === selection.batch,
		);
	}

	/** Names the account of an operation if there are several, because two computers may have the same name. */
	const named = ({ profile }: OpenAccount, spec: OperationSpec) =>
		accounts.size > 1 ? specWithAccountName(profile.name, spec) : spec;

	return {
		/** Adds an account. The returned function drops the unsent operations of the account and removes it. */
		addAccount(operated: OperatedAccount): () => void {
			const key = operated.profile.account;
			const opened = openAccount({ store, clock, jumps, account: operated, lock, state });
			accounts.set(key, opened);
			updateReadOnly();
			return () => {
				if (accounts.get(key) !== opened) return;
				const { question } = state.getState();
				if (question?.accounts.some(({ profile }) => profile.account === key))
					setQuestion(undefined);
				opened.close();
				accounts.delete(key);
				if (accounts.size > 0) updateReadOnly();
			};
		},
		/** Captures the targets and opens a question, which replaces an open one. */
		ask(operation: OperationId, ids: readonly GlobalId[], asked: AskOptions = {}): AskResult {
			setQuestion(undefined);
			const refused = refusalNow(operation);
			if (refused) return refused;
			const id = createId();
			const now = clock.now();
			const question = captureQuestion({ ...asked, id, operation, ids, accounts: all(), now });
			if ('refusal' in question) return question;
			if (question.isUnasked) return begin(question);
			setQuestion(question);
			return { type: 'question', question };
		},
		/** Confirms the open question with the collected answers, and starts its operations. */
		answer({ operation, id, answers }: Question): AnswerResult {
			const refused = refusalNow(operation);
			if (refused) return refused;
			const open = state.getState().question;
			// Only the answers are taken from the caller's question. The targets stay as they were captured.
			const answered = open?.id === id ? { ...open, answers } : undefined;
			if (!answered) return refusedBecause('no-answer', 'The question is no longer open');
			const problem = problemWithAnswers(answered, all());
			if (problem?.refusal.reason !== 'no-answer') setQuestion(undefined);
			return problem ?? begin(answered);
		},
		closeQuestion: () => setQuestion(undefined),
		/** Cancels those of these operations that are not sent yet. */
		cancel(selection: CancelSelection): readonly OperationSpec[] {
			const cancelled = selected(selection);
			for (const account of all())
				account.end(
					cancelled.filter(each => each.account === account).map(({ run }) => run),
					'cancelled',
				);
			return cancelled.map(({ account, run }) => named(account, run.spec));
		},
		/** Notes that a person has seen a failure, so that it is shown no longer. */
		markSeen(failure: StandingFailure) {
			for (const account of all()) account.markSeen(failure);
		},
		/** Visits a published port. A visit wakes a computer, so nothing is visited while changes are refused. */
		checkPort(globalId: GlobalId, port: number) {
			const { account, id } = splitGlobalId(globalId);
			accounts.get(account)?.visit(id, port);
		},
		/** Returns a function that says why an operation is not sent yet; it returns undefined after it was sent. */
		waitReasonsAt(now = clock.now()): WaitReasonOf {
			return key => {
				for (const account of all()) {
					const reason = account.waitReasonOf(key, now);
					if (reason) return reason;
				}
				return undefined;
			};
		},
		/** Returns the approximate milliseconds until the last operation of a batch is sent. */
		estimateTimeLeft(batch: string, now = clock.now()): number {
			const times = all().map(account => {
				const waiting = account.unsent().filter(({ spec }) => spec.batch === batch);
				const { scope } = operationRowOf(waiting[0]?.spec.operation ?? '');
				const slots = knownSlotsFrom(account.state().standings, now);
				return estimateSendingTime(waiting.length, scope, slots, now);
			});
			return Math.max(0, ...times);
		},
		/** Holds countdowns while they are out of sight. `undefined` restarts each one with its full time. */
		hold(holdReason: HoldReason | undefined) {
			const before = state.getState().holdReason;
			if (holdReason === before) return;
			jumps.check();
			state.setState({ holdReason });
			if (before === undefined) for (const countdown of [...countdowns]) countdown.hold();
			if (holdReason === undefined) {
				for (const countdown of [...countdowns]) countdown.restart();
			}
			advance();
		},
		/** Lets no countdown end while a key has arrived that may be Esc. */
		waitForEscape: (isEscapePending: () => boolean) => state.setState({ isEscapePending }),
		restartIdleTime: lock.restartIdleTime,
		lock: lock.lock,
		unlock() {
			lock.unlock();
			advance();
		},
		/** Which operations would continue, and which would be dropped, if the program exited or closed the account now. */
		exitSummary(account?: string): ExitSummary {
			const closed = all().filter(
				({ profile }) => account === undefined || profile.account === account,
			);
			const inStages = (...stages: readonly Operation['stage'][]) =>
				closed.flatMap(each =>
					[...each.state().operations.values()]
						.filter(known => isOfThisProcess(known) && stages.includes(known.stage))
						.map(({ spec }) => named(each, spec)),
				);
			const isOwnCommand = ({ operation }: OperationSpec) =>
				operationRowOf(operation).ownCommand !== undefined;
			return {
				sent: inStages('sent', 'accepted').filter(spec => !isOwnCommand(spec)),
				running: inStages('sent').filter(isOwnCommand),
				unknown: inStages('unknown'),
				dropped: closed.flatMap(each => each.unsent().map(({ spec }) => named(each, spec))),
			};
		},
		/** Drops all operations that are not sent. No request is sent afterwards. */
		quit() {
			isClosing = true;
			setQuestion(undefined);
			for (const countdown of countdowns) countdown.close();
			for (const { close } of all()) close();
			lock.close();
		},
		setCommandRuns: (commandRuns: OperationsState['commandRuns']) =>
			state.setState({ commandRuns }),
		state: state.getState,
		subscribe: (listener: () => void) => state.subscribe(listener),
	};
}
