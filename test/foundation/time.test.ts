import { expect, test } from 'vitest';
import { createJumps } from '../../source/foundation/clock.ts';
import { backoffDelay, dueTimeAfter, type FailureKind } from '../../source/foundation/failure.ts';
import { createHeldClock } from '../held-clock.ts';

test.each<[FailureKind, number, readonly number[]]>([
	['server', 0, [1, 2, 4, 8, 16, 32, 60, 60]],
	['offline', 1, [1.25, 2.5, 5, 10, 20, 40, 75]],
	['denied', 0, [60, 60]],
	['auth', 0, [5, 10, 20, 40, 80, 160, 300, 300]],
])('the waits after failures of the kind “%s” with the chance %d', (kind, chance, seconds) => {
	let delayMs: number | undefined;
	for (const wait of seconds) {
		delayMs = backoffDelay(delayMs, { kind }, () => chance);
		expect(delayMs).toBe(wait * 1000);
	}
});

test('the wait after a failure is as long as the platform asks for, up to an hour', () => {
	const delayAfter = (retryAfter: number) =>
		backoffDelay(undefined, { kind: 'server', retryAfter }, () => 0);
	expect([30_000, 86_400_000].map(delayAfter)).toEqual([30_000, 3_600_000]);
});

test('an action that last happened in the future is due now', () => {
	const now = 1_000_000;
	expect(dueTimeAfter(now - 10, 50, now)).toBe(now + 40);
	expect(dueTimeAfter(now + 10, 50, now)).toBeLessThan(now);
});

const minute = 60_000;

function open() {
	const clock = createHeldClock();
	const jumps = createJumps(clock);
	const seen: number[] = [];
	const stop = jumps.onJump(sleptMs => seen.push(sleptMs));
	return { clock, jumps, seen, stop };
}

type Clock = ReturnType<typeof createHeldClock>;

test.each<[string, (clock: Clock) => void, readonly number[]]>([
	['time passes', () => {}, []],
	['the machine slept', clock => clock.sleep(10 * minute), [10 * minute]],
	['the clock was set forward', clock => clock.jump(minute), [0]],
	['the clock was set back', clock => clock.jump(-minute), [0]],
	['the machine was busy', clock => clock.sleep(4_000), []],
	['the clock was corrected', clock => clock.jump(-500), []],
])('where %s, what jumped is noticed within a second', (_, happen, expected) => {
	const { clock, seen } = open();
	clock.move(minute);
	happen(clock);
	clock.move(1_000);
	expect(seen).toEqual(expected);
	clock.move(minute);
	expect(seen).toEqual(expected);
});

test('a sleep is noticed at once by what asks, and only once', () => {
	const { clock, jumps, seen, stop } = open();
	clock.move(400);
	clock.sleep(minute);
	jumps.check();
	expect(seen).toEqual([minute - 600]);
	clock.move(minute);
	expect(seen).toHaveLength(1);
	stop();
	expect(clock.waiting).toBe(0);
});
