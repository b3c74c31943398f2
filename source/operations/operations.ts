import { setMaxListeners } from 'node:events';
import { createStore as createStateStore } from 'zustand/vanilla';
import { type GlobalId, globalIdOf, splitGlobalId } from '../fleet/computers/global-id.ts';
import { type FactBody, operationFact } from '../fleet/fact.ts';
import {
	isOfThisProcess,
	isUnderWay,
	isUnsent,
	type Operation,
	type OperationId,
	type OperationSpec,
	type OperationStage,
} from '../fleet/operations/operation.ts';
import {
	countdownMs,
	type OperationDetails,
	type OperationRow,
	type Target,
} from '../fleet/operations/operation-row.ts';
import { operationRowOf } from '../fleet/operations/operation-table.ts';
import type { Clock, Jumps } from '../foundation/clock.ts';
import { durationText } from '../foundation/duration.ts';
import type { Failure } from '../foundation/failure.ts';
import { grouped } from '../foundation/grouped.ts';
import { createFailure, failureIn } from '../platform/decoding/platform-error.ts';
import { type Acceptance, type Platform, sendRead } from '../platform/platform.ts';
import { operationIn, type StandingFailure } from '../store/our-operations.ts';
import { specWithAccountName } from '../store/selectors.ts';
import { type AccountState, emptyAccount } from '../store/state.ts';
import type { Store } from '../store/store.ts';
import type { Watch } from '../watch/watch.ts';
import type { CommandRun } from './command-runner.ts';
import { confirmAfterMs, isAlreadyHappening, lookUpAfterMs, outcomesIn } from './outcome.ts';
import { commandLineFor } from './own-commands.ts';
import {
	type AnswerResult,
	type AskOptions,
	type AskResult,
	type BegunOperations,
	captureQuestion,
	problemWithAnswers,
} from './question.ts';
import {
	type AskedAccount,
	chosenAccountsOf,
	detailsOf,
	type Question,
	startsFirst,
} from './question-wording.ts';
import {
	type HoldReason,
	holdingReasonOf,
	inSendingOrder,
	type Refused,
	readOnlyText,
	refusedBecause,
	type WaitReason,
	whyNotSent,
} from './why-not.ts';

export type Operations = ReturnType<typeof createOperations>;

type OperationsOptions = {
	store: Store;
	clock: Clock;
	jumps: Jumps;
	random: () => number;
	lockAfterMs: number;
	skipsCountdown?: boolean;
};

type CancelSelection = { key: string } | { batch: string } | { account: string } | 'countingDown';

type PortCheckResult =
	| { state: 'asking' | 'answers' | 'silent' }
	| { state: 'failed'; failure: Failure };

export type PortCheck = { id: GlobalId; port: number; checkedAt: number } & PortCheckResult;

/** The part of the state of operations that does not come from facts. */
export type OperationsState = {
	question: Question | undefined;
	isLocked: boolean;
	isReadOnly: boolean;
	holdReason: HoldReason | undefined;
	/** A key that may be Esc has arrived, and is understood in a moment. */
	isEscapePending: () => boolean;
	commandRuns: readonly CommandRun[];
	portChecks: readonly PortCheck[];
};

export const initialOperationsState: OperationsState = {
	question: undefined,
	isLocked: false,
	isReadOnly: false,
	holdReason: undefined,
	isEscapePending: () => false,
	commandRuns: [],
	portChecks: [],
};

export type ExitSummary = {
	sent: readonly OperationSpec[];
	running: readonly OperationSpec[];
	unknown: readonly OperationSpec[];
	dropped: readonly OperationSpec[];
};

/** The account's rules, and the services that its requests go through. */
export type OperatedAccount = Omit<AskedAccount, 'state'> & {
	platform: Platform;
	watch: Pick<Watch, 'wake' | 'readNow'>;
	/** Only one process of a host follows the operations of those that have ended. */
	isRecorder?: () => boolean;
};

type Account = OperatedAccount & {
	state(): AccountState;
	signal: AbortSignal;
	close(): void;
};

/** From the answered question to the outcome. The store knows how far it has come. */
type Run = {
	account: Account;
	spec: OperationSpec;
	details: OperationDetails;
	refusals: number;
	request?: AbortController;
	/** Absent while it has its turn. */
	proceed?: (hasTurn: boolean) => void;
	/** On the monotonic clock. */
	countdownEndsAt: number;
	/** For anything but the rate limits, on the monotonic clock. */
	waitingSince?: number;
};

