import type { StoreApi } from 'zustand/vanilla';
import type { GlobalId } from '../fleet/computers/global-id.ts';
import type { OperationId, OperationSpec } from '../fleet/operations/operation.ts';
import type { OperationRow } from '../fleet/operations/operation-row.ts';
import type { Clock } from '../foundation/clock.ts';
import type { OperationsState } from './operations-state.ts';
import type { Question, SkippedTarget } from './question.ts';

export type RefusedOperation = { operation: OperationId; port: number | undefined };

/** Why an operation is refused before its request is sent. */
type Refusal = {
	reason:
		| 'read-only'
		| 'locked'
		/** The operation is not possible here at all, for the reason in its row of the table. */
		| 'barred'
		/** The program is about to exit. */
		| 'closing'
		/** No computer accepts the operation; `skipped` has the reason for each one. */
		| 'not-allowed'
		/** The question is no longer open, or not every step is answered. */
		| 'no-answer';
	message: string;
	skipped: readonly SkippedTarget[];
	/** What the skipped computers do not accept. */
	refused?: RefusedOperation;
};

/** The result of a question whose operations have begun. */
export type BegunOperations = {
	type: 'begun';
	/** The first of the operations. */
	first: OperationSpec | undefined;
	count: number;
	/**
	 * Makes and returns all operations, or those of one account. Those of a long batch are otherwise made when they are
	 * needed.
	 */
	specs: (account?: string) => readonly OperationSpec[];
	/** The computers of the operations. */
	ids: readonly GlobalId[];
};

/** The result of asking for an operation: a question, operations that need none, or a refusal. */
export type AskResult =
	| { type: 'question'; question: Question }
	| BegunOperations
	| { type: 'refused'; refusal: Refusal };

export type AnswerResult = Exclude<AskResult, { type: 'question' }>;

export function refusalResult(
	reason: Refusal['reason'],
	message: string,
	skipped: readonly SkippedTarget[] = [],
	refused?: RefusedOperation,
): Extract<AskResult, { type: 'refused' }> {
	return { type: 'refused', refusal: { reason, message, skipped, ...(refused && { refused }) } };
}

/** Decides whether the program may change the computers of an account, which depends on the lock, read-only and the quit dialog. */
export type ChangePolicy = {
	/**
	 * Returns whether queued operations are sent, held, or dropped. An operation that changes nothing is sent even if
	 * the monitor is locked or read-only.
	 */
	changePermission(changes: boolean): 'go' | 'hold' | 'drop';
};

type ChangePolicyOptions = {
	/** Aborted when the program ends. */
	signal: AbortSignal;
	lock: Lock;
	/** Whether the profile forbids every change. */
	isReadOnly: boolean;
	state: StoreApi<Pick<OperationsState, 'holdReason'>>;
};

export function createChangePolicy(options: ChangePolicyOptions): ChangePolicy {
	const { signal, lock, isReadOnly, state } = options;
	return {
		changePermission(changes) {
			const { holdReason } = state.getState();
			if (signal.aborted || (changes && isReadOnly)) return 'drop';
			return (changes && lock.isLocked()) || holdReason === 'quit' ? 'hold' : 'go';
		},
	};
}

type RefusalOptions = Pick<ChangePolicyOptions, 'signal' | 'lock'> & {
	state: StoreApi<Pick<OperationsState, 'isReadOnly'>>;
};

/** Returns why no operation may be asked for now; undefined when operations are allowed. */
export function refusalNow(
	{ signal, lock, state }: RefusalOptions,
	{ changes, barredBecause }: Pick<OperationRow, 'changes' | 'barredBecause'>,
) {
	if (signal.aborted) return refusalResult('closing', 'crowsnest is quitting');
	if (barredBecause !== undefined) return refusalResult('barred', barredBecause);
	if (!changes) return undefined;
	if (state.getState().isReadOnly)
		return refusalResult('read-only', 'Read-only: nothing can be changed here');
	return lock.isLocked() ? refusalResult('locked', 'Locked: unlock first') : undefined;
}

/** Locks the monitor after a time without key presses. A locked monitor keeps polling and changes no computer. */
export type Lock = {
	/** Whether the monitor is locked. After too long without a key press this locks it, if its timer has not done so yet. */
	isLocked(): boolean;
	/** Starts the idle time again, because a key was pressed or an operation was sent. */
	restartIdleTime(): void;
	lock(): void;
	unlock(): void;
	close(): void;
};

type LockOptions = {
	clock: Clock;
	/** Milliseconds without a key; Infinity for never. */
	lockAfterMs: number;
	state: StoreApi<OperationsState>;
};

export function createLock({ clock, lockAfterMs, state }: LockOptions): Lock {
	let isClosed = false;
	let touchedAt = clock.monotonic();
	let cancelTimer = () => {};

	const hasLocked = () => state.getState().isLocked;

	const idleMs = () => clock.monotonic() - touchedAt;
	const isIdle = () => Number.isFinite(lockAfterMs) && idleMs() >= lockAfterMs;

	function lock() {
		if (hasLocked()) return;
		cancelTimer();
		state.setState({ isLocked: true, question: undefined });
	}

	function wait() {
		cancelTimer();
		if (hasLocked() || isClosed || !Number.isFinite(lockAfterMs)) return;
		cancelTimer = clock.after(Math.max(1, lockAfterMs - idleMs()), () => {
			if (isIdle()) lock();
			wait();
		});
	}

	wait();

	return {
		isLocked() {
			// Timers stand still while the machine sleeps. The screen shows the lock as soon as anyone meets it.
			if (isIdle()) lock();
			return hasLocked();
		},
		restartIdleTime() {
			if (isIdle()) lock();
			if (!hasLocked()) touchedAt = clock.monotonic();
		},
		lock,
		unlock() {
			touchedAt = clock.monotonic();
			if (!hasLocked()) return;
			state.setState({ isLocked: false });
			wait();
		},
		close() {
			isClosed = true;
			cancelTimer();
		},
	};
}
