import type { StoreApi } from 'zustand/vanilla';
import type { Clock } from '../foundation/clock.ts';
import type { OperationsState } from './operations-state.ts';

/** Locks the monitor after a time without key presses. A locked monitor keeps polling and changes no computer. */
export type Lock = {
	/** Returns true after too long without a key press, even if the timer of the lock has not fired yet. */
	isLocked(): boolean;
	/** Starts the idle time again: a key was pressed, or an operation was sent. */
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
	let touchedAt = clock.now();
	let cancelTimer = () => {};

	const hasLocked = () => state.getState().isLocked;

	// Timers stop while the host sleeps, and the wall clock does not. After the clock was set back, the idle
	// time is unknown, so the monitor locks.
	const isIdle = () => clock.now() - touchedAt >= lockAfterMs || clock.now() < touchedAt;

	function lock() {
		if (hasLocked()) return;
		cancelTimer();
		state.setState({ isLocked: true, question: undefined });
	}

	function wait() {
		cancelTimer();
		if (hasLocked() || isClosed || !Number.isFinite(lockAfterMs)) return;
		cancelTimer = clock.after(Math.max(1, touchedAt + lockAfterMs - clock.now()), () => {
			if (isIdle()) lock();
			wait();
		});
	}

	wait();

	return {
		isLocked: () => hasLocked() || isIdle(),
		restartIdleTime() {
			if (isIdle()) lock();
			if (!hasLocked()) touchedAt = clock.now();
		},
		lock,
		unlock() {
			const wasLocked = hasLocked() || isIdle();
			touchedAt = clock.now();
			if (!wasLocked) return;
			state.setState({ isLocked: false });
			wait();
		},
		close() {
			isClosed = true;
			cancelTimer();
		},
	};
}
