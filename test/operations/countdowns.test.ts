import { expect, test } from 'vitest';
import { createCountdowns } from '../../source/operations/countdowns.ts';
import { createHeldClock } from '../held-clock.ts';

function openCountdown() {
	const clock = createHeldClock();
	const events: string[] = [];
	const countdowns = createCountdowns(clock);
	countdowns.begin(4_000, {
		onHeld: left => events.push(`held at ${left}`),
		onRestart: until => events.push(`until ${until - clock.now()}`),
		onEnd: wasAwake => events.push(wasAwake ? 'over' : 'slept through'),
	});
	return { clock, events, countdowns };
}

test('a visible countdown ends once, when its time is over', () => {
	const { clock, events, countdowns } = openCountdown();
	countdowns.release();
	clock.move(3_999);
	expect(events).toEqual([]);
	clock.move(60_000);
	expect(events).toEqual(['over']);
});

test('a countdown starts again with its full time after every hold', () => {
	const { clock, events, countdowns } = openCountdown();
	for (const seen of [3_000, 0, 3_999]) {
		clock.move(seen);
		countdowns.hold();
		clock.move(100_000);
		countdowns.release();
	}
	expect(events).toEqual([
		...['held at 1000', 'until 4000'],
		...['held at 4000', 'until 4000'],
		...['held at 1', 'until 4000'],
	]);
	clock.move(4_000);
	expect(events.at(-1)).toBe('over');
	expect(clock.waiting).toBe(0);
});

test('a plain timer continues while countdowns are held', () => {
	const { clock, events, countdowns } = openCountdown();
	countdowns.hold();
	countdowns.startTimer(30_000, () => events.push('later'));
	clock.move(30_000);
	expect(events).toEqual(['held at 4000', 'later']);
});

test('no countdown ends after the countdowns are closed', () => {
	const { clock, events, countdowns } = openCountdown();
	countdowns.startTimer(5_000, () => events.push('later'));
	countdowns.hold();
	countdowns.close();
	countdowns.release();
	clock.move(60_000);
	expect(events).toEqual(['held at 4000']);
	expect(clock.waiting).toBe(0);
});

test('a countdown that begins while countdowns are held keeps its full time', () => {
	const clock = createHeldClock();
	const events: string[] = [];
	const countdowns = createCountdowns(clock);
	countdowns.hold();
	countdowns.begin(4_000, {
		onHeld: left => events.push(`held at ${left}`),
		onRestart: until => events.push(`until ${until - clock.now()}`),
		onEnd: () => events.push('over'),
	});
	clock.move(3_600_000);
	expect(events).toEqual(['held at 4000']);
	countdowns.release();
	clock.move(4_000);
	expect(events).toEqual(['held at 4000', 'until 4000', 'over']);
});
