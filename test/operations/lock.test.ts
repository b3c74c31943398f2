import { expect, test } from 'vitest';
import { createLock } from '../../source/operations/lock.ts';
import { createHeldClock } from '../held-clock.ts';

const minute = 60_000;

function openLock() {
	const clock = createHeldClock();
	let changes = 0;
	const lock = createLock({
		clock,
		lockAfter: 10 * minute,
		onChange() {
			changes += 1;
		},
	});
	return { clock, lock, changes: () => changes };
}

test('asking whether it is locked notifies no one, however often and whenever it is asked', () => {
	const { clock, lock, changes } = openLock();
	clock.jump(11 * minute);
	expect([lock.isLocked(), lock.isLocked()]).toEqual([true, true]);
	expect(changes()).toBe(0);
	clock.jump(-11 * minute);
	expect(lock.isLocked()).toBe(false);
	expect(changes()).toBe(0);
});

test('the timer locks, once', () => {
	const { clock, lock, changes } = openLock();
	clock.move(10 * minute - 1);
	expect([lock.isLocked(), changes()]).toEqual([false, 0]);
	clock.move(1);
	expect([lock.isLocked(), changes()]).toEqual([true, 1]);
	clock.move(60 * minute);
	expect(changes()).toBe(1);
});

test('after a sleep that the timer did not see, a key locks instead of counting as presence', () => {
	const { clock, lock, changes } = openLock();
	clock.jump(11 * minute);
	lock.touch();
	expect([lock.isLocked(), changes()]).toEqual([true, 1]);
});

test('unlocking notifies even when only the time had locked it, so that what waits goes on', () => {
	const { clock, lock, changes } = openLock();
	clock.jump(11 * minute);
	lock.unlock();
	expect([lock.isLocked(), changes()]).toEqual([false, 1]);
});
