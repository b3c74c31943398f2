import { expect, test } from 'vitest';
import { createSlownessDetector } from '../../source/terminal/features/terminal-state.ts';
import { createHeldClock } from '../held-clock.ts';

function openSlowness() {
	const clock = createHeldClock();
	const said: boolean[] = [];
	return { clock, said, tookFrame: createSlownessDetector(clock, isSlow => said.push(isSlow)) };
}

test('a terminal that takes half a second to read a frame counts as slow', () => {
	const { said, tookFrame } = openSlowness();
	tookFrame(499);
	expect(said).toEqual([]);
	tookFrame(500);
	expect(said).toEqual([true]);
});

test('a slow terminal counts as slow until it has read all frames quickly for a minute', () => {
	const { clock, said, tookFrame } = openSlowness();
	tookFrame(800);
	clock.move(59_000);
	tookFrame(900);
	clock.move(59_999);
	tookFrame(10);
	expect(said).toEqual([true, true]);
	clock.move(1);
	expect(said).toEqual([true, true, false]);
	expect(clock.waiting).toBe(0);
});
