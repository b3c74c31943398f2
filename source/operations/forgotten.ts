import { operationRowOf } from '../fleet/operations/operation-table.ts';
import type { SlotsByScope } from '../limits/limiter.ts';
import { createFailure } from '../platform/decoding/platform-error.ts';
import type { PendingOperation } from './begun-part.ts';
import type { OperationsDeps } from './operations-options.ts';
import { isCreateBlocked } from './waiting.ts';

/** Fails operations that a person may have forgotten before they were sent, so that they are asked for again. */
export type ForgottenOperations = {
	/** Looks each second from now on, until nothing is pending. */
	watch(): void;
	/** Fails what was not sent before the machine slept. Called before anything is sent. */
	cancelAfterSleep(): void;
	/** The program was stopped by Ctrl-Z, and a person has continued it. */
	noteContinued(): void;
	close(): void;
};

type ForgottenOptions = Pick<
	OperationsDeps,
	'accountStore' | 'pending' | 'policy' | 'clock' | 'state' | 'limiter'
> & {
	/** Called each second while operations are pending. */
	onLook: () => void;
};

const lookEveryMs = 1_000;

/** Who was away for longer than this may not remember what would be sent. */
const maxSleepMs = 10_000;
const maxWaitMs = 10 * 60_000;

export function createForgottenOperations(options: ForgottenOptions): ForgottenOperations {
	const { accountStore, pending, policy, clock, state, limiter, onLook } = options;
	/** Since when each operation waits for something other than the rate limits. */
	const waitingSince = new Map<PendingOperation, number>();
	let isWatching = false;
	let lookedAt = 0;
	let cancelTimer = () => {};

	function fail(items: readonly PendingOperation[], why: string) {
		if (items.length === 0) return;
		const failure = createFailure('cancelled', `not sent, because ${why}`);
		pending.cancel(items, { ...failure, advice: 'Ask for it again if you still want it.' });
	}

	function cancelAfterSleep() {
		const passedMs = clock.monotonic() - lookedAt;
		lookedAt = clock.monotonic();
		// Ctrl-Z only holds countdowns: the person knows of it, and comes back to this screen.
		const isStopped = state.getState().holdReason === 'suspended';
		if (!isWatching || isStopped || passedMs < lookEveryMs + maxSleepMs) return;
		fail(pending.unsent(), 'this machine slept');
	}

	/** Returns what an operation waits for, other than the rate limits; undefined while they delay it anyway. */
	function reasonToWait(
		{ spec }: PendingOperation,
		counting: ReadonlySet<string>,
		slots: SlotsByScope,
	) {
		const { isLocked, holdReason } = state.getState();
		const { changes, scope } = operationRowOf(spec.operation);
		const account = accountStore.state();
		if (holdReason !== undefined && counting.has(spec.batch ?? spec.key)) return 'out of sight';
		if (scope !== 'none' && slots[scope].free.operation === 0) return undefined;
		if (policy.changePermission(changes) === 'hold') return isLocked ? 'locked' : 'out of sight';
		if (account.signIn?.isSignedIn === false) return 'for the sign-in';
		return scope === 'create' && isCreateBlocked(account) ? 'for an earlier creation' : undefined;
	}

	function isAnyHeld() {
		const { isLocked, holdReason } = state.getState();
		const account = accountStore.state();
		const isSignedOut = account.signIn?.isSignedIn === false;
		return isLocked || holdReason !== undefined || isSignedOut || isCreateBlocked(account);
	}

	function cancelAfterWait() {
		if (!isAnyHeld()) return waitingSince.clear();
		const now = clock.monotonic();
		const counting = pending.countingDown();
		const slots = limiter.slots();
		const itemsByReason = new Map<string, PendingOperation[]>();
		for (const item of pending.unsent()) {
			const reason = reasonToWait(item, counting, slots);
			if (reason === undefined) {
				waitingSince.delete(item);
				continue;
			}
			const since = waitingSince.get(item) ?? now;
			waitingSince.set(item, since);
			if (now - since < maxWaitMs) continue;
			itemsByReason.set(reason, [...(itemsByReason.get(reason) ?? []), item]);
			waitingSince.delete(item);
		}
		for (const [reason, items] of itemsByReason) fail(items, `it waited ten minutes ${reason}`);
	}

	function look() {
		cancelAfterSleep();
		cancelAfterWait();
		isWatching = !pending.isEmpty();
		if (!isWatching) return waitingSince.clear();
		cancelTimer = clock.after(lookEveryMs, look);
		onLook();
	}

	return {
		watch() {
			if (isWatching) return;
			isWatching = true;
			lookedAt = clock.monotonic();
			cancelTimer = clock.after(lookEveryMs, look);
		},
		cancelAfterSleep,
		noteContinued() {
			lookedAt = clock.monotonic();
		},
		close() {
			isWatching = false;
			cancelTimer();
		},
	};
}
