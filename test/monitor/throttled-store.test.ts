import { expect, test } from 'vitest';
import { createStore } from 'zustand/vanilla';
import { createThrottledStore, frameIntervalMs } from '../../source/monitor/joined-store.ts';
import { emptyState } from '../../source/store/state.ts';
import { createHeldClock } from '../held-clock.ts';

function opened(intervalIn?: () => number) {
	const clock = createHeldClock();
	const store = createStore(() => emptyState);
	const throttled = createThrottledStore(store, clock, () => true, intervalIn);
	let notices = 0;
	const unsubscribe = throttled.subscribe(() => {
		notices += 1;
	});
	return {
		clock,
		throttled,
		unsubscribe,
		change: () => store.setState({ ...emptyState }, true),
		notices: () => notices,
	};
}

test('a throttled store notifies of the first change at once', () => {
	const { change, notices } = opened();
	change();
	expect(notices()).toBe(1);
});

test('a throttled store notifies once of all changes within the time of a frame', () => {
	const { clock, change, notices } = opened();
	for (let each = 0; each < 5; each += 1) change();
	expect(notices()).toBe(1);
	clock.move(frameIntervalMs);
	expect(notices()).toBe(2);
	clock.move(frameIntervalMs);
	expect(notices()).toBe(2);
	change();
	expect(notices()).toBe(3);
});

test('a throttled store waits longer in a state with a longer interval, and no longer than the next state demands', () => {
	let intervalMs = 100;
	const { clock, change, notices } = opened(() => intervalMs);
	change();
	clock.move(100 - frameIntervalMs - 1);
	expect(notices()).toBe(0);
	clock.move(1);
	expect(notices()).toBe(1);
	change();
	clock.move(50);
	change();
	expect(notices()).toBe(1);
	intervalMs = frameIntervalMs;
	change();
	expect(notices()).toBe(2);
	clock.move(100);
	expect(notices()).toBe(2);
});

test('a throttled store returns the newest state even before its subscribers are notified', () => {
	const { throttled, change } = opened();
	change();
	const before = throttled.getState();
	change();
	expect(throttled.getState()).not.toBe(before);
});

test('a throttled store notifies at once when it is flushed, and not again later', () => {
	const { clock, throttled, change, notices } = opened();
	change();
	change();
	throttled.flush();
	expect(notices()).toBe(2);
	clock.move(frameIntervalMs);
	throttled.flush();
	expect(notices()).toBe(2);
});

test('a throttled store notifies at once after the clock was set back', () => {
	const { clock, change, notices } = opened();
	change();
	clock.jump(-60_000);
	change();
	expect(notices()).toBe(2);
});

test('a throttled store notifies no subscriber after it was closed or the subscription has ended', () => {
	const { clock, throttled, unsubscribe, change, notices } = opened();
	change();
	change();
	throttled.close();
	clock.move(frameIntervalMs);
	change();
	expect(notices()).toBe(1);
	const other = opened();
	other.unsubscribe();
	other.change();
	expect(other.notices()).toBe(0);
	unsubscribe();
});

test('a throttled store waits as long as its last frame took, so that a burst of answers leaves time for keys', async () => {
	const { clock, throttled, change, notices } = opened();
	const stopDrawing = throttled.subscribe(() => clock.jump(50));
	change();
	await Promise.resolve();
	// Twenty answers arrive, each in a turn of its own, while the next frame waits.
	for (let answer = 0; answer < 20; answer += 1) {
		clock.jump(2);
		change();
	}
	expect(notices()).toBe(1);
	clock.move(50);
	expect(notices()).toBe(2);
	throttled.flush();
	expect(notices()).toBe(2);
	change();
	throttled.flush();
	expect(notices()).toBe(3);
	stopDrawing();
});
