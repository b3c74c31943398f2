import { expect, test } from 'vitest';
import { createActivity } from '../../source/fleet/activity.ts';
import { createHeldClock } from '../held-clock.ts';

test('work counts from before it starts until it ends, and ends once', () => {
	const activity = createActivity();
	const [first, second] = [activity.begin(), activity.begin()];
	expect(activity.count).toBe(2);
	first();
	first();
	expect(activity.count).toBe(1);
	second();
	expect(activity.count).toBe(0);
	expect(activity.begun).toBe(2);
});

test('a promise counts until it settles, and its failure is passed on', async () => {
	const activity = createActivity();
	const work = activity.during(() => Promise.reject(new Error('broken')));
	expect(activity.count).toBe(1);
	await expect(work).rejects.toThrow('broken');
	expect(activity.count).toBe(0);
});

test('a rest is reported only when nothing at all is left', () => {
	const activity = createActivity();
	let rests = 0;
	const endNews = activity.onRest(() => {
		rests += 1;
	});
	const [first, second] = [activity.begin(), activity.begin()];
	first();
	expect(rests).toBe(0);
	second();
	expect(rests).toBe(1);
	endNews();
	activity.begin()();
	expect(rests).toBe(1);
});

test('what waits on a timed clock is under way until it is due or called off', () => {
	const activity = createActivity();
	const held = createHeldClock();
	const clock = activity.timing(held);
	const seen: number[] = [];
	clock.after(30, () => seen.push(activity.count));
	const callOff = clock.after(60, () => seen.push(-1));
	expect(activity.count).toBe(2);
	held.move(30);
	expect(seen).toEqual([2]);
	expect(activity.count).toBe(1);
	callOff();
	held.move(60);
	expect(activity.count).toBe(0);
	expect(seen).toHaveLength(1);
});
