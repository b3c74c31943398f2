import type { Clock } from '../fleet/clock.ts';

/** Left alone for a while, the monitor goes on watching and changes nothing until it is unlocked. */
export type Lock = {
	/** Asking changes nothing: idle for too long counts as locked even before the timer has shut it. */
	isLocked(): boolean;
	/** A key was pressed, or something that a person had asked for was sent. */
	touch(): void;
	lock(): void;
	unlock(): void;
	close(): void;
};

type LockOptions = {
	clock: Clock;
	/** Milliseconds; Infinity for never. */
	lockAfter: number;
	onChange: () => void;
};

export function createLock({ clock, lockAfter, onChange }: LockOptions): Lock {
	let isClosed = false;
	let isShut = false;
	let touchedAt = clock.now();
	let callOff = () => {};

	// The timer stands still while the computer sleeps, and the wall's clock does not. A clock that was
	// put back tells nothing of how long nobody was here.
	const isIdle = () => clock.now() - touchedAt >= lockAfter || clock.now() < touchedAt;

	function look() {
		if (isShut || !isIdle()) return;
		isShut = true;
		callOff();
		onChange();
	}

	function wait() {
		callOff();
		if (isShut || isClosed || !Number.isFinite(lockAfter)) return;
		callOff = clock.after(Math.max(1, touchedAt + lockAfter - clock.now()), () => {
			look();
			wait();
		});
	}

	wait();

	return {
		isLocked: () => isShut || isIdle(),
		touch() {
			look();
			if (!isShut) touchedAt = clock.now();
		},
		lock() {
			if (isShut) return;
			isShut = true;
			callOff();
			onChange();
		},
		unlock() {
			const wasLocked = isShut || isIdle();
			touchedAt = clock.now();
			if (!wasLocked) return;
			isShut = false;
			wait();
			onChange();
		},
		close() {
			isClosed = true;
			callOff();
		},
	};
}
