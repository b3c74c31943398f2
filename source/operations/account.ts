import type { StoreApi } from 'zustand/vanilla';
import { globalIdOf } from '../fleet/computers/global-id.ts';
import type { Fact, FactBody } from '../fleet/fact.ts';
import {
	isOfThisProcess,
	isUnderWay,
	isUnsent,
	type Operation,
} from '../fleet/operations/operation.ts';
import { operationFact } from '../fleet/operations/operation-fact.ts';
import type { OperationRow } from '../fleet/operations/operation-row.ts';
import { operationRowOf } from '../fleet/operations/operation-table.ts';
import type { Clock } from '../foundation/clock.ts';
import type { Failure } from '../foundation/failure.ts';
import type { Jump, Jumps } from '../foundation/jumps.ts';
import { createFailure } from '../platform/decoding/platform-error.ts';
import type { Acceptance } from '../platform/operation-requests.ts';
import { changesBetween } from '../store/change-log.ts';
import type { StandingFailure } from '../store/our-operations.ts';
import { type AccountState, emptyAccount } from '../store/state.ts';
import type { Store } from '../store/store.ts';
import { knownSlotsFrom } from './durations.ts';
import type { Lock } from './lock.ts';
import type { OperationsState } from './operations-state.ts';
import { outcomesIn } from './outcome.ts';
import { checkPort } from './port-check.ts';
import { createQueue, type Queue } from './queue.ts';
import type { OperatedAccount, Run } from './run.ts';
import { estimatedTurnOf, holdingReasonOf, type WaitReason } from './why-not.ts';

/** The operations of one account: its queues, its limits and what is under way. */
export type OpenAccount = ReturnType<typeof openAccount>;

type AccountOptions = {
	store: Store;
	clock: Clock;
	jumps: Jumps;
	account: OperatedAccount;
	lock: Lock;
	state: StoreApi<OperationsState>;
};

// The rate limiter holds only a few requests, enough to use its slots. The others wait in the queue, where a single
// operation can overtake a batch. Creates are sent one by one, so that a lost response leaves no doubt which new
// computer belongs to it. Each own command is a process of its own.
const maxTurns: Readonly<Record<OperationRow['scope'], number>> = { create: 1, other: 3, none: 4 };

const lookEveryMs = 1_000;

/** Who was away for longer than this may not remember what would be sent. */
const maxSleepMs = 10_000;
const maxWaitMs = 10 * 60_000;

