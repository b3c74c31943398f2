import { setMaxListeners } from 'node:events';
import type { StoreApi } from 'zustand/vanilla';
import { globalIdOf } from '../fleet/computers/global-id.ts';
import type { Fact, FactBody } from '../fleet/fact.ts';
import {
	isOfThisProcess,
	isUnderWay,
	isUnsent,
	type Operation,
} from '../fleet/operations/operation.ts';
import { type OperationChanged, operationFact } from '../fleet/operations/operation-fact.ts';
import { operationRowOf } from '../fleet/operations/operation-table.ts';
import type { Clock } from '../foundation/clock.ts';
import type { Failure } from '../foundation/failure.ts';
import type { Jump, Jumps } from '../foundation/jumps.ts';
import { createFailure } from '../platform/decoding/platform-error.ts';
import type { Acceptance } from '../platform/operation-requests.ts';
import { changesBetween } from '../store/change-log.ts';
import { type AccountState, emptyAccount } from '../store/state.ts';
import type { Store } from '../store/store.ts';
import type { Lock } from './lock.ts';
import type { OperationsState } from './operations-state.ts';
import { outcomesIn } from './outcome.ts';
import { checkPort } from './port-check.ts';
import { createQueue } from './queue.ts';
import type { Account, OperatedAccount, Run } from './run.ts';
import { holdingReasonOf, type WaitReason } from './why-not.ts';

/** The operations that were answered for, of all accounts. */
export type Runs = ReturnType<typeof createRuns>;

type RunsOptions = {
	store: Store;
	clock: Clock;
	jumps: Jumps;
	lock: Lock;
	state: StoreApi<OperationsState>;
};

const lookEveryMs = 1_000;

/** Who was away for longer than this may not remember what would be sent. */
const maxSleepMs = 10_000;
const maxWaitMs = 10 * 60_000;

const rowOf = ({ spec }: Run) => operationRowOf(spec.operation);

