import { expect, onTestFinished, test } from 'vitest';
import { createJumps } from '../../source/foundation/jumps.ts';
import { createOperations } from '../../source/operations/operations.ts';
import { createStore } from '../../source/store/store.ts';
import { createHeldClock } from '../held-clock.ts';

const second = 1_000;
const minute = 60_000;
const hour = 60 * minute;

function openLock(lockAfterMs = 10 * minute) {
	const clock = createHeldClock();
	const jumps = createJumps(clock);
	const operations = createOperations({
		store: createStore(),
		clock,
		jumps,
		random: () => 0.5,
		lockAfterMs,
	});
	onTestFinished(operations.quit);
	const seen: boolean[] = [];
	operations.subscribe(() => {
		const { isLocked } = operations.state();
		if (seen.at(-1) !== isLocked) seen.push(isLocked);
	});
	return { clock, operations, seen };
}

type Lock = ReturnType<typeof openLock>;

test.each<[string, (lock: Lock) => void, readonly boolean[]]>([
	['stays open before ten minutes', ({ clock }) => clock.move(10 * minute - 1), []],
	['closes once after ten minutes', ({ clock }) => clock.move(hour), [true]],
	[
		'waits ten minutes from the last key',
		({ clock, operations }) => {
			clock.move(9 * minute);
			operations.restartIdleTime();
			clock.move(9 * minute);
		},
		[],
	],
	[
		'closes again ten minutes after it was unlocked',
		({ clock, operations }) => {
			clock.move(hour);
			operations.unlock();
			clock.move(10 * minute + second);
		},
		[true, false, true],
	],
	[
		'is closed when anything is asked after the machine slept, although no timer has run',
		({ clock, operations }) => {
			clock.sleep(11 * minute);
			expect(operations.ask('create', [])).toMatchObject({ refusal: { reason: 'locked' } });
		},
		[true],
	],
	[
		'is closed by the first key after the machine slept',
		({ clock, operations }) => {
			clock.sleep(11 * minute);
			operations.restartIdleTime();
		},
		[true],
	],
	[
		'does not close after its end',
		({ clock, operations }) => {
			operations.quit();
			clock.move(hour);
		},
		[],
	],
	...[-hour, -5_000, 5_000, hour].map((setBy): [string, (lock: Lock) => void, boolean[]] => [
		`stays open when the clock is set by ${setBy} ms`,
		({ clock }) => {
			clock.move(5 * minute);
			clock.jump(setBy);
			clock.move(5 * minute - 1);
		},
		[],
	]),
])('the lock %s', (_, happens, expected) => {
	const lock = openLock();
	happens(lock);
	expect(lock.seen).toEqual(expected);
});

test('without an idle time, only a key locks', () => {
	const { clock, operations } = openLock(Number.POSITIVE_INFINITY);
	clock.move(30 * hour);
	expect(operations.state().isLocked).toBe(false);
	operations.lock();
	expect(operations.state().isLocked).toBe(true);
});
