import { Text } from 'ink';
import { render } from 'ink-testing-library';
import { expect, test } from 'vitest';
import { createStore } from 'zustand/vanilla';
import { createThrottledStore, frameIntervalMs } from '../../source/monitor/joined-store.ts';
import { createTicker } from '../../source/monitor/show-monitor.tsx';
import { emptyState } from '../../source/store/state.ts';
import { CrashBoundary } from '../../source/views/App.tsx';
import { frameText } from '../frame-text.ts';
import { createHeldClock } from '../held-clock.ts';

function opened() {
	const clock = createHeldClock();
	const store = createStore(() => emptyState);
	const throttled = createThrottledStore(store, clock);
	let notices = 0;
	throttled.subscribe(() => {
		notices += 1;
	});
	return {
		clock,
		throttled,
		change: () => store.setState({ ...emptyState }, true),
		notices: () => notices,
	};
}

test('a throttled store notifies of the first change at once, and once of all others within the time of a frame', () => {
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

test('the ticker ticks at the full second until it is stopped', () => {
	const clock = createHeldClock(Date.UTC(2026, 10, 21, 8, 0, 0, 400));
	const ticker = createTicker(clock);
	const seconds: number[] = [];
	ticker.subscribe(() => seconds.push(new Date(ticker.now()).getUTCSeconds()));
	clock.move(2000);
	ticker.stop();
	clock.move(2000);
	expect(seconds).toEqual([1, 2]);
});

test('an error in a view is reported, and nothing of it is drawn', () => {
	const failure = new Error('a view failed');
	const reported: unknown[] = [];
	const screenOf = (isFailing: boolean) => (
		<CrashBoundary onCrash={error => reported.push(error)}>
			<Text>fleet</Text>
			{isFailing && <Failing error={failure} />}
		</CrashBoundary>
	);
	const { rerender, lastFrame } = render(screenOf(false));
	expect(frameText(lastFrame() ?? '')).toContain('fleet');
	rerender(screenOf(true));
	expect(reported).toEqual([failure]);
	expect(frameText(lastFrame() ?? '').trim()).toBe('');
});

function Failing({ error }: { error: Error }): never {
	throw error;
}
