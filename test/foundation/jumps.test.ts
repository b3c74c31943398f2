import { expect, test } from 'vitest';
import { createJumps } from '../../source/foundation/jumps.ts';
import { createHeldClock } from '../held-clock.ts';

function open() {
	const clock = createHeldClock();
	const jumps = createJumps(clock);
	const seen: number[] = [];
	const stop = jumps.onJump(({ sleptMs, setMs }) => seen.push(sleptMs, setMs));
	return { clock, jumps, seen, stop };
}

const minute = 60_000;

test.each([
	['time passes', () => {}, []],
	[
		'the machine slept',
		({ clock }: ReturnType<typeof open>) => clock.sleep(10 * minute),
		[10 * minute, 0],
	],
	[
		'the clock was set forward',
		({ clock }: ReturnType<typeof open>) => clock.jump(minute),
		[0, minute],
	],
	[
		'the clock was set back',
		({ clock }: ReturnType<typeof open>) => clock.jump(-minute),
		[0, -minute],
	],
	['the machine was busy', ({ clock }: ReturnType<typeof open>) => clock.sleep(4_000), []],
	['the clock was corrected', ({ clock }: ReturnType<typeof open>) => clock.jump(-500), []],
] as const)('where %s, what jumped is noticed within a second', (_, happen, expected) => {
	const opened = open();
	opened.clock.move(minute);
	happen(opened);
	opened.clock.move(1_000);
	expect(opened.seen).toEqual(expected);
	opened.clock.move(minute);
	expect(opened.seen).toEqual(expected);
});

test('a sleep is noticed at once by what asks, and only once', () => {
	const { clock, jumps, seen, stop } = open();
	clock.move(400);
	clock.sleep(minute);
	jumps.check();
	expect(seen).toEqual([minute - 600, 0]);
	clock.move(minute);
	expect(seen).toHaveLength(2);
	stop();
	expect(clock.waiting).toBe(0);
});