export function createRuns({ store, clock, jumps, lock, state }: RunsOptions) {
	const accounts = new Map<string, Account>();
	const runs = new Map<string, Run>();
	let cancelLook: (() => void) | undefined;
	let stopListening: (() => void) | undefined;

	const operationOf = ({ account, spec }: Run) => account.state().operations.get(spec.key);

	/** Returns the operations that were not sent. */
	function unsent(): readonly Run[] {
		return [...runs.values()].filter(run => {
			const known = operationOf(run);
			return !run.isOver && known !== undefined && isUnsent(known);
		});
	}

	const unsentOf = (account: Account) => unsent().filter(run => run.account === account);

	/** Whether an operation that may have its turn must still not be sent. */
	function isHeld(run: Run): boolean {
		const isForbidden = rowOf(run).changes && (run.account.profile.isReadOnly || lock.isLocked());
		return isForbidden || state.getState().holdReason === 'quit';
	}

	function holdingReason(run: Run): WaitReason | undefined {
		const known = operationOf(run);
		return known && holdingReasonOf(known, run.account.state(), state.getState());
	}

	const isInTurn = (run: Run) => !isHeld(run) && holdingReason(run) === undefined;

	const factOf = ({ profile }: Account, body: FactBody, askedAt?: number): Fact => ({
		account: profile.account,
		at: clock.now(),
		askedAt,
		...body,
	});

	function receive(facts: readonly Fact[]) {
		if (facts.length > 0) store.receive(facts);
	}

	/** Notes a step of operations together, because they may be hundreds, and the response of the platform. */
	function note(noted: readonly Run[], step: Partial<Operation>, response?: Acceptance) {
		const facts = noted.flatMap((run): Fact[] => {
			const known = operationOf(run);
			if (!known) return [];
			const next = { ...known, graceEndsAt: undefined, heldGraceMs: undefined, ...step };
			const body: OperationChanged = operationFact(next);
			if (!response) return [factOf(run.account, body)];
			const { reading, published } = response;
			return [factOf(run.account, { ...body, reading, published } as FactBody, known.sentAt)];
		});
		receive(facts);
		keepLooking();
	}

	/** Ends operations that were not sent. */
	function end(ending: readonly Run[], stage: 'cancelled' | 'failed', failure?: Failure) {
		if (ending.length === 0) return;
		for (const run of ending) run.request?.abort();
		note(ending, { stage, endedAt: clock.now(), failure });
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
	function longWaitOf(run: Run, slots: ReturnType<Account['limiter']['slots']>) {
		const { scope } = rowOf(run);
		const reason = holdingReason(run)?.type;
		if (reason === 'held') return 'out of sight';
		if (scope !== 'none' && slots[scope].free.operation === 0) return undefined;
		if (reason === 'unlock') return 'locked';
		if (reason === 'quitDialog') return 'out of sight';
		if (run.account.state().signIn?.isSignedIn === false) return 'for the sign-in';
		return reason === 'previous' ? 'for an earlier creation' : undefined;
	}

	function endLongWaits() {
		const now = clock.monotonic();
		const forgotten = new Map<string, Run[]>();
		for (const account of accounts.values()) {
			const own = unsentOf(account);
			if (own.length === 0) continue;
			// Reading the slots reads a file.
			const slots = account.limiter.slots();
			for (const run of own) {
				const reason = longWaitOf(run, slots);
				if (reason === undefined) run.waitingSince = undefined;
				else run.waitingSince ??= now;
				if (reason === undefined || now - (run.waitingSince ?? now) < maxWaitMs) continue;
				forgotten.set(reason, [...(forgotten.get(reason) ?? []), run]);
			}
		}
		for (const [reason, ending] of forgotten)
			endForgotten(ending, `it waited ten minutes ${reason}`);
	}

	/** Looks each second while operations wait, also because other processes spend the same limits. */
	function keepLooking() {
		if (unsent().length === 0) return stopLooking();
		stopListening ??= jumps.onJump(endAfterSleep);
		cancelLook ??= clock.after(lookEveryMs, () => {
			endLongWaits();
			cancelLook = undefined;
			keepLooking();
			advance();
		});
	}

	function stopLooking() {
		cancelLook?.();
		cancelLook = undefined;
		stopListening?.();
		stopListening = undefined;
	}

	/** Sends what may be sent now. */
	function advance() {
		for (const { queues } of accounts.values())
			for (const queue of Object.values(queues)) queue.advance();
	}

	/** Notes what the latest answers show about operations, and goes on with those that wait. */
	function follow(account: Account, before: AccountState) {
		const now = account.state();
		for (const change of changesBetween(before, now)) {
			if (change.type !== 'operationMoved' || change.pane !== undefined) continue;
			const { operation, computer, port } = change.wish;
			if (change.to === 'sent') lock.restartIdleTime();
			const isPublished =
				change.to === 'settled' && operationRowOf(operation).goal.reaches === 'published';
			if (isPublished && computer !== undefined && port !== undefined)
				visit(account, computer, port);
		}
		const outcomes = outcomesIn(now, clock.now(), account.isRecorder?.());
		receive(outcomes.map(outcome => factOf(account, outcome)));
		if (now.operations === before.operations) return;
		for (const [key, run] of runs) {
			const known = now.operations.get(key);
			if (run.account !== account || (known && isUnderWay(known))) continue;
			run.isOver = true;
			runs.delete(key);
			run.markEnded();
		}
		advance();
		account.watch.wake();
	}

	const visit = ({ platform, profile, signal }: Account, computer: string, port: number) =>
		void checkPort(
			{ platform, clock, signal, state },
			{ id: globalIdOf(profile.account, computer), computer, port },
		);

	/**
	 * Ends overdue operations that new operations on the same computers replace. Own commands neither replace anything nor
	 * are replaced.
	 */
	function endEarlier(beginning: readonly Run[]) {
		const isRequest = (operation: string) => operationRowOf(operation).scope !== 'none';
		const failure = createFailure('cancelled', 'replaced by a later request', {
			isOutcomeUnknown: true,
		});
		const waiting = new Map(unsent().map(run => [run.spec.key, run]));
		const cancelled = new Set<Run>();
		const replaced: Fact[] = [];
		for (const { account, spec } of beginning) {
			if (spec.computer === undefined || !isRequest(spec.operation)) continue;
			for (const earlier of account.state().operations.values()) {
				const { computer, operation, key } = earlier.spec;
				if (computer !== spec.computer || !isRequest(operation)) continue;
				if (!isOfThisProcess(earlier) || !isUnderWay(earlier)) continue;
				const run = waiting.get(key);
				if (run) cancelled.add(run);
				else if (!isUnsent(earlier)) {
					const ended = { ...earlier, stage: 'failed', endedAt: clock.now(), failure } as const;
					replaced.push(factOf(account, operationFact(ended)));
				}
			}
		}
		end([...cancelled], 'cancelled');
		receive(replaced);
	}

	return {
		clock,
		jumps,
		accounts,
		unsent,
		isHeld,
		note,
		end,
		advance,
		receive: (account: Account, body: FactBody, askedAt?: number) =>
			receive([factOf(account, body, askedAt)]),
		/** Opens an account. It is closed by its `close`, which drops its unsent operations. */
		open(operated: OperatedAccount): Account {
			const key = operated.profile.account;
			const closing = new AbortController();
			// Each operation that is looked up waits for it.
			setMaxListeners(0, closing.signal);
			const accountState = () => store.getState().accounts.get(key) ?? emptyAccount;
			let seen = accountState();
			const stopFollowing = store.subscribe(() => {
				const before = seen;
				seen = accountState();
				if (seen !== before) follow(account, before);
			});
			// The rate limiter holds only a few requests, enough to use its slots. The others wait in the queue, where a single
			// operation can overtake a batch. Creates are sent one by one, so that a lost response leaves no doubt which new
			// computer belongs to it. Each own command is a process of its own.
			const queues = {
				create: createQueue<Run>(1, isInTurn),
				other: createQueue<Run>(3, isInTurn),
				none: createQueue<Run>(4, isInTurn),
			};
			const account: Account = {
				...operated,
				queues,
				state: accountState,
				signal: closing.signal,
				close() {
					end(unsentOf(account), 'cancelled');
					closing.abort();
					stopFollowing();
					for (const [runKey, run] of runs) if (run.account === account) runs.delete(runKey);
				},
			};
			accounts.set(key, account);
			return account;
		},
		/** Notes that these operations were asked for. */
		begin(beginning: readonly { run: Run; asked: Operation }[]) {
			const begun = beginning.map(({ run }) => run);
			endEarlier(begun);
			for (const run of begun) runs.set(run.spec.key, run);
			receive(beginning.map(({ run, asked }) => factOf(run.account, operationFact(asked))));
			keepLooking();
		},
		/** Returns the requests of an account that would be sent next. */
		waitingRequests: ({ queues: { create, other } }: Account) =>
			[...create.waiting(), ...other.waiting()].filter(isInTurn),
		visit,
	};
}
