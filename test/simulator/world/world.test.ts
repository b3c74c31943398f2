import { expect, test } from 'vitest';
import { advanceTo } from '../../../source/simulator/world/advance.ts';
import { changeCredits } from '../../../source/simulator/world/credits.ts';
import type { Plan } from '../../../source/simulator/world/plans.ts';
import { addFleet } from '../../../source/simulator/world/population.ts';
import { createWorld } from '../../../source/simulator/world/world.ts';
import { createWorldState } from '../../../source/simulator/world/world-state.ts';
import { createHeldClock } from '../../held-clock.ts';
import { days, hours, minutes, seconds } from '../open-simulator.ts';

const build = (computers: number, seed = 1, plan: Plan = 'pro') => {
	const clock = createHeldClock();
	return { clock, world: createWorld({ seed, computers, plan }, clock) };
};

type Built = ReturnType<typeof build>;

const picture = ({ world }: Built) =>
	JSON.stringify([
		world.computers(),
		world.deletedComputers(),
		world.balance(),
		world.releases(),
		world.now(),
	]);

/** Performs fixed operations at fixed times, with or without reads between them. */
function lived(seed: number, look: (built: Built) => void): string {
	const built = build(40, seed);
	const { clock, world } = built;
	const pause = (length: number) => {
		for (let step = 0; step < 10; step++) {
			clock.move(length / 10);
			look(built);
		}
	};
	pause(minutes(3));
	world.create('mine');
	pause(minutes(2));
	world.operate('stop', world.get('atlas'));
	pause(hours(30));
	world.operate('start', world.get('atlas'));
	world.fail('hydra');
	pause(days(12));
	return picture(built);
}

test('the same seed and the same operations give the same world, however often the world is read', () => {
	const unseen = lived(7, () => {});
	const watched = lived(7, ({ world }) =>
		[...world.computers()].reverse().map(({ id }) => world.find(id)),
	);
	expect(watched).toBe(unseen);
	expect(lived(8, () => {})).not.toBe(unseen);
});

test('adding a computer to the fleet does not change the other computers', () => {
	const [some, more] = [build(30), build(31)];
	for (const { clock } of [some, more]) clock.move(hours(9));
	expect(more.world.computers().slice(0, 30)).toEqual(some.world.computers());
});

test.each([0, 1, 7, 1_000])(
	'a simulated world that is created with %d computers has that many computers',
	count => {
		const { world } = build(count);
		const ids = new Set(world.computers().map(({ id }) => id));
		const names = new Set(world.computers().map(({ name }) => name));
		expect([ids.size, names.size]).toEqual([count, count]);
		expect([...ids].every(id => /^sb_[a-z0-9]{12}$/.test(id))).toBe(true);
	},
);

test('the first two dozen computers of a fleet include every state', () => {
	const { world } = build(24);
	const counted = (state: string) =>
		world.computers().filter(computer => computer.state === state).length;
	expect(['active', 'provisioning', 'stopped', 'error', 'stopping'].map(counted)).toEqual([
		17, 2, 3, 1, 1,
	]);
	const outdated = world.computers().filter(({ version }) => version === '1.3.9');
	expect(outdated.map(({ name }) => name)).toEqual(['cygnus', 'fornax', 'quaoar']);
});

test('the state of the world changes only at events', () => {
	const { clock, world } = build(24);
	world.computers();
	expect(clock.waiting).toBe(0);
});

test('simulating a week of a thousand computers takes one step per event', () => {
	const start = Date.UTC(2026, 10, 21, 8);
	const state = createWorldState({ seed: 1, computers: 1_000, plan: 'pro' }, start);
	addFleet(state, 1_000);
	changeCredits(state.creditAccount, start, { daily: 0, monthly: 0, extra: 1e9 });
	// Each computer starts, falls asleep and wakes up about twelve times a day.
	const events = advanceTo(state, start + days(7));
	expect(events).toBeGreaterThan(1_000);
	expect(events).toBeLessThanOrEqual(7 * 16 * 1_000);
	expect(advanceTo(state, start + days(7))).toBe(0);
});

test('a test can add, remove, wake, stop and break the computers of the simulated world', () => {
	const { clock, world } = build(3);
	const added = world.add({ name: 'guest', state: 'stopped', version: '1.3.7', ports: [99] });
	expect(world.get('guest')).toBe(added);
	world.wake('guest');
	clock.move(seconds(15));
	expect(world.find(added.id)).toMatchObject({ state: 'active', version: '1.3.7' });
	world.sleep('guest');
	clock.move(seconds(6));
	expect(world.get('guest')).toMatchObject({ state: 'stopped', stoppedBy: 'idleness' });
	world.fail('guest', 'gone wrong');
	expect(world.get('guest')).toMatchObject({ state: 'error', error: 'gone wrong' });
	world.remove('guest');
	expect(world.find(added.id)).toBeUndefined();
	expect(() => world.get('guest')).toThrow('no computer guest');
	expect(world.add({ state: 'provisioning' }).state).toBe('provisioning');
	expect(world.publishRelease('2.0.0')).toBe(world.releases().at(-1));
});
