import { type GlobalId, splitGlobalId } from '../fleet/computers/global-id.ts';
import { operationFact } from '../fleet/fact.ts';
import {
	isOfThisProcess,
	type OperationId,
	type OperationSpec,
	type OperationStage,
} from '../fleet/operations/operation.ts';
import type { OperationDetails, Target } from '../fleet/operations/operation-row.ts';
import { operationRowOf } from '../fleet/operations/operation-table.ts';
import type { Clock } from '../foundation/clock.ts';
import type { Jumps } from '../foundation/jumps.ts';
import { specWithAccountName } from '../store/joint-account.ts';
import type { StandingFailure } from '../store/our-operations.ts';
import type { Store } from '../store/store.ts';
import { type Countdown, startCountdown } from './countdown.ts';
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
import { type Account, createRun, type OperatedAccount, type Run } from './run.ts';
import { runOperation } from './run-operation.ts';
import { createRuns } from './runs.ts';
import { waitReasonsIn, whyNotNow } from './why-not.ts';

type CancelSelection =
	| { key: string }
	| { batch: string }
	| { account: string }
	| 'countingDown'
	| 'all';

export type Operations = ReturnType<typeof createOperations>;

type OperationsOptions = {
	store: Store;
	clock: Clock;
	jumps: Jumps;
	random: () => number;
	lockAfterMs: number;
	skipsGrace?: boolean | undefined;
};

