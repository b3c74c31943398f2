import { setMaxListeners } from 'node:events';
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
import type { OperationDetails, OperationRow, Target } from '../fleet/operations/operation-row.ts';
import { operationRowOf } from '../fleet/operations/operation-table.ts';
import type { ReadName } from '../fleet/reads.ts';
import type { Clock } from '../foundation/clock.ts';
import { durationText } from '../foundation/duration.ts';
import type { Failure } from '../foundation/failure.ts';
import type { Jump, Jumps } from '../foundation/jumps.ts';
import { createFailure, PlatformError } from '../platform/decoding/platform-error.ts';
import { type Acceptance, requestOf } from '../platform/operation-requests.ts';
import type { Platform } from '../platform/platform.ts';
import { specWithAccountName } from '../store/opened-accounts.ts';
import { operationIn, type StandingFailure } from '../store/our-operations.ts';
import { type AccountState, emptyAccount } from '../store/state.ts';
import type { Store } from '../store/store.ts';
import {
	createOperationsState,
	type ExitSummary,
	type OperationsState,
	type PortCheck,
	type PortCheckResult,
} from './operations-state.ts';
import { confirmAfterMs, isAlreadyHappening, lookUpAfterMs, outcomesIn } from './outcome.ts';
import {
	type AnswerResult,
	type AskOptions,
	type AskResult,
	type BegunOperations,
	captureQuestion,
	idsOfTargets,
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
	skipsGrace?: boolean | undefined;
};

type CancelSelection = { key: string } | { batch: string } | { account: string } | 'countingDown';

/** An account whose computers can be operated: its rules, and the services that its requests go through. */
export type OperatedAccount = Omit<AskedAccount, 'state'> & {
	platform: Platform;
	watch: {
		/** Plans reads again, because an operation was sent or has ended. */
		wake(): void;
		readNow(reads: readonly { name: ReadName; id?: string }[]): void;
	};
	/** Whether this process follows the operations of processes that have ended. Only one process of a host does. */
	isRecorder?: () => boolean;
};

type Account = OperatedAccount & {
	state(): AccountState;
	/** Aborted when the account is closed. */
	signal: AbortSignal;
	close(): void;
};

/** An operation on its way from the answered question to its outcome. */
type Run = {
	account: Account;
	spec: OperationSpec;
	details: OperationDetails;
	refusals: number;
	request?: AbortController;
	/** Since when the operation has waited for anything but the rate limits, on the monotonic clock. */
	waitingSince?: number | undefined;
};

/** Of the operations of one question. It runs only while a person can see it. */
type Countdown = {
	runs: readonly Run[];
	durationMs: number;
	endsAt: number;
	cancelTimer: () => void;
};

// If the timer of a countdown fires this late, the program was stopped, or the clock was set, and the countdown that a
// person saw was another one, so it starts again.
const unseenIfLateByMs = 1_000;

const betweenLooksForEscapeMs = 10;

/**
 * How many operations of an account have a turn: a request needs only a few to use all slots of the rate limiter.
 * Creates are sent one by one, so that a lost response leaves no doubt which new computer belongs to it. Each own
 * command is a process of its own.
 */
const maxTurns: Readonly<Record<OperationRow['scope'], number>> = { create: 1, other: 3, none: 4 };

const maxPortChecks = 50;

// Each refusal freezes the scope for all requests, longer each time.
const maxRefusals = 6;

// A create that would have to wait for longer than this fails, because the question did not mention such a wait.
const maxCreateWaitMs = 60_000;

const unsentAgain = { stage: 'queued', sentAt: undefined } as const;

const lookEveryMs = 1_000;

// Who was away for longer than this may not remember what would be sent.
const maxSleepMs = 10_000;
const maxWaitMs = 10 * 60_000;

/** What ends after ten minutes, unless the rate limits allow no request anyway. */
const longWaits: Partial<Record<WaitReason['type'], string>> = {
	held: 'out of sight',
	quitDialog: 'out of sight',
	unlock: 'locked',
	previous: 'for an earlier creation',
};

