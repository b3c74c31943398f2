import { expect, test } from 'vitest';
import { createActivity } from '../../source/foundation/activity.ts';
import { createHeldClock } from '../held-clock.ts';

test('an activity counts work until the work ends, and ignores a second end', () => {
	const activity = createActivity();
	const [first, second] = [activity.begin(), activity.begin()];
	expect(activity.pendingCount).toBe(2);
	first();
	first();
	expect(activity.pendingCount).toBe(1);
	second();
	expect(activity.pendingCount).toBe(0);
	expect(activity.startedCount).toBe(2);
});

test('an activity reports that it is idle only when no work is left', () => {
	const activity = createActivity();
	let rests = 0;
	const unsubscribe = activity.onIdle(() => {
		rests += 1;
	});
	const [first, second] = [activity.begin(), activity.begin()];
	first();
	expect(rests).toBe(0);
	second();
	expect(rests).toBe(1);
	unsubscribe();
	activity.begin()();
	expect(rests).toBe(1);
});

test('an activity counts a timer until it fires or is cancelled', () => {
	const activity = createActivity();
	const held = createHeldClock();
	const clock = activity.wrapClock(held);
	const seen: number[] = [];
	clock.after(30, () => seen.push(activity.pendingCount));
	const cancel = clock.after(60, () => seen.push(-1));
	expect(activity.pendingCount).toBe(2);
	held.move(30);
	expect(seen).toEqual([2]);
	expect(activity.pendingCount).toBe(1);
	cancel();
	held.move(60);
	expect(activity.pendingCount).toBe(0);
	expect(seen).toHaveLength(1);
});
