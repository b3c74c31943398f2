import { expect, test } from 'vitest';
import { createStore } from 'zustand/vanilla';
import { createThrottledStore, frameIntervalMs } from '../../source/monitor/joined-store.ts';
import { emptyState } from '../../source/store/state.ts';
import { createHeldClock } from '../held-clock.ts';

function opened() {
	const clock = createHeldClock();
	const store = createStore(() => emptyState);
	const throttled = createThrottledStore(store, clock);
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

test('a clock that is set back delays no frame', () => {
	const { clock, change, notices } = opened();
	change();
	clock.jump(-60_000);
	change();
	clock.move(frameIntervalMs);
	expect(notices()).toBe(2);
});
