import type { StoreApi } from 'zustand/vanilla';
import type { Clock } from '../foundation/clock.ts';
import type { OperationsState } from './operations-state.ts';

/** Locks the monitor after a time without key presses. A locked monitor keeps polling and changes no computer. */
export type Lock = ReturnType<typeof createLock>;

export function createLock(clock: Clock, lockAfterMs: number, state: StoreApi<OperationsState>) {
	let touchedAt = clock.monotonic();
	let cancelTimer = () => {};

	const idleMs = () => clock.monotonic() - touchedAt;

	function lock() {
		cancelTimer();
		if (!state.getState().isLocked) state.setState({ isLocked: true, question: undefined });
	}

	/** Timers stand still while the machine sleeps, so everything that asks for the lock may be the first to lock. */
	function isLocked() {
		if (idleMs() >= lockAfterMs) lock();
		return state.getState().isLocked;
	}

	function wait() {
		if (lockAfterMs === Number.POSITIVE_INFINITY) return;
		cancelTimer = clock.after(Math.max(1, lockAfterMs - idleMs()), () => {
			if (!isLocked()) wait();
		});
	}

	wait();

	return {
		isLocked,
		lock,
		restartIdleTime() {
			if (!isLocked()) touchedAt = clock.monotonic();
		},
		unlock() {
			touchedAt = clock.monotonic();
			if (!state.getState().isLocked) return;
			state.setState({ isLocked: false });
			wait();
		},
		close: () => cancelTimer(),
	};
}
