import { expect, test } from 'vitest';
import { createCountdowns } from '../../source/operations/countdowns.ts';
import { createHeldClock } from '../held-clock.ts';

function opened() {
	const clock = createHeldClock();
	const told: string[] = [];
	const countdowns = createCountdowns(clock);
	countdowns.begin(4_000, {
		onAnew: until => told.push(`until ${until - clock.now()}`),
		onOver: wasAwake => told.push(wasAwake ? 'over' : 'slept through'),
	});
	return { clock, told, countdowns };
}

test('a countdown that is seen ends once, at its end', () => {
	const { clock, told, countdowns } = opened();
	countdowns.show();
	clock.move(3_999);
	expect(told).toEqual([]);
	clock.move(60_000);
	expect(told).toEqual(['over']);
});

test('however often it is hidden, it is seen from its beginning to its end', () => {
	const { clock, told, countdowns } = opened();
	for (const seen of [3_000, 0, 3_999]) {
		clock.move(seen);
		countdowns.hide();
		clock.move(100_000);
		countdowns.show();
	}
	expect(told).toEqual(['until 4000', 'until 4000', 'until 4000']);
	clock.move(4_000);
	expect(told.at(-1)).toBe('over');
	expect(clock.waiting).toBe(0);
});

test('what nobody has to see is not held up', () => {
	const { clock, told, countdowns } = opened();
	countdowns.hide();
	countdowns.later(30_000, () => told.push('later'));
	clock.move(30_000);
	expect(told).toEqual(['later']);
});

test('nothing is over after the end of the program, whatever was hidden', () => {
	const { clock, told, countdowns } = opened();
	countdowns.later(5_000, () => told.push('later'));
	countdowns.hide();
	countdowns.close();
	countdowns.show();
	clock.move(60_000);
	expect(told).toEqual([]);
	expect(clock.waiting).toBe(0);
});