const scopeOf = ({ spec }: Pick<Run, 'spec'>) => operationRowOf(spec.operation).scope;

const isRequest = (run: Run) => scopeOf(run) !== 'none';

export function createOperations(options: OperationsOptions) {
	const { store, clock, jumps, random, lockAfterMs, skipsGrace } = options;
	const state = createOperationsState();
	const accounts = new Map<string, Account>();
	/** Those that are not over yet, in the order in which they were asked for. */
	const runs = new Map<string, Run>();
	const countdowns = new Set<Countdown>();
	const inTurn = new Set<Run>();
	const processPart = Math.floor(random() * 2 ** 48).toString(36);
	let touchedAt = clock.monotonic();
	let isClosing = false;
	let idCount = 0;
	// A paused replay rests: nothing changes with time alone while nothing is asked for and nothing locks.
	let stopLooking = lockAfterMs === Number.POSITIVE_INFINITY ? undefined : startLooking();

	const stopFollowing = store.subscribe((_, { accounts: before }) => {
		for (const account of all()) {
			const known = before.get(account.profile.account) ?? emptyAccount;
			if (account.state() !== known) follow(account, known);
		}
	});

	const all = () => [...accounts.values()];

	/** Unique across processes, because all processes write one journal. */
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

	const factFrom = ({ profile }: Account, body: FactBody, askedAt?: number) => {
		return { account: profile.account, at: clock.now(), askedAt, ...body };
	};

	function receive(account: Account, bodies: readonly FactBody[], askedAt?: number) {
		if (bodies.length > 0) store.receive(bodies.map(body => factFrom(account, body, askedAt)));
	}

	/** Notes a step of operations together, because they may be hundreds, and the response of the platform. */
	function note(noted: readonly Run[], step: Partial<Operation>, response?: Acceptance) {
		const facts = noted.flatMap(run => {
			const known = operationOf(run);
			if (!known) return [];
			const next = { ...known, graceEndsAt: undefined, ...step };
			const { reading, published } = response ?? {};
			const body = { ...operationFact(next), reading, published } as FactBody;
			return [factFrom(run.account, body, response && known.sentAt)];
		});
		if (facts.length > 0) store.receive(facts);
		if (step.stage === 'sent') restartIdleTime();
	}

	function end(ending: readonly Run[], stage: 'cancelled' | 'failed', failure?: Failure) {
		for (const run of ending) run.request?.abort();
		if (ending.length > 0) note(ending, { stage, endedAt: clock.now(), failure });
		advance();
	}

	function follow(account: Account, before: AccountState) {
		const now = account.state();
		receive(account, outcomesIn(now, clock.now(), account.isRecorder?.()));
		if (now.operations === before.operations) return;
		const ended = [...runs.values()].flatMap(run => {
			const known = operationIn(now, run.spec.key);
			return run.account !== account || (known && isUnderWay(known)) ? [] : { run, known };
		});
		for (const { run } of ended) runs.delete(run.spec.key);
		for (const { run, known } of ended) {
			const { operation, computer, port } = run.spec;
			const isPublished = operationRowOf(operation).goal.reaches === 'published';
			if (known?.stage === 'done' && isPublished && computer !== undefined && port !== undefined)
				void visit(account, computer, port);
			if (operation === 'start') goOnAfterStart(run, known);
		}
		advance();
		account.watch.wake();
	}

	/** An update whose question included the start of its computer has waited for it. */
	function goOnAfterStart({ account, spec: { computer = '' } }: Run, start: Operation | undefined) {
		if (account.state().computers.get(computer)?.phase === 'active') return;
		const waiting = unsent().filter(
			run => run.account === account && run.spec.computer === computer && isRequest(run),
		);
		if (start?.stage === 'failed')
			end(waiting, 'failed', createFailure('conflict', 'it was not started'));
		else end(waiting, 'cancelled');
	}

	/**
	 * Visits the public address of a port within the rate limits. A visit wakes a sleeping computer, so without a key press a
	 * port is visited only once, after it was published.
	 */
	async function visit({ platform, profile, signal }: Account, computer: string, port: number) {
		const id = globalIdOf(profile.account, computer);
		const isSamePort = (check: PortCheck) => check.id === id && check.port === port;
		const earlier = state.getState().portChecks.find(isSamePort);
		if (earlier?.state === 'asking' || signal.aborted) return;

		function keep(result: PortCheckResult) {
			const others = state.getState().portChecks.filter(each => !isSamePort(each));
			const check = { id, port, checkedAt: clock.now(), ...result };
			state.setState({ portChecks: [...others, check].slice(-maxPortChecks) });
		}

		keep({ state: 'asking' });
		try {
			const options = { signal, priority: 'read' } as const;
			const { hasAnswered, status } = await platform.visitPort(computer, port, options);
			keep({ state: hasAnswered ? 'answers' : 'silent', status });
		} catch (error) {
			if (!(error instanceof PlatformError)) throw error;
			keep({ state: 'failed', failure: error.failure });
		}
	}

	// Turns.

	function holdingReason(run: Run): WaitReason | undefined {
		const known = operationOf(run);
		return known && holdingReasonOf(known, run.account.state(), state.getState());
	}

	/** Whether the operation is in turn but for the rate limit. */
	function mayBeSent(run: Run): boolean {
		const { changes } = operationRowOf(run.spec.operation);
		const isForbidden = changes && (run.account.profile.isReadOnly || isLocked());
		return !isForbidden && isWaiting(run) && holdingReason(run) === undefined;
	}

	function isTurnFree(run: Run): boolean {
		const others = [...inTurn].filter(
			other => other.account === run.account && scopeOf(other) === scopeOf(run),
		);
		return others.length < maxTurns[scopeOf(run)];
	}

	function advance() {
		for (const run of inSendingOrder([...runs.values()]))
			if (!inTurn.has(run) && isTurnFree(run) && mayBeSent(run)) void takeTurn(run);
	}

	async function takeTurn(run: Run) {
		inTurn.add(run);
		await send(run);
		// The next turn begins only after the answer was noted: a create waits while the outcome of another is unknown.
		inTurn.delete(run);
		advance();
	}

	/**
	 * Sends the request of an operation that is in turn, and notes the answer of the platform:
	 *
	 * ```
	 *   queued, after the start of its computer and the countdown ─▶ sent ─▶ accepted ─▶ followed to its outcome
	 *    ▲                                                            ├──▶ refused: failed, if it is not so already
	 *    └────────────────────────────────────────────────────────────┤    by the rate limit, or held back
	 *                                                                 └──▶ no response: looked up, never sent again
	 * ```
	 *
	 * What is queued afterwards gets another turn. What has left is never called back. The outcome is noted when a read
	 * shows it.
	 */
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
		let isHeldBack = false;
		// The journal has the fact when `note` returns, so no request leaves without a trace.
		function onSent() {
			jumps.check();
			isHeldBack = !mayBeSent(run) || whyNot() !== undefined;
			if (isHeldBack) return request.abort();
			note([run], { stage: 'sent', sentAt: clock.now() });
			hasLeft = true;
		}
		// The platform has refused the token, so the request is sent once more after a sign-in, if nothing comes in between.
		function onUnsent() {
			if (account.signal.aborted) return;
			note([run], unsentAgain);
			hasLeft = false;
		}
		const options = { signal: request.signal, priority: 'operation', onSent, onUnsent } as const;
		try {
			const sendRequest = requestOf(spec.operation);
			const acceptance = await sendRequest(account.platform, { ...details, ...spec }, options);
			if (!account.signal.aborted) accept(run, acceptance);
		} catch (error) {
			if (account.signal.aborted || isHeldBack || (isOver(run) && !hasLeft)) return;
			if (!(error instanceof PlatformError)) throw error;
			await noteFailure(run, error.failure, hasLeft);
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
		if (!hasLeft && failure.kind === 'auth') return failSignIn(account, failure);
		// A sign-in that a rate limit has refused is not retried: the rate limiter does not count sign-ins, so it would send
		// the retry at once.
		if (hasLeft && failure.kind === 'limited') {
			run.refusals += 1;
			const final = finalRefusal(run, failure, clock.now());
			return final ? fail(final) : note([run], unsentAgain);
		}
		// The outcome of an own command that a signal has ended is unknown for good.
		if (failure.isOutcomeUnknown && isRequest(run)) {
			fail(failure, 'unknown');
			return lookUp(run);
		}
		const isDone = await isDoneAnyway(run, failure);
		if (account.signal.aborted) return;
		if (isDone) accept(run, {});
		else fail(failure);
	}

	/** Fails all that waits in the account, because it would send another sign-in. */
	function failSignIn(account: Account, failure: Failure) {
		const waiting = unsent().filter(run => run.account === account && isRequest(run));
		end(waiting, 'failed', failure);
	}

	/** "Already in progress", or "not found" after a delete, may mean that the operation has reached its goal. */
	async function isDoneAnyway({ spec, account }: Run, { kind }: Failure): Promise<boolean> {
		const { computer: id, operation } = spec;
		if (id === undefined || (kind !== 'conflict' && kind !== 'missing')) return false;
		const { evidence, goal } = operationRowOf(operation);
		const { platform, signal } = account;
		let askedAt = clock.now();
		function onSent() {
			askedAt = clock.now();
		}
		const options = { signal, priority: 'operation', onSent } as const;
		let fact: FactBody = {
			type: 'computerRead',
			read: 'status',
			computer: { id },
			isMissing: true,
		};
		try {
			// A status read does not contain the ports, so a port operation needs the details.
			fact =
				evidence === 'detail'
					? {
							type: 'computerRead',
							read: 'detail',
							computer: await platform.readComputer(id, options),
						}
					: {
							type: 'computerRead',
							read: 'status',
							computer: await platform.readStatus(id, options),
						};
		} catch (error) {
			if (!(error instanceof PlatformError) || error.failure.kind !== 'missing') return false;
		}
		if (signal.aborted) return false;
		receive(account, [fact], askedAt);
		const computer = account.state().computers.get(id);
		return computer ? isAlreadyHappening(computer, spec) : goal.reaches === 'gone';
	}

	/** Asks for the reads that show the outcome of a request without a response; see `outcome.ts` for the times. */
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

	// Countdowns.

	const noteCountdown = (countdown: Countdown, step: Partial<Operation>) =>
		note(countdown.runs.filter(isWaiting), step);

	function restart(countdown: Countdown) {
		const { durationMs } = countdown;
		countdown.endsAt = clock.now() + durationMs;
		countdown.cancelTimer = clock.after(durationMs, () => endCountdown(countdown));
		noteCountdown(countdown, { stage: 'counting', graceEndsAt: countdown.endsAt });
	}

	function holdCountdown(countdown: Countdown) {
		countdown.cancelTimer();
		noteCountdown(countdown, { stage: 'held' });
	}

	function endCountdown(countdown: Countdown) {
		// An Esc that was pressed in time still cancels.
		if (state.getState().isEscapePending()) {
			countdown.cancelTimer = clock.after(betweenLooksForEscapeMs, () => endCountdown(countdown));
			return;
		}
		jumps.check();
		if (Math.abs(clock.now() - countdown.endsAt) >= unseenIfLateByMs) return restart(countdown);
		countdowns.delete(countdown);
		noteCountdown(countdown, { stage: 'queued' });
	}

	// What a person may have forgotten is not sent.

	function endForgotten(forgotten: readonly Run[], why: string) {
		const failure = createFailure('cancelled', `not sent, because ${why}`, {
			advice: 'Ask for it again if you still want it.',
		});
		end(forgotten, 'failed', failure);
	}

	function endAfterSleep({ sleptMs }: Jump) {
		// Ctrl-Z only holds countdowns: the person knows of it, and comes back to this screen.
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
		const forgotten = new Map<string, Run[]>();
		for (const run of unsent()) {
			const reason = longWaitOf(run);
			run.waitingSince = reason === undefined ? undefined : (run.waitingSince ?? now);
			if (reason === undefined || now - (run.waitingSince ?? now) < maxWaitMs) continue;
			forgotten.set(reason, [...(forgotten.get(reason) ?? []), run]);
		}
		for (const [reason, ending] of forgotten)
			endForgotten(ending, `it waited ten minutes ${reason}`);
	}

	/** Looks each second what has changed with time alone. Other processes spend the same limits. */
	function startLooking(): () => void {
		const stopListening = jumps.onJump(endAfterSleep);
		let cancelTimer = clock.after(lookEveryMs, look);
		function look() {
			cancelTimer = clock.after(lookEveryMs, look);
			isLocked();
			endLongWaits();
			advance();
		}
		return () => {
			stopListening();
			cancelTimer();
		};
	}

	// The lock. A locked monitor keeps polling and changes no computer.

	function lock() {
		if (!state.getState().isLocked) state.setState({ isLocked: true, question: undefined });
	}

	/** Timers stand still while the machine sleeps, so everything that asks for the lock may be the first to lock. */
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

	/** Closes the question if nothing may be asked for or answered now. */
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
		const { targets, countdownMs } = question;
		const starts = runsOf('start', question, targets.filter(startsFirst));
		const asked = runsOf(question.operation, question, targets);
		const begun = [...starts, ...asked];
		for (const run of begun) endReplaced(run);
		for (const run of begun) runs.set(run.spec.key, run);
		const waitsForStart = ({ spec }: Run) =>
			starts.some(start => start.spec !== spec && start.spec.computer === spec.computer);
		const isCounted = countdownMs > 0 && !skipsGrace;
		const counted = isCounted ? begun.filter(run => !waitsForStart(run)) : [];
		const askedAt = clock.now();
		store.receive(
			begun.map(run => {
				const stage = counted.includes(run) ? 'held' : 'queued';
				const { account, spec } = run;
				const isSkipping = spec.batch !== undefined && asked.includes(run);
				const skipped = (isSkipping && question.skipped.length) || undefined;
				const operation: Operation = { spec, stage, askedAt, skipped, hasPhaseChanged: false };
				return factFrom(account, operationFact(operation));
			}),
		);
		stopLooking ??= startLooking();
		if (counted.length > 0) {
			const countdown = { runs: counted, durationMs: countdownMs, endsAt: 0, cancelTimer() {} };
			countdowns.add(countdown);
			if (state.getState().holdReason === undefined) restart(countdown);
		}
		advance();
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
	): readonly Run[] {
		const details = detailsOf(question);
		const chosen = chosenAccountsOf(question);
		const batch = targets.length > 1 ? createId() : undefined;
		const newComputers = chosen.map(({ profile: { account } }): Partial<Target> => {
			return { account, name: details.name || undefined };
		});
		const isCreate = operationRowOf(operation).subject === 'account';
		const wished: readonly Partial<Target>[] = isCreate ? newComputers : targets;
		return wished.flatMap(({ account: key = '', id: computer, name, commandLine }) => {
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
			return [{ account, spec, details: { ...details, commandLine }, refusals: 0 }];
		});
	}

	/** Ends overdue operations, which a new one on the same computer replaces. Own commands replace nothing. */
	function endReplaced(run: Run) {
		const { account, spec } = run;
		if (spec.computer === undefined || !isRequest(run)) return;
		const replaced = [...runs.values()].filter(
			other =>
				other.account === account && other.spec.computer === spec.computer && isRequest(other),
		);
		const failure = createFailure('cancelled', 'replaced by a later request', {
			isOutcomeUnknown: true,
		});
		// A request that has left is never called back.
		note(replaced, { stage: 'failed', endedAt: clock.now(), failure });
	}

	/** A batch counts down as a whole. */
	function selected(selection: CancelSelection): readonly Run[] {
		if (selection === 'countingDown') {
			const counting = unsent().filter(run => operationOf(run)?.stage !== 'queued');
			const ids = new Set(counting.map(({ spec }) => spec.batch ?? spec.key));
			return unsent().filter(({ spec }) => ids.has(spec.batch ?? spec.key));
		}
		return unsent().filter(({ account, spec }) => {
			if ('account' in selection) return account.profile.account === selection.account;
			return 'key' in selection ? spec.key === selection.key : spec.batch === selection.batch;
		});
	}

	/** Names the account of an operation if there are several, because two computers may have the same name. */
	const named = ({ profile }: Account, spec: OperationSpec) =>
		accounts.size > 1 ? specWithAccountName(profile.name, spec) : spec;

	const updateReadOnly = () =>
		state.setState({ isReadOnly: all().every(({ profile }) => profile.isReadOnly) });

	return {
		/** The returned function drops the unsent operations of the account and removes it. */
		addAccount(operated: OperatedAccount): () => void {
			const key = operated.profile.account;
			const closing = new AbortController();
			// Each operation that is looked up waits for it.
			setMaxListeners(0, closing.signal);
			const account: Account = {
				...operated,
				state: () => store.getState().accounts.get(key) ?? emptyAccount,
				signal: closing.signal,
				close() {
					const own = [...runs.values()].filter(run => run.account === account);
					end(own.filter(isWaiting), 'cancelled');
					closing.abort();
					for (const { spec } of own) runs.delete(spec.key);
				},
			};
			accounts.set(key, account);
			updateReadOnly();
			return () => {
				if (accounts.get(key) !== account) return;
				const { question } = state.getState();
				if (question?.accounts.some(({ profile }) => profile.account === key))
					setQuestion(undefined);
				account.close();
				accounts.delete(key);
				if (accounts.size > 0) updateReadOnly();
			};
		},
		ask(operation: OperationId, ids: readonly GlobalId[], asked?: AskOptions): AskResult {
			setQuestion(undefined);
			const refused = refusalNow(operation);
			if (refused) return refused;
			const question = captureQuestion(createId(), operation, ids, all(), clock.now(), asked);
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
						receive(account, [{ ...operationFact(known), step: 'seen' }]);
		},
		/** Visits a published port. A visit wakes a computer, so nothing is visited while changes are refused. */
		checkPort(globalId: GlobalId, port: number) {
			const { account: key, id: computer } = splitGlobalId(globalId);
			const account = accounts.get(key);
			const isFree = !isClosing && state.getState().holdReason !== 'quit' && !isLocked();
			if (account && isFree && !account.profile.isReadOnly) void visit(account, computer, port);
		},
		/** Holds countdowns while they are out of sight. `undefined` restarts each one with its full time. */
		hold(holdReason: HoldReason | undefined) {
			const before = state.getState().holdReason;
			if (holdReason === before) return;
			jumps.check();
			state.setState({ holdReason });
			if (before === undefined) for (const countdown of [...countdowns]) holdCountdown(countdown);
			if (holdReason === undefined) for (const countdown of [...countdowns]) restart(countdown);
			advance();
		},
		/** Lets no countdown end while a key has arrived that may be Esc. */
		waitForEscape: (isEscapePending: () => boolean) => state.setState({ isEscapePending }),
		restartIdleTime,
		lock,
		unlock() {
			touchedAt = clock.monotonic();
			state.setState({ isLocked: false });
			advance();
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
			const isCommand = (spec: OperationSpec) => scopeOf({ spec }) === 'none';
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
			for (const { cancelTimer } of countdowns) cancelTimer();
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