// If a countdown ends this late, the program was stopped or the clock was set, and a person saw another one.
const unseenIfLateByMs = 1_000;

const betweenLooksForEscapeMs = 10;

/**
 * A request needs only a few turns to use all slots. Creates are sent one by one, so that a lost response leaves no
 * doubt which new computer belongs to it. Each own command is a process.
 */
const maxTurns: Readonly<Record<OperationRow['scope'], number>> = { create: 1, other: 3, none: 4 };

// Each refusal freezes the scope for all requests, longer each time.
const maxRefusals = 6;

// The question did not mention a longer wait.
const maxCreateWaitMs = 60_000;

const unsentAgain = { stage: 'queued', sentAt: undefined } as const;

const lookEveryMs = 1_000;

// After a longer absence, a person may not remember what would be sent.
const maxSleepMs = 10_000;
const maxWaitMs = 10 * 60_000;

const longWaits: Partial<Record<WaitReason['type'], string>> = {
	held: 'out of sight',
	quitDialog: 'out of sight',
	unlock: 'locked',
	previous: 'for an earlier creation',
};

const scopeOf = ({ spec }: Pick<Run, 'spec'>) => operationRowOf(spec.operation).scope;

const isRequest = (run: Pick<Run, 'spec'>) => scopeOf(run) !== 'none';

