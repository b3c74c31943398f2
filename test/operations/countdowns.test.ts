import { expect, test } from 'vitest';
import { createCountdowns } from '../../source/operations/countdowns.ts';
import { createHeldClock } from '../held-clock.ts';

function opened() {
	const clock = createHeldClock();
	const told: string[] = [];
	const countdowns = createCountdowns(clock);
	countdowns.begin(4_000, {
		onHeld: left => told.push(`held at ${left}`),
		onRestart: until => told.push(`until ${until - clock.now()}`),
		onOver: wasAwake => told.push(wasAwake ? 'over' : 'slept through'),
	});
	return { clock, told, countdowns };
}

test('a countdown that is seen ends once, at its end', () => {
	const { clock, told, countdowns } = opened();
	countdowns.release();
	clock.move(3_999);
	expect(told).toEqual([]);
	clock.move(60_000);
	expect(told).toEqual(['over']);
});

test('a countdown that is held starts again from its full time, however often that happens', () => {
	const { clock, told, countdowns } = opened();
	for (const seen of [3_000, 0, 3_999]) {
		clock.move(seen);
		countdowns.hold();
		clock.move(100_000);
		countdowns.release();
	}
	expect(told).toEqual([
		...['held at 1000', 'until 4000'],
		...['held at 4000', 'until 4000'],
		...['held at 1', 'until 4000'],
	]);
	clock.move(4_000);
	expect(told.at(-1)).toBe('over');
	expect(clock.waiting).toBe(0);
});

test('what needs no person to see it is not held', () => {
	const { clock, told, countdowns } = opened();
	countdowns.hold();
	countdowns.later(30_000, () => told.push('later'));
	clock.move(30_000);
	expect(told).toEqual(['held at 4000', 'later']);
});

test('nothing ends after the program has, whatever was held', () => {
	const { clock, told, countdowns } = opened();
	countdowns.later(5_000, () => told.push('later'));
	countdowns.hold();
	countdowns.close();
	countdowns.release();
	clock.move(60_000);
	expect(told).toEqual(['held at 4000']);
	expect(clock.waiting).toBe(0);
});

test('a countdown that begins out of sight is held at its full time', () => {
	const clock = createHeldClock();
	const told: string[] = [];
	const countdowns = createCountdowns(clock);
	countdowns.hold();
	countdowns.begin(4_000, {
		onHeld: left => told.push(`held at ${left}`),
		onRestart: until => told.push(`until ${until - clock.now()}`),
		onOver: () => told.push('over'),
	});
	clock.move(3_600_000);
	expect(told).toEqual(['held at 4000']);
	countdowns.release();
	clock.move(4_000);
	expect(told).toEqual(['held at 4000', 'until 4000', 'over']);
});
