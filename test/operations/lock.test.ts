import { expect, test } from 'vitest';
import { createLock } from '../../source/operations/lock.ts';
import { createOperationsState } from '../../source/operations/operations-state.ts';
import { createHeldClock } from '../held-clock.ts';

const minute = 60_000;
const hour = 60 * minute;

function openLock() {
	const clock = createHeldClock();
	let changes = 0;
	const state = createOperationsState(false);
	state.subscribe(() => {
		changes += 1;
	});
	const lock = createLock(clock, 10 * minute, state);
	return { clock, lock, changes: () => changes };
}

test('the lock closes as soon as anyone finds that it is due, and stays closed', () => {
	const { clock, lock, changes } = openLock();
	clock.sleep(11 * minute);
	expect([lock.isLocked(), lock.isLocked()]).toEqual([true, true]);
	expect(changes()).toBe(1);
});

test.each([-hour, -5_000, 5_000, hour])(
	'a clock that is set by %i ms neither closes the lock nor keeps it open',
	setBy => {
		const { clock, lock, changes } = openLock();
		clock.move(5 * minute);
		clock.jump(setBy);
		expect(lock.isLocked()).toBe(false);
		clock.move(5 * minute - 1);
		expect([lock.isLocked(), changes()]).toEqual([false, 0]);
		clock.move(1);
		expect([lock.isLocked(), changes()]).toEqual([true, 1]);
	},
);

test('the lock closes at the first key press after the host was asleep', () => {
	const { clock, lock, changes } = openLock();
	clock.sleep(11 * minute);
	lock.restartIdleTime();
	expect([lock.isLocked(), changes()]).toEqual([true, 1]);
});
