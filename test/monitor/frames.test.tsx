import { Text } from 'ink';
import { render } from 'ink-testing-library';
import { expect, test } from 'vitest';
import { createStore } from 'zustand/vanilla';
import { CrashBoundary } from '../../source/monitor/drawn/App.tsx';
import { createTicker } from '../../source/monitor/drawn/show-monitor.tsx';
import { createThrottledStore, frameIntervalMs } from '../../source/monitor/joined-store.ts';
import { emptyState } from '../../source/store/state.ts';
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
	const change = () => store.setState({ ...emptyState }, true);
	/** The notices once the time of a frame has passed. */
	const later = () => {
		clock.move(frameIntervalMs);
		return notices;
	};
	return { clock, throttled, change, notices: () => notices, later };
}

test('a throttled store notifies of the first change at once, and once of all others within the time of a frame', () => {
	const { change, notices, later } = opened();
	for (let each = 0; each < 5; each += 1) change();
	expect([notices(), later(), later()]).toEqual([1, 2, 2]);
	change();
	expect(notices()).toBe(3);
});

test('a throttled store notifies at once when it is flushed, and not again later', () => {
	const { throttled, change, notices, later } = opened();
	change();
	change();
	throttled.flush();
	expect([notices(), later()]).toEqual([2, 2]);
});

test('a clock that is set back delays no frame', () => {
	const { clock, change, later } = opened();
	change();
	clock.jump(-60_000);
	change();
	expect(later()).toBe(2);
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