export function createOperations(options: OperationsOptions) {
	const { store, clock, jumps, random, skipsCountdown } = options;
	let { lockAfterMs } = options;
	const state = createStateStore(() => initialOperationsState);
	const accounts = new Map<string, Account>();
	const runs = new Map<string, Run>();
	const inTurn = new Set<Run>();
	const processPart = Math.floor(random() * 2 ** 48).toString(36);
	let touchedAt = clock.monotonic();
	let isClosing = false;
	let idCount = 0;

	const stopFollowing = store.subscribe((_, { accounts: before }) => {
		for (const account of all()) {
			const known = before.get(account.profile.account) ?? emptyAccount;
			if (account.state() !== known) follow(account, known);
		}
	});

	const all = () => [...accounts.values()];

	/** Unique across processes, because all write one journal. */
	function createId() {
		idCount += 1;
		return `${clock.now().toString(36)}-${processPart}-${idCount.toString(36)}`;
	}

	// What is known of an operation, and its next step.

	const operationOf = ({ account, spec }: Run) => account.state().operations.get(spec.key);

	const isOver = (run: Run) => !runs.has(run.spec.key);

	function isWaiting(run: Run): boolean {
		const known = operationOf(run);
		return !isOver(run) && known !== undefined && isUnsent(known);
	}

	const unsent = (): readonly Run[] => [...runs.values()].filter(isWaiting);

	const isOnSameComputer = (run: Run, { account, spec: { computer } }: Run) =>
		run.account === account && run.spec.computer === computer && isRequest(run);

	const inStage = (...stages: readonly OperationStage[]) =>
		[...runs.values()].filter(run => stages.includes(operationOf(run)?.stage ?? 'done'));

	const factFrom = ({ profile }: Account, body: FactBody, askedAt?: number) => {
		return { account: profile.account, at: clock.now(), askedAt, ...body };
	};

	function note(noted: readonly Run[], step: Partial<Operation>, response?: Acceptance) {
		const facts = noted.flatMap(run => {
			const known = operationOf(run);
			if (!known) return [];
			const next = { ...known, countdownEndsAt: undefined, ...step };
			const { reading, published } = response ?? {};
			const body = { ...operationFact(next), reading, published } as FactBody;
			return [factFrom(run.account, body, response && known.sentAt)];
		});
		if (facts.length > 0) store.receive(facts);
		if (step.stage === 'sent') restartIdleTime();
	}

	function end(ending: readonly Run[], stage: 'cancelled' | 'failed', failure?: Failure) {
		for (const run of ending) run.request?.abort();
		note(ending, { stage, endedAt: clock.now(), failure });
		advance();
	}

	function follow(account: Account, before: AccountState) {
		const now = account.state();
		const outcomes = outcomesIn(now, clock.now(), account.isRecorder?.());
		if (outcomes.length > 0) store.receive(outcomes.map(fact => factFrom(account, fact)));
		if (now.operations === before.operations) return;
		const ended = [...runs.values()].flatMap(run => {
			const known = operationIn(now, run.spec.key);
			return run.account !== account || (known && isUnderWay(known)) ? [] : { run, known };
		});
		for (const { run } of ended) forget(run);
		for (const { run, known } of ended) {
			const { operation, computer, port } = run.spec;
			const isPublished = operationRowOf(operation).goal.reaches === 'published';
			if (known?.stage === 'done' && isPublished && computer !== undefined && port !== undefined)
				void visit(account, computer, port);
			// An update that waits for this start goes with it.
			if (operation === 'start' && known?.stage === 'cancelled')
				end(
					unsent().filter(other => isOnSameComputer(other, run)),
					'cancelled',
				);
		}
		advance();
		account.watch.wake();
	}

	function forget(run: Run) {
		runs.delete(run.spec.key);
		run.proceed?.(false);
	}

	/** A visit wakes a sleeping computer, so without a key a port is visited only once, after it was published. */
	async function visit({ platform, profile, signal }: Account, computer: string, port: number) {
		const id = globalIdOf(profile.account, computer);
		const isSamePort = (check: PortCheck) => check.id === id && check.port === port;
		const earlier = state.getState().portChecks.find(isSamePort);
		if (earlier?.state === 'asking' || signal.aborted) return;

		function keep(result: PortCheckResult) {
			const others = state.getState().portChecks.filter(each => !isSamePort(each));
			const check = { id, port, checkedAt: clock.now(), ...result };
			state.setState({ portChecks: [...others, check] });
		}

		keep({ state: 'asking' });
		try {
			const options = { signal, priority: 'read' } as const;
			const hasAnswered = await platform.visitPort(computer, port, options);
			keep({ state: hasAnswered ? 'answers' : 'silent' });
		} catch (error) {
			keep({ state: 'failed', failure: failureIn(error) });
		}
	}

	// The way of one operation.

	/**
	 * ```
	 *   counts down in sight ─▶ waits for its turn ─▶ sent ─▶ accepted ─▶ followed to its outcome, which a read shows
	 *                            ▲                     ├──▶ refused: failed, if it is not so already
	 *                            └─────────────────────┤    by the rate limit, or held back
	 *                                                  └──▶ no response: looked up, never sent again
	 * ```
	 */
	async function runOperation(run: Run) {
		let turn = turnOf(run);
		while (await turn) {
			await send(run);
			inTurn.delete(run);
			turn = turnOf(run);
			advance();
		}
	}

	async function turnOf(run: Run): Promise<boolean> {
		if (isOver(run)) return false;
		return new Promise(resolve => {
			run.proceed = resolve;
		});
	}

	function advance() {
		for (const run of inSendingOrder([...runs.values()])) {
			if (!run.proceed || !isTurnFree(run) || !mayBeSent(run)) continue;
			inTurn.add(run);
			run.proceed(true);
			run.proceed = undefined;
		}
	}

	function isTurnFree(run: Run): boolean {
		const others = [...inTurn].filter(
			other => other.account === run.account && scopeOf(other) === scopeOf(run),
		);
		return others.length < maxTurns[scopeOf(run)];
	}

	function holdingReason(run: Run): WaitReason | undefined {
		const known = operationOf(run);
		return known && holdingReasonOf(known, run.account.state(), state.getState());
	}

	function mayBeSent(run: Run): boolean {
		const { changes } = operationRowOf(run.spec.operation);
		const isForbidden = changes && (run.account.profile.isReadOnly || isLocked());
		return !isForbidden && isWaiting(run) && holdingReason(run) === undefined;
	}

	/** What is unsent afterwards waits for another turn; what has left is never called back. */
	async function send(run: Run) {
		const { account, spec, details } = run;
		const whyNot = () => whyNotSent(account.state(), spec, clock.now());
		jumps.check();
		if (!mayBeSent(run)) return;
		const obstacle = whyNot();
		if (obstacle !== undefined) return end([run], 'failed', createFailure('conflict', obstacle));
		const request = new AbortController();
		run.request = request;
		let hasLeft = false;
		// The journal has the fact when `note` returns, so no request leaves without a trace.
		function onSent() {
			jumps.check();
			if (!mayBeSent(run) || whyNot() !== undefined) return request.abort();
			note([run], { stage: 'sent', sentAt: clock.now() });
			hasLeft = true;
		}
		// The platform has refused the token, and after a sign-in the request is sent once more.
		function onUnsent() {
			if (account.signal.aborted) return;
			note([run], unsentAgain);
			hasLeft = false;
		}
		const options = { signal: request.signal, priority: 'operation', onSent, onUnsent } as const;
		try {
			const wish = { ...details, ...spec };
			const { run: runHere } = operationRowOf(spec.operation);
			const acceptance = runHere
				? await runHere(wish, options)
				: await account.platform.operate(wish, options);
			if (!account.signal.aborted) accept(run, acceptance);
		} catch (error) {
			const isHeldBack = !hasLeft && request.signal.aborted;
			if (account.signal.aborted || isHeldBack) return;
			await noteFailure(run, failureIn(error), hasLeft);
		}
	}

	function accept(run: Run, response: Acceptance) {
		const computer = response.reading?.id ?? run.spec.computer;
		const spec = { ...run.spec, computer };
		note([run], { spec, stage: 'accepted', acceptedAt: clock.now() }, response);
	}

	async function noteFailure(run: Run, failure: Failure, hasLeft: boolean) {
		const { account } = run;
		const fail = (why: Failure, stage: 'failed' | 'unknown' = 'failed') =>
			note([run], { stage, endedAt: clock.now(), failure: why });
		if (!hasLeft && failure.kind === 'auth') {
			const waiting = unsent().filter(each => each.account === account && isRequest(each));
			return end(waiting, 'failed', failure);
		}
		// The rate limiter does not count sign-ins, and would retry a refused one at once.
		if (hasLeft && failure.kind === 'limited') {
			run.refusals += 1;
			const final = finalRefusal(run, failure, clock.now());
			return final ? fail(final) : note([run], unsentAgain);
		}
		if (failure.isOutcomeUnknown && isRequest(run)) {
			fail(failure, 'unknown');
			return lookUp(run);
		}
		const isDone = await isDoneAnyway(run, failure);
		if (account.signal.aborted) return;
		if (isDone) accept(run, {});
		else fail(failure);
	}

	/** "Already in progress", or "not found" after a delete, may mean that it is done. */
	async function isDoneAnyway({ spec, account }: Run, { kind }: Failure): Promise<boolean> {
		const { computer: id, operation } = spec;
		if (id === undefined || (kind !== 'conflict' && kind !== 'missing')) return false;
		const { evidence, goal } = operationRowOf(operation);
		const { platform, signal } = account;
		let askedAt = clock.now();
		const onSent = () => {
			askedAt = clock.now();
		};
		const options = { signal, priority: 'operation', onSent } as const;
		let fact: FactBody = {
			type: 'computerRead',
			read: 'status',
			computer: { id },
			isMissing: true,
		};
		try {
			const read = evidence === 'detail' ? 'detail' : 'status';
			({ fact } = await sendRead(platform, read, options, id));
		} catch (error) {
			if (failureIn(error).kind !== 'missing') return false;
		}
		if (signal.aborted) return false;
		store.receive([factFrom(account, fact, askedAt)]);
		const computer = account.state().computers.get(id);
		return computer ? isAlreadyHappening(computer, spec) : goal.reaches === 'gone';
	}

	function lookUp({ account, spec }: Run) {
		const { evidence } = operationRowOf(spec.operation);
		// The watch reads the status of a computer with an unknown outcome in any case.
		if (evidence === 'status') return;
		function read() {
			if (account.state().operations.get(spec.key)?.stage === 'unknown')
				account.watch.readNow([{ name: evidence, id: spec.computer }]);
		}
		for (const afterMs of [0, lookUpAfterMs, confirmAfterMs])
			account.signal.addEventListener('abort', clock.after(afterMs, read));
	}

	// What time alone changes. Other processes spend the same limits, so turns come with time as well.

	let cancelLook = () => {};

	function startLooking(): () => void {
		const stopListening = jumps.onJump(endAfterSleep);
		lookAgain();
		return () => {
			stopListening();
			cancelLook();
		};
	}

	function lookAgain() {
		cancelLook();
		const waits = inStage('counting').map(({ countdownEndsAt }) => {
			const left = countdownEndsAt - clock.monotonic();
			return left > 0 ? left : betweenLooksForEscapeMs;
		});
		cancelLook = clock.after(Math.min(lookEveryMs, ...waits), look);
	}

	function look() {
		isLocked();
		endCountdowns();
		endLongWaits();
		advance();
		lookAgain();
	}

	function countDown(counted: readonly Run[]) {
		if (counted.length === 0) return;
		for (const run of counted) run.countdownEndsAt = clock.monotonic() + countdownMs;
		note(counted, { stage: 'counting', countdownEndsAt: clock.now() + countdownMs });
		lookAgain();
	}

	function endCountdowns() {
		const isDue = (run: Run) => run.countdownEndsAt <= clock.monotonic();
		// An Esc that was pressed in time still cancels.
		if (!inStage('counting').some(isDue) || state.getState().isEscapePending()) return;
		jumps.check();
		const due = inStage('counting').filter(isDue);
		const isSeen = (run: Run) =>
			Math.abs(clock.now() - (operationOf(run)?.countdownEndsAt ?? 0)) < unseenIfLateByMs;
		const seen = due.filter(isSeen);
		countDown(due.filter(run => !seen.includes(run)));
		note(seen, { stage: 'queued' });
	}

	function endForgotten(forgotten: readonly Run[], why: string) {
		const failure = createFailure('cancelled', `not sent, because ${why}`, {
			advice: 'Ask for it again if you still want it.',
		});
		end(forgotten, 'failed', failure);
	}

	function endAfterSleep(sleptMs: number) {
		// After Ctrl-Z the person comes back to this screen.
		const isStopped = state.getState().holdReason === 'suspended';
		if (!isStopped && sleptMs > maxSleepMs) endForgotten(unsent(), 'this machine slept');
	}

	function longWaitOf(run: Run): string | undefined {
		const { signIn, standings } = run.account.state();
		const scope = scopeOf(run);
		const reason = holdingReason(run)?.type;
		const limitedUntil = (scope !== 'none' && standings?.[scope].nextOperationAt) || 0;
		if (reason !== 'held' && limitedUntil > clock.now()) return undefined;
		return (
			(reason && longWaits[reason]) ??
			(signIn?.isSignedIn === false ? 'for the sign-in' : undefined)
		);
	}

	function endLongWaits() {
		const now = clock.monotonic();
		for (const [reason, waiting] of grouped(unsent(), longWaitOf)) {
			for (const run of waiting)
				run.waitingSince = reason === undefined ? undefined : (run.waitingSince ?? now);
			const forgotten = waiting.filter(({ waitingSince = now }) => now - waitingSince >= maxWaitMs);
			if (forgotten.length > 0) endForgotten(forgotten, `it waited ten minutes ${reason}`);
		}
	}

	function lock() {
		if (!state.getState().isLocked) state.setState({ isLocked: true, question: undefined });
	}

	/** Timers stand still while the machine sleeps, so the time is checked here as well. */
	function isLocked(): boolean {
		if (clock.monotonic() - touchedAt >= lockAfterMs) lock();
		return state.getState().isLocked;
	}

	function restartIdleTime() {
		if (!isLocked()) touchedAt = clock.monotonic();
	}

	// From the question to its operations.

	function setQuestion(question: Question | undefined) {
		if (question !== state.getState().question) state.setState({ question });
	}

	function closeQuestionOn(key: string) {
		const { question } = state.getState();
		if (question?.accounts.some(({ profile }) => profile.account === key)) setQuestion(undefined);
	}

	function refusalNow(operation: OperationId): Refused | undefined {
		const refused = whyNotNow(operation);
		if (refused) setQuestion(undefined);
		return refused;
	}

	function whyNotNow(operation: OperationId): Refused | undefined {
		const { changes, barredBecause } = operationRowOf(operation);
		if (isClosing) return refusedBecause('closing', 'crowsnest is quitting');
		if (barredBecause !== undefined) return refusedBecause('barred', barredBecause);
		if (!changes) return undefined;
		if (state.getState().isReadOnly) return refusedBecause('read-only', readOnlyText);
		return isLocked() ? refusedBecause('locked', 'Locked: unlock first') : undefined;
	}

	function begin(question: Question): BegunOperations {
		const { operation, targets, skipped } = question;
		const starts = runsOf('start', question, targets.filter(startsFirst));
		const asked = runsOf(operation, question, targets);
		const begun = [...starts, ...asked];
		for (const run of begun) endReplaced(run);
		for (const run of begun) runs.set(run.spec.key, run);
		const isCounted = ['wait', 'type'].includes(question.strictness) && !skipsCountdown;
		const waitsForStart = (run: Run) =>
			asked.includes(run) && starts.some(start => isOnSameComputer(start, run));
		const counted = isCounted ? begun.filter(run => !waitsForStart(run)) : [];
		const askedAt = clock.now();
		store.receive(
			begun.map(run => {
				const { account, spec } = run;
				const isSkipping = spec.batch !== undefined && spec.operation === operation;
				const known: Operation = {
					spec,
					stage: counted.includes(run) ? 'held' : 'queued',
					askedAt,
					skipped: (isSkipping && skipped.length) || undefined,
					hasPhaseChanged: false,
				};
				return factFrom(account, operationFact(known));
			}),
		);
		stopLooking ??= startLooking();
		if (state.getState().holdReason === undefined) countDown(counted);
		for (const run of begun) void runOperation(run);
		advance();
		return {
			type: 'begun',
			operations: asked.map(({ account, spec }) => ({ account: account.profile.account, spec })),
			ids: targets.map(({ account, id }) => globalIdOf(account, id)),
		};
	}

	function runsOf(
		operation: OperationId,
		question: Question,
		targets: readonly Target[],
	): readonly Run[] {
		const details = detailsOf(question);
		const chosen = chosenAccountsOf(question);
		const batch = targets.length > 1 ? createId() : undefined;
		const isCreate = operationRowOf(operation).subject === 'account';
		const newComputers = chosen.map(({ profile: { account } }): Partial<Target> => {
			return { account, name: details.name || undefined };
		});
		const wished: readonly Partial<Target>[] = isCreate ? newComputers : targets;
		return wished.flatMap(({ account: key = '', id: computer, name, commandValues }) => {
			const account = accounts.get(key);
			if (!account) return [];
			const spec: OperationSpec = {
				key: createId(),
				operation,
				computer,
				name: name === computer ? undefined : name,
				port: details.port,
				version: chosen.find(({ profile }) => profile.account === key)?.version,
				batch,
			};
			const commandLine = commandLineFor(operation, { commandValues }, details.inputs);
			return [
				{ account, spec, details: { ...details, commandLine }, refusals: 0, countdownEndsAt: 0 },
			];
		});
	}

	/** Such as an overdue one. Own commands replace nothing. */
	function endReplaced(run: Run) {
		if (run.spec.computer === undefined || !isRequest(run)) return;
		const replaced = [...runs.values()].filter(other => isOnSameComputer(other, run));
		const failure = createFailure('cancelled', 'replaced by a later request', {
			isOutcomeUnknown: true,
		});
		note(replaced, { stage: 'failed', endedAt: clock.now(), failure });
	}

	function isSelected({ account, spec }: Run, selection: Exclude<CancelSelection, string>) {
		if ('account' in selection) return account.profile.account === selection.account;
		return 'key' in selection ? spec.key === selection.key : spec.batch === selection.batch;
	}

	/** Computers of two accounts may have the same name. */
	const named = ({ profile }: Account, spec: OperationSpec) =>
		accounts.size > 1 ? specWithAccountName(profile.name, spec) : spec;

	const updateReadOnly = () =>
		state.setState({ isReadOnly: all().every(({ profile }) => profile.isReadOnly) });

	// A paused replay rests: nothing changes with time alone.
	let stopLooking = lockAfterMs === Number.POSITIVE_INFINITY ? undefined : startLooking();

	return {
		/** The returned function cancels what is unsent. */
		addAccount(operated: OperatedAccount): () => void {
			const key = operated.profile.account;
			const closing = new AbortController();
			setMaxListeners(0, closing.signal);
			const account: Account = {
				...operated,
				state: () => store.getState().accounts.get(key) ?? emptyAccount,
				signal: closing.signal,
				close() {
					const own = [...runs.values()].filter(run => run.account === account);
					end(own.filter(isWaiting), 'cancelled');
					closing.abort();
					for (const run of own) forget(run);
				},
			};
			accounts.set(key, account);
			updateReadOnly();
			return () => {
				if (accounts.get(key) !== account) return;
				closeQuestionOn(key);
				account.close();
				accounts.delete(key);
				if (accounts.size > 0) updateReadOnly();
			};
		},
		changeRules(
			key: string,
			rules: Pick<OperatedAccount, 'profile' | 'questionStrictness' | 'sshOptions'>,
		) {
			const account = accounts.get(key);
			if (account) Object.assign(account, rules);
			updateReadOnly();
			if (!account?.profile.isReadOnly) return;
			closeQuestionOn(key);
			const changes = ({ spec }: Run) => operationRowOf(spec.operation).changes;
			end(
				unsent().filter(run => run.account === account && changes(run)),
				'cancelled',
			);
		},
		lockAfter(milliseconds: number) {
			lockAfterMs = milliseconds;
			if (milliseconds < Number.POSITIVE_INFINITY) stopLooking ??= startLooking();
		},
		ask(operation: OperationId, ids: readonly GlobalId[], asked?: AskOptions): AskResult {
			setQuestion(undefined);
			const refused = refusalNow(operation);
			if (refused) return refused;
			const question = captureQuestion(createId(), operation, ids, all(), clock.now(), asked);
			if ('refusal' in question) return question;
			if (question.steps.length === 0) return begin(question);
			setQuestion(question);
			return { type: 'question', question };
		},
		answer({ operation, id, answers }: Question): AnswerResult {
			const refused = refusalNow(operation);
			if (refused) return refused;
			const open = state.getState().question;
			// The targets stay as they were captured.
			const answered = open?.id === id ? { ...open, answers } : undefined;
			if (!answered) return refusedBecause('no-answer', 'The question is no longer open');
			const problem = problemWithAnswers(answered, all());
			if (problem?.refusal.reason !== 'no-answer') setQuestion(undefined);
			return problem ?? begin(answered);
		},
		closeQuestion: () => setQuestion(undefined),
		cancel(selection: CancelSelection): readonly OperationSpec[] {
			const cancelled =
				selection === 'countingDown'
					? inStage('counting', 'held')
					: unsent().filter(run => isSelected(run, selection));
			end(cancelled, 'cancelled');
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
						store.receive([factFrom(account, { ...operationFact(known), step: 'seen' })]);
		},
		/** A visit wakes a computer, so nothing is visited while changes are refused. */
		checkPort(globalId: GlobalId, port: number) {
			const { account: key, id: computer } = splitGlobalId(globalId);
			const account = accounts.get(key);
			const isFree = !isClosing && state.getState().holdReason !== 'quit' && !isLocked();
			if (account && isFree && !account.profile.isReadOnly) void visit(account, computer, port);
		},
		/** `undefined` restarts each countdown with its full time. */
		hold(holdReason: HoldReason | undefined) {
			if (holdReason === state.getState().holdReason) return;
			jumps.check();
			state.setState({ holdReason });
			if (holdReason === undefined) countDown(inStage('held'));
			else note(inStage('counting'), { stage: 'held' });
			advance();
		},
		waitForEscape: (isEscapePending: () => boolean) => state.setState({ isEscapePending }),
		restartIdleTime,
		lock,
		unlock() {
			touchedAt = clock.monotonic();
			state.setState({ isLocked: false });
			advance();
		},
		exitSummary(key?: string): ExitSummary {
			const closed = all().filter(({ profile }) => key === undefined || profile.account === key);
			const specsIn = (...stages: readonly OperationStage[]) =>
				closed.flatMap(account =>
					[...account.state().operations.values()]
						.filter(each => isOfThisProcess(each) && stages.includes(each.stage))
						.map(({ spec }) => named(account, spec)),
				);
			return {
				sent: specsIn('sent', 'accepted').filter(spec => isRequest({ spec })),
				running: specsIn('sent').filter(spec => !isRequest({ spec })),
				unknown: specsIn('unknown'),
				dropped: specsIn('counting', 'held', 'queued'),
			};
		},
		quit() {
			isClosing = true;
			setQuestion(undefined);
			for (const account of all()) account.close();
			stopLooking?.();
			stopFollowing();
		},
		setCommandRuns: (commandRuns: OperationsState['commandRuns']) =>
			state.setState({ commandRuns }),
		state: state.getState,
		subscribe: (listener: () => void) => state.subscribe(listener),
	};
}

function finalRefusal(
	{ spec, account, refusals }: Run,
	failure: Failure,
	now: number,
): Failure | undefined {
	if (refusals >= maxRefusals) {
		const message = `rate limited ${refusals} times and not done`;
		return { ...failure, message, advice: 'Try again later if you still want this.' };
	}
	if (operationRowOf(spec.operation).scope !== 'create') return undefined;
	const wait = account.limiter.slots().create.nextAt.operation - now;
	if (wait <= maxCreateWaitMs) return undefined;
	const message = `${failure.message}; the next creation is possible in ${durationText(wait)}`;
	return { ...failure, message, advice: 'Try again; the request will wait until then.' };
}
