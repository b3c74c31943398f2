import { expect, test } from 'vitest';
import { createLock } from '../../source/operations/lock.ts';
import { createOperationsState } from '../../source/operations/operations-state.ts';
import { createHeldClock } from '../held-clock.ts';

const minute = 60_000;
const hour = 60 * minute;

function openLock(lockAfterMs = 10 * minute) {
	const clock = createHeldClock();
	const state = createOperationsState();
	const seen: boolean[] = [];
	state.subscribe(({ isLocked }) => seen.push(isLocked));
	return { clock, lock: createLock(clock, lockAfterMs, state), seen };
}

type Lock = ReturnType<typeof openLock>;

test.each<[string, (lock: Lock) => void, readonly boolean[]]>([
	['stays open before ten minutes', ({ clock }) => clock.move(10 * minute - 1), []],
	['closes once after ten minutes', ({ clock }) => clock.move(hour), [true]],
	[
		'waits ten minutes from the last key',
		({ clock, lock }) => {
			clock.move(9 * minute);
			lock.restartIdleTime();
			clock.move(9 * minute);
		},
		[],
	],
	[
		'closes again ten minutes after it was unlocked',
		({ clock, lock }) => {
			clock.move(hour);
			lock.unlock();
			clock.move(10 * minute);
		},
		[true, false, true],
	],
	[
		'is closed when anyone asks for it after the machine slept, although no timer has run',
		({ clock, lock }) => {
			clock.sleep(11 * minute);
			lock.isLocked();
			lock.isLocked();
		},
		[true],
	],
	[
		'is closed by the first key after the machine slept',
		({ clock, lock }) => {
			clock.sleep(11 * minute);
			lock.restartIdleTime();
		},
		[true],
	],
	[
		'does not close after its end',
		({ clock, lock }) => {
			lock.close();
			clock.move(hour);
		},
		[],
	],
	...[-hour, -5_000, 5_000, hour].map((setBy): [string, (lock: Lock) => void, boolean[]] => [
		`stays open when the clock is set by ${setBy} ms`,
		({ clock, lock }) => {
			clock.move(5 * minute);
			clock.jump(setBy);
			lock.isLocked();
			clock.move(5 * minute - 1);
		},
		[],
	]),
])('the lock %s', (_, happens, expected) => {
	const lock = openLock();
	happens(lock);
	expect(lock.seen).toEqual(expected);
});

test('without an idle time, only a key locks, and no timer runs', () => {
	const { clock, lock } = openLock(Number.POSITIVE_INFINITY);
	clock.move(1e9);
	expect([lock.isLocked(), clock.waiting]).toEqual([false, 0]);
	lock.lock();
	expect(lock.isLocked()).toBe(true);
});