export function openAccount({ store, clock, jumps, account, lock, state }: AccountOptions) {
	const { profile, platform, limiter, watch, isRecorder } = account;
	const key = profile.account;
	const closing = new AbortController();
	const { signal } = closing;
	const runs = new Map<string, Run>();
	const rowOf = ({ spec }: Run) => operationRowOf(spec.operation);
	const isInTurn = (run: Run) => !isHeld(run) && holdingReason(run) === undefined;
	const queues: Readonly<Record<OperationRow['scope'], Queue<Run>>> = {
		create: createQueue(maxTurns.create, isInTurn),
		other: createQueue(maxTurns.other, isInTurn),
		none: createQueue(maxTurns.none, isInTurn),
	};
	const pauses = new Set<() => void>();
	let cancelLook: (() => void) | undefined;
	let stopListening: (() => void) | undefined;
	let latestSlots: ReturnType<typeof limiter.slots> | undefined;
	let seen = accountState();

	function accountState(): AccountState {
		return store.getState().accounts.get(key) ?? emptyAccount;
	}

	const operationOf = ({ spec }: Run) => accountState().operations.get(spec.key);

	const stamped = (body: FactBody, askedAt?: number): Fact => ({
		account: key,
		at: clock.now(),
		askedAt,
		...body,
	});

	/** Reading the slots reads a file, and each waiting row of a frame needs them. */
	function slots() {
		latestSlots ??= limiter.slots();
		return latestSlots;
	}

	function isHeld(run: Run) {
		const { changes } = rowOf(run);
		const isForbidden = changes && (profile.isReadOnly || lock.isLocked());
		return isForbidden || state.getState().holdReason === 'quit';
	}

	function holdingReason(run: Run): WaitReason | undefined {
		const known = operationOf(run);
		return known && holdingReasonOf(known, accountState(), state.getState());
	}

	function stepOf(run: Run, step: Partial<Operation>): FactBody | undefined {
		const known = operationOf(run);
		if (!known) return undefined;
		return operationFact({ ...known, graceEndsAt: undefined, heldGraceMs: undefined, ...step });
	}

	function foldAll(facts: readonly (FactBody | undefined)[]) {
		const all = facts.flatMap(fact => (fact ? [stamped(fact)] : []));
		if (all.length > 0) store.receive(all);
	}

	function unsent(): readonly Run[] {
		return [...runs.values()].filter(run => {
			const known = operationOf(run);
			return !run.isOver && known !== undefined && isUnsent(known);
		});
	}

	function end(ending: readonly Run[], stage: 'cancelled' | 'failed', failure?: Failure) {
		if (ending.length === 0) return;
		for (const run of ending) run.request?.abort();
		foldAll(ending.map(run => stepOf(run, { stage, endedAt: clock.now(), failure })));
		advance();
	}

	function endForgotten(ending: readonly Run[], why: string) {
		const failure = createFailure('cancelled', `not sent, because ${why}`, {
			advice: 'Ask for it again if you still want it.',
		});
		end(ending, 'failed', failure);
	}

	function endAfterSleep({ sleptMs }: Jump) {
		// Ctrl-Z only holds countdowns: the person knows of it, and comes back to this screen.
		const isStopped = state.getState().holdReason === 'suspended';
		if (!isStopped && sleptMs > maxSleepMs) endForgotten(unsent(), 'this machine slept');
	}

	/** Says what an operation waits for, other than the rate limits. */
	function longWaitOf(run: Run): string | undefined {
		const { scope } = rowOf(run);
		const reason = holdingReason(run)?.type;
		if (reason === 'held') return 'out of sight';
		if (scope !== 'none' && slots()[scope].free.operation === 0) return undefined;
		if (reason === 'unlock') return 'locked';
		if (reason === 'quitDialog') return 'out of sight';
		if (accountState().signIn?.isSignedIn === false) return 'for the sign-in';
		return reason === 'previous' ? 'for an earlier creation' : undefined;
	}

	function endLongWaits() {
		const now = clock.monotonic();
		const forgotten = new Map<string, Run[]>();
		for (const run of unsent()) {
			const reason = longWaitOf(run);
			if (reason === undefined) run.waitingSince = undefined;
			else run.waitingSince ??= now;
			if (reason === undefined || now - (run.waitingSince ?? now) < maxWaitMs) continue;
			forgotten.set(reason, [...(forgotten.get(reason) ?? []), run]);
		}
		for (const [reason, waiting] of forgotten)
			endForgotten(waiting, `it waited ten minutes ${reason}`);
	}

	/** Looks each second while operations wait, also because other processes spend the same limits. */
	function look() {
		latestSlots = undefined;
		endLongWaits();
		cancelLook = undefined;
		if (unsent().length > 0) keepLooking();
		else stopLooking();
		advance();
	}

	function keepLooking() {
		if (cancelLook || signal.aborted) return;
		stopListening ??= jumps.onJump(endAfterSleep);
		cancelLook = clock.after(lookEveryMs, look);
	}

	function stopLooking() {
		cancelLook?.();
		stopListening?.();
		stopListening = undefined;
	}

	function advance() {
		if (signal.aborted) return;
		for (const queue of Object.values(queues)) queue.advance();
	}

	const visit = (id: string, port: number) =>
		void checkPort(
			{ platform, clock, signal, state },
			{ id: globalIdOf(key, id), computer: id, port },
		);

	/** Notes what the latest answers show about operations, and goes on with those that wait. */
	function onState() {
		const before = seen;
		seen = accountState();
		if (seen === before) return;
		for (const change of changesBetween(before, seen)) {
			if (change.type !== 'operationMoved' || change.pane !== undefined) continue;
			const { operation, computer, port } = change.wish;
			if (change.to === 'sent') lock.restartIdleTime();
			const isPublished =
				change.to === 'settled' && operationRowOf(operation).goal.reaches === 'published';
			if (isPublished && computer !== undefined && port !== undefined) visit(computer, port);
		}
		foldAll(outcomesIn(seen, clock.now(), isRecorder?.()));
		if (seen.operations === before.operations) return;
		for (const [runKey, run] of runs) {
			const known = seen.operations.get(runKey);
			if (known && isUnderWay(known)) continue;
			run.isOver = true;
			runs.delete(runKey);
			run.markEnded();
		}
		advance();
		watch.wake();
	}

	/**
	 * Ends overdue operations that new operations on the same computers replace. Own commands neither replace anything nor
	 * are replaced.
	 */
	function endEarlier(beginning: readonly Run[]) {
		const isRequest = (operation: string) => operationRowOf(operation).scope !== 'none';
		const computers = new Set(
			beginning.filter(({ spec }) => isRequest(spec.operation)).map(({ spec }) => spec.computer),
		);
		const earlier = [...accountState().operations.values()].filter(
			({ spec, ...each }) =>
				isOfThisProcess(each) &&
				isUnderWay(each) &&
				isRequest(spec.operation) &&
				spec.computer !== undefined &&
				computers.has(spec.computer),
		);
		const unsentKeys = new Set(earlier.filter(isUnsent).map(({ spec }) => spec.key));
		end(
			unsent().filter(({ spec }) => unsentKeys.has(spec.key)),
			'cancelled',
		);
		const failure = createFailure('cancelled', 'replaced by a later request', {
			isOutcomeUnknown: true,
		});
		const sent = earlier.filter(each => !isUnsent(each));
		foldAll(
			sent.map(each => operationFact({ ...each, stage: 'failed', endedAt: clock.now(), failure })),
		);
	}

	const unsubscribers = [
		store.subscribe(onState),
		limiter.subscribe(() => {
			latestSlots = undefined;
		}),
	];

	return {
		...account,
		clock,
		signal,
		state: accountState,
		slots,
		fold: (fact: FactBody, askedAt?: number) => store.receive([stamped(fact, askedAt)]),
		/** Notes a step of an operation, with the response of the platform that it brought. */
		note(run: Run, step: Partial<Operation>, response?: Acceptance) {
			const fact = stepOf(run, step);
			if (!fact) return;
			if (step.stage === 'queued') keepLooking();
			const { reading, published } = response ?? {};
			const askedAt = step.stage === 'accepted' ? operationOf(run)?.sentAt : undefined;
			store.receive([
				stamped({ ...fact, ...(response && { reading, published }) } as FactBody, askedAt),
			]);
		},
		/** Resolves after some milliseconds, unless the account is closed by then. */
		pause: (ms: number): Promise<void> =>
			new Promise(resolve => {
				const cancelTimer = clock.after(ms, () => {
					pauses.delete(cancelTimer);
					resolve();
				});
				pauses.add(cancelTimer);
			}),
		queueOf: (run: Run) => queues[rowOf(run).scope],
		/** Whether an operation that may have its turn must still not be sent. */
		isHeld,
		/** Returns the requests that would be sent next. */
		waitingRequests: () => [...queues.create.waiting(), ...queues.other.waiting()].filter(isInTurn),
		/** Notes that these operations were asked for. */
		begin(beginning: readonly Run[], asked: readonly Operation[]) {
			endEarlier(beginning);
			for (const run of beginning) runs.set(run.spec.key, run);
			foldAll(asked.map(operationFact));
			keepLooking();
		},
		/** Notes the same step of operations that were not sent. */
		noteWaiting(waiting: readonly Run[], step: Partial<Operation>) {
			const still = new Set(unsent());
			foldAll(waiting.filter(run => still.has(run)).map(run => stepOf(run, step)));
		},
		/** Ends operations that were not sent. They are noted together, because they may be hundreds. */
		end,
		/** Returns the operations that were not sent. */
		unsent,
		/** Sends what may be sent now. Call it when the lock or the hold has changed. */
		advance,
		waitReasonOf(runKey: string, now: number): WaitReason | undefined {
			const run = runs.get(runKey);
			const known = run && operationOf(run);
			if (!run || !known || !isUnsent(known)) return undefined;
			if (run.first && !run.first.isOver) return { type: 'start' };
			const position = queues[rowOf(run).scope].positionOf(run);
			const slots = knownSlotsFrom(accountState().standings, now);
			return holdingReason(run) ?? estimatedTurnOf(run.spec, position, slots, now);
		},
		/** Ends what was not sent before the machine slept. Called before anything is sent. */
		endAfterSleep: jumps.check,
		markSeen(failure: StandingFailure) {
			const seenKeys =
				failure.type === 'operation'
					? [failure.operation.spec.key]
					: [...accountState().operations.values()]
							.filter(({ spec }) => spec.batch === failure.batch.id)
							.map(({ spec }) => spec.key);
			foldAll(
				seenKeys.flatMap(each => {
					const known = accountState().operations.get(each);
					return known?.stage === 'failed'
						? [{ ...operationFact(known), step: 'seen' as const }]
						: [];
				}),
			);
		},
		visit(id: string, port: number) {
			if (
				!signal.aborted &&
				state.getState().holdReason !== 'quit' &&
				!profile.isReadOnly &&
				!lock.isLocked()
			)
				visit(id, port);
		},
		/** Drops all operations that are not sent. Nothing is sent afterwards. */
		close() {
			end(unsent(), 'cancelled');
			closing.abort();
			stopLooking();
			for (const cancelTimer of [...pauses, cancelLook]) cancelTimer?.();
			for (const unsubscribe of unsubscribers) unsubscribe();
		},
	};
}
