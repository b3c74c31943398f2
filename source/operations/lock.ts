import type { Clock } from '../fleet/clock.ts';

/** Locks the monitor after a time without key presses. A locked monitor keeps polling and changes no computer. */
type Lock = {
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
	onChange: () => void;
};

export function createLock({ clock, lockAfterMs, onChange }: LockOptions): Lock {
	let isClosed = false;
	let hasLocked = false;
	let touchedAt = clock.now();
	let cancelTimer = () => {};

	// Timers stop while the host sleeps, and the wall clock does not. After the clock was set back, the idle
	// time is unknown, so the monitor locks.
	const isIdle = () => clock.now() - touchedAt >= lockAfterMs || clock.now() < touchedAt;

	function lockIfIdle() {
		if (hasLocked || !isIdle()) return;
		hasLocked = true;
		cancelTimer();
		onChange();
	}

	function wait() {
		cancelTimer();
		if (hasLocked || isClosed || !Number.isFinite(lockAfterMs)) return;
		cancelTimer = clock.after(Math.max(1, touchedAt + lockAfterMs - clock.now()), () => {
			lockIfIdle();
			wait();
		});
	}

	wait();

	return {
		isLocked: () => hasLocked || isIdle(),
		restartIdleTime() {
			lockIfIdle();
			if (!hasLocked) touchedAt = clock.now();
		},
		lock() {
			if (hasLocked) return;
			hasLocked = true;
			cancelTimer();
			onChange();
		},
		unlock() {
			const wasLocked = hasLocked || isIdle();
			touchedAt = clock.now();
			if (!wasLocked) return;
			hasLocked = false;
			wait();
			onChange();
		},
		close() {
			isClosed = true;
			cancelTimer();
		},
	};
}
