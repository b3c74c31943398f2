import { setMaxListeners } from 'node:events';
import type { StoreApi } from 'zustand/vanilla';
import { type FactBody, operationFact } from '../fleet/fact.ts';
import {
	isUnderWay,
	isUnsent,
	type Operation,
	type OperationSpec,
} from '../fleet/operations/operation.ts';
import { operationRowOf } from '../fleet/operations/operation-table.ts';
import type { Clock } from '../foundation/clock.ts';
import type { Failure } from '../foundation/failure.ts';
import type { Jump, Jumps } from '../foundation/jumps.ts';
import { createFailure } from '../platform/decoding/platform-error.ts';
import type { Acceptance } from '../platform/operation-requests.ts';
import { operationIn } from '../store/our-operations.ts';
import { type AccountState, emptyAccount } from '../store/state.ts';
import type { Store } from '../store/store.ts';
import type { Lock } from './lock.ts';
import type { OperationsState } from './operations-state.ts';
import { outcomesIn } from './outcome.ts';
import { checkPort } from './port-check.ts';
import { createQueue } from './queue.ts';
import type { Account, OperatedAccount, Run } from './run.ts';
import { holdingReasonOf, type WaitReason } from './why-not.ts';

export type Runs = ReturnType<typeof createRuns>;

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

const isRequest = ({ operation }: OperationSpec) => operationRowOf(operation).scope !== 'none';

export function createRuns(
	store: Store,
	clock: Clock,
	jumps: Jumps,
	lock: Lock,
	state: StoreApi<OperationsState>,
) {
	const accounts = new Map<string, Account>();
	const runs = new Map<string, Run>();
	let stopLooking: (() => void) | undefined;

	const operationOf = ({ account, spec }: Run) => account.state().operations.get(spec.key);

	function isWaiting(run: Run): boolean {
		const known = operationOf(run);
		return !run.isOver && known !== undefined && isUnsent(known);
	}

	const unsent = (): readonly Run[] => [...runs.values()].filter(isWaiting);

	function holdingReason(run: Run): WaitReason | undefined {
		const known = operationOf(run);
		return known && holdingReasonOf(known, run.account.state(), state.getState());
	}

	function mayBeSent(run: Run): boolean {
		const { changes } = operationRowOf(run.spec.operation);
		const isForbidden = changes && (run.account.profile.isReadOnly || lock.isLocked());
		return !isForbidden && isWaiting(run) && holdingReason(run) === undefined;
	}

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
			const next = { ...known, graceEndsAt: undefined, heldGraceMs: undefined, ...step };
			const { reading, published } = response ?? {};
			const body = { ...operationFact(next), reading, published } as FactBody;
			return [factFrom(run.account, body, response && known.sentAt)];
		});
		if (facts.length > 0) store.receive(facts);
		if (step.stage === 'sent') lock.restartIdleTime();
		keepLooking();
	}

	function end(ending: readonly Run[], stage: 'cancelled' | 'failed', failure?: Failure) {
		for (const run of ending) run.request?.abort();
		if (ending.length > 0) note(ending, { stage, endedAt: clock.now(), failure });
		advance();
	}

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
		const { scope } = operationRowOf(run.spec.operation);
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

	/** Looks each second while operations wait, also because other processes spend the same limits. */
	function keepLooking() {
		if (unsent().length > 0) {
			stopLooking ??= startLooking();
			return;
		}
		stopLooking?.();
		stopLooking = undefined;
	}

	function startLooking(): () => void {
		const stopListening = jumps.onJump(endAfterSleep);
		let cancelTimer = clock.after(lookEveryMs, look);
		function look() {
			cancelTimer = clock.after(lookEveryMs, look);
			endLongWaits();
			advance();
		}
		return () => {
			stopListening();
			cancelTimer();
		};
	}

	function advance() {
		for (const { queues } of accounts.values())
			for (const queue of Object.values(queues)) queue.advance();
	}

	function follow(account: Account, before: AccountState) {
		const now = account.state();
		receive(account, outcomesIn(now, clock.now(), account.isRecorder?.()));
		if (now.operations === before.operations) return;
		for (const [key, run] of runs) {
			const known = operationIn(now, key);
			if (run.account !== account || (known && isUnderWay(known))) continue;
			run.isOver = true;
			runs.delete(key);
			run.markEnded(known?.stage);
		}
		advance();
		account.watch.wake();
	}

	/** Ends overdue operations that a new one on the same computer replaces. Own commands replace nothing. */
	function endReplaced({ account, spec }: Run) {
		if (spec.computer === undefined || !isRequest(spec)) return;
		const replaced = [...runs.values()].filter(
			other =>
				other.account === account && other.spec.computer === spec.computer && isRequest(other.spec),
		);
		const failure = createFailure('cancelled', 'replaced by a later request', {
			isOutcomeUnknown: true,
		});
		for (const run of replaced) {
			if (isWaiting(run)) end([run], 'cancelled');
			else note([run], { stage: 'failed', endedAt: clock.now(), failure });
		}
	}

	/** Opens an account. It is closed by its `close`, which drops its unsent operations. */
	function open(operated: OperatedAccount): Account {
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
		const account: Account = {
			...operated,
			// The rate limiter holds only a few requests, enough to use its slots. Creates are sent one by one, so that a lost
			// response leaves no doubt which new computer belongs to it. Each own command is a process of its own.
			queues: {
				create: createQueue(1, mayBeSent),
				other: createQueue(3, mayBeSent),
				none: createQueue(4, mayBeSent),
			},
			state: accountState,
			signal: closing.signal,
			close() {
				const own = [...runs.values()].filter(run => run.account === account);
				end(own.filter(isWaiting), 'cancelled');
				closing.abort();
				stopFollowing();
				for (const { spec } of own) runs.delete(spec.key);
			},
		};
		accounts.set(key, account);
		return account;
	}

	function begin(beginning: readonly Run[]) {
		for (const run of beginning) endReplaced(run);
		for (const run of beginning) runs.set(run.spec.key, run);
		const askedAt = clock.now();
		const facts = beginning.map(({ account, spec, countdown, skipped }) => {
			const graceEndsAt = countdown?.endsAt();
			const stage = countdown ? 'counting' : 'queued';
			const asked = { spec, stage, askedAt, graceEndsAt, skipped, hasPhaseChanged: false } as const;
			return factFrom(account, operationFact(asked));
		});
		store.receive(facts);
		keepLooking();
	}

	return {
		clock,
		jumps,
		state,
		accounts,
		open,
		begin,
		unsent,
		mayBeSent,
		receive,
		note,
		noteUnsent: (noted: readonly Run[], step: Partial<Operation>) =>
			note(noted.filter(isWaiting), step),
		end,
		advance,
		/** Fails an operation whose sign-in was refused, and those that wait, which would send another sign-in. */
		failSignIn(run: Run, failure: Failure) {
			const { create, other } = run.account.queues;
			end([run, ...[...create.waiting(), ...other.waiting()].filter(mayBeSent)], 'failed', failure);
		},
		visit(account: Account, { computer, port }: Pick<OperationSpec, 'computer' | 'port'>) {
			if (computer !== undefined && port !== undefined)
				void checkPort(account, computer, port, clock, state);
		},
	};
}
