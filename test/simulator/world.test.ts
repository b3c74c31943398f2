import { expect, test } from 'vitest';
import { plans, World } from '../../source/simulator/world/world.ts';
import { createHeldClock } from '../held-clock.ts';
import { days, hours, minutes } from './open-simulator.ts';

function open() {
	const clock = createHeldClock(Date.UTC(2026, 10, 28, 8));
	return { clock, world: new World(1, 'pro', clock) };
}

test('the daily credits are renewed at midnight, the monthly ones when a month begins, and the others stay', () => {
	const { clock, world } = open();
	world.setCredits(5);
	clock.move(hours(16) - 1);
	expect(world.balance()).toMatchObject({ daily: 0, monthly: 0, extra: 5 });
	clock.move(1);
	expect(world.balance()).toMatchObject({ daily: plans.pro.daily, monthly: 0, extra: 5 });
	clock.move(days(2));
	const { daily, monthly } = plans.pro;
	expect(world.balance()).toEqual({ daily, monthly, extra: 5, total: daily + monthly + 5 });
});

test('computers stop when the credits are used up, also if nobody asked at that time', () => {
	const { clock, world } = open();
	const { id } = world.add();
	world.get(id).isAlwaysInUse = true;
	world.setCredits(0.0482);
	clock.move(hours(1) - minutes(1));
	expect(world.get(id).state).toBe('active');
	const start = clock.now() + minutes(1);
	clock.move(hours(3));
	const { state, stoppedBy, stateSince } = world.get(id);
	expect({ state, stoppedBy }).toEqual({ state: 'stopped', stoppedBy: 'credits' });
	expect(stateSince - start).toBeGreaterThan(1_000);
	expect(stateSince - start).toBeLessThan(7_000);
	expect(world.balance().total).toBe(0);
});

test('a clock that is set back brings nothing back', () => {
	const { clock, world } = open();
	world.setCredits(0.01);
	world.add();
	clock.move(hours(1));
	const before = { now: world.now(), total: world.balance().total };
	clock.jump(-hours(12));
	expect({ now: world.now(), total: world.balance().total }).toEqual(before);
});