export function createOperations({ random, lockAfterMs, skipsGrace, ...parts }: OperationsOptions) {
	const { store, clock, jumps } = parts;
	const state = createOperationsState();
	const lock = createLock(clock, lockAfterMs, state);
	const runs = createRuns(store, clock, jumps, lock, state);
	const { accounts } = runs;
	const countdowns = new Set<Countdown>();
	const processPart = Math.floor(random() * 2 ** 48).toString(36);
	let isClosing = false;
	let idCount = 0;

	const all = () => [...accounts.values()];

	/** Unique across processes, because all processes write one journal. */
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

	function begin(question: Question): BegunOperations {
		const { targets, skipped, countdownMs } = question;
		const starts = runsOf('start', question, targets.filter(startsFirst));
		const asked = runsOf(question.operation, question, targets, skipped.length || undefined);
		for (const run of asked)
			run.first = starts.find(({ spec }) => spec.computer === run.spec.computer);
		const begun = [...starts, ...asked];
		const counted = begun.filter(({ first }) => !first);
		const countdown = countdownMs > 0 && !skipsGrace ? countDown(counted, countdownMs) : undefined;
		runs.begin(begun);
		for (const run of begun) void runOperation(run, runs);
		if (state.getState().holdReason !== undefined) countdown?.hold();
		return {
			type: 'begun',
			operations: asked.map(({ account, spec }) => ({ account: account.profile.account, spec })),
			ids: idsOfTargets(question),
		};
	}

	function runsOf(
		operation: OperationId,
		question: Question,
		targets: readonly Target[],
		skipped?: number,
	): readonly Run[] {
		const details = detailsOf(question);
		const chosen = chosenAccountsOf(question);
		if (operationRowOf(operation).subject === 'account')
			return chosen.flatMap(({ profile }) =>
				runIn(
					profile.account,
					{ key: createId(), operation, name: details.name || undefined },
					details,
				),
			);
		const batch = targets.length > 1 ? createId() : undefined;
		return targets.flatMap(({ account, id: computer, name, commandLine }) => {
			const spec: OperationSpec = {
				key: createId(),
				operation,
				computer,
				name: name === computer ? undefined : name,
				port: details.port,
				version: chosen.find(({ profile }) => profile.account === account)?.version,
				batch,
			};
			return runIn(account, spec, { ...details, commandLine }, batch ? skipped : undefined);
		});
	}

	function runIn(
		key: string,
		spec: OperationSpec,
		details: OperationDetails,
		skipped?: number,
	): readonly Run[] {
		const account = accounts.get(key);
		return account ? [createRun(account, spec, details, skipped)] : [];
	}

	function countDown(counted: readonly Run[], durationMs: number): Countdown {
		const countdown = startCountdown(counted, durationMs, runs);
		for (const run of counted) run.countdown = countdown;
		countdowns.add(countdown);
		void countdown.over.then(() => countdowns.delete(countdown));
		return countdown;
	}

	const stageOf = ({ account, spec }: Run) => account.state().operations.get(spec.key)?.stage;

	/** A batch counts down as a whole. */
	function selected(selection: CancelSelection): readonly Run[] {
		const unsent = runs.unsent();
		if (selection === 'all') return unsent;
		if (selection === 'countingDown') {
			const counting = unsent.filter(run => stageOf(run) !== 'queued');
			const ids = new Set(counting.map(({ spec }) => spec.batch ?? spec.key));
			return unsent.filter(({ spec }) => ids.has(spec.batch ?? spec.key));
		}
		return unsent.filter(({ account, spec }) => {
			if ('account' in selection) return account.profile.account === selection.account;
			return 'key' in selection ? spec.key === selection.key : spec.batch === selection.batch;
		});
	}

	/** Names the account of an operation if there are several, because two computers may have the same name. */
	const named = ({ profile }: Account, spec: OperationSpec) =>
		accounts.size > 1 ? specWithAccountName(profile.name, spec) : spec;

	return {
		/** The returned function drops the unsent operations of the account and removes it. */
		addAccount(operated: OperatedAccount): () => void {
			const key = operated.profile.account;
			const opened = runs.open(operated);
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
		cancel(selection: CancelSelection): readonly OperationSpec[] {
			const cancelled = selected(selection);
			runs.end(cancelled, 'cancelled');
			return cancelled.map(({ account, spec }) => named(account, spec));
		},
		markSeen(failure: StandingFailure) {
			const isMeant = ({ key, batch }: OperationSpec) =>
				failure.type === 'operation'
					? key === failure.operation.spec.key
					: batch === failure.batch.id;
			for (const account of all())
				for (const known of account.state().operations.values())
					if (known.stage === 'failed' && isMeant(known.spec))
						runs.receive(account, [{ ...operationFact(known), step: 'seen' }]);
		},
		/** Visits a published port. A visit wakes a computer, so nothing is visited while changes are refused. */
		checkPort(globalId: GlobalId, port: number) {
			const { account: key, id: computer } = splitGlobalId(globalId);
			const account = accounts.get(key);
			const isFree = !isClosing && state.getState().holdReason !== 'quit' && !lock.isLocked();
			if (account && isFree && !account.profile.isReadOnly) runs.visit(account, { computer, port });
		},
		waitReasonsAt: (now = clock.now()) =>
			waitReasonsIn(
				all().map(account => account.state()),
				state.getState(),
				now,
			),
		/** Holds countdowns while they are out of sight. `undefined` restarts each one with its full time. */
		hold(holdReason: HoldReason | undefined) {
			const before = state.getState().holdReason;
			if (holdReason === before) return;
			jumps.check();
			state.setState({ holdReason });
			if (before === undefined) for (const countdown of [...countdowns]) countdown.hold();
			if (holdReason === undefined) for (const countdown of [...countdowns]) countdown.restart();
			runs.advance();
		},
		/** Lets no countdown end while a key has arrived that may be Esc. */
		waitForEscape: (isEscapePending: () => boolean) => state.setState({ isEscapePending }),
		restartIdleTime: lock.restartIdleTime,
		lock: lock.lock,
		unlock() {
			lock.unlock();
			runs.advance();
		},
		/** What would happen to operations if the program exited or closed the account now. */
		exitSummary(key?: string): ExitSummary {
			const closed = all().filter(({ profile }) => key === undefined || profile.account === key);
			const specsIn = (...stages: readonly OperationStage[]) =>
				closed.flatMap(account =>
					[...account.state().operations.values()]
						.filter(each => isOfThisProcess(each) && stages.includes(each.stage))
						.map(({ spec }) => named(account, spec)),
				);
			const isCommand = (spec: OperationSpec) => operationRowOf(spec.operation).scope === 'none';
			return {
				sent: specsIn('sent', 'accepted').filter(spec => !isCommand(spec)),
				running: specsIn('sent').filter(isCommand),
				unknown: specsIn('unknown'),
				dropped: specsIn('counting', 'held', 'queued'),
			};
		},
		/** Nothing is sent afterwards. */
		quit() {
			isClosing = true;
			setQuestion(undefined);
			for (const countdown of countdowns) countdown.close();
			for (const account of all()) account.close();
			lock.close();
		},
		setCommandRuns: (commandRuns: OperationsState['commandRuns']) =>
			state.setState({ commandRuns }),
		state: state.getState,
		subscribe: (listener: () => void) => state.subscribe(listener),
	};
}
