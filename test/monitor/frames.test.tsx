import { Text } from 'ink';
import { render } from 'ink-testing-library';
import { expect, test } from 'vitest';
import { createStore } from 'zustand/vanilla';
import { CrashBoundary } from '../../source/monitor/drawn/App.tsx';
import { createTicker } from '../../source/monitor/drawn/show-monitor.tsx';
import { createThrottledStore, frameIntervalMs } from '../../source/monitor/monitor-data.ts';
import { emptyState } from '../../source/store/state.ts';
import { frameText } from '../frame-text.ts';
import { createHeldClock } from '../held-clock.ts';

test('a throttled store tells the first change at once, others once in a frame, and what is flushed never again', () => {
	const clock = createHeldClock();
	const store = createStore(() => emptyState);
	const throttled = createThrottledStore(store, clock);
	let notices = 0;
	throttled.subscribe(() => {
		notices += 1;
	});
	const noticesAfter = (changes: number, passing = 0) => {
		for (let each = 0; each < changes; each += 1) store.setState({ ...emptyState }, true);
		clock.move(passing);
		return notices;
	};
	expect([noticesAfter(5), noticesAfter(0, frameIntervalMs)]).toEqual([1, 2]);
	expect([noticesAfter(0, frameIntervalMs), noticesAfter(2)]).toEqual([2, 3]);
	throttled.flush();
	expect([notices, noticesAfter(0, frameIntervalMs)]).toEqual([4, 4]);
	noticesAfter(1);
	// A clock that is set back delays no frame.
	clock.jump(-60_000);
	expect(noticesAfter(1, frameIntervalMs)).toBe(6);
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
