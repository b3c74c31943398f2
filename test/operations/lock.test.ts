import { expect, test } from 'vitest';
import { createLock } from '../../source/operations/lock.ts';
import { createHeldClock } from '../held-clock.ts';

const minute = 60_000;

function openLock() {
	const clock = createHeldClock();
	let changes = 0;
	const lock = createLock({
		clock,
		lockAfterMs: 10 * minute,
		onChange() {
			changes += 1;
		},
	});
	return { clock, lock, changes: () => changes };
}

test('calls no listener when its state is read', () => {
	const { clock, lock, changes } = openLock();
	clock.jump(11 * minute);
	expect([lock.isLocked(), lock.isLocked()]).toEqual([true, true]);
	expect(changes()).toBe(0);
	clock.jump(-11 * minute);
	expect(lock.isLocked()).toBe(false);
	expect(changes()).toBe(0);
});

test('locks once when its timer ends', () => {
	const { clock, lock, changes } = openLock();
	clock.move(10 * minute - 1);
	expect([lock.isLocked(), changes()]).toEqual([false, 0]);
	clock.move(1);
	expect([lock.isLocked(), changes()]).toEqual([true, 1]);
	clock.move(60 * minute);
	expect(changes()).toBe(1);
});

test('locks at the first key after a sleep that the timer did not see', () => {
	const { clock, lock, changes } = openLock();
	clock.jump(11 * minute);
	lock.restartIdleTime();
	expect([lock.isLocked(), changes()]).toEqual([true, 1]);
});

test('calls the listener on unlock even if the timer never fired, so that held operations continue', () => {
	const { clock, lock, changes } = openLock();
	clock.jump(11 * minute);
	lock.unlock();
	expect([lock.isLocked(), changes()]).toEqual([false, 1]);
});
