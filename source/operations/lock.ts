import type { StoreApi } from 'zustand/vanilla';
import type { Clock } from '../foundation/clock.ts';
import type { OperationsState } from './operations-state.ts';

/** Locks the monitor after a time without key presses. A locked monitor keeps polling and changes no computer. */
export type Lock = ReturnType<typeof createLock>;

type LockOptions = {
	clock: Clock;
	/** Milliseconds without a key; Infinity for never. */
	lockAfterMs: number;
	state: StoreApi<OperationsState>;
};

export function createLock({ clock, lockAfterMs, state }: LockOptions) {
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
		/** Whether the monitor is locked. This locks it, if its timer has not done so yet. */
		isLocked() {
			// Timers stand still while the machine sleeps. The screen shows the lock as soon as anyone meets it.
			if (isIdle()) lock();
			return hasLocked();
		},
		/** Starts the idle time again, because a key was pressed or an operation was sent. */
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
