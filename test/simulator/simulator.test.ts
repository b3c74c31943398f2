import { networkInterfaces } from 'node:os';
import { expect, test } from 'vitest';
import { createEndpoint } from '../../source/simulator/endpoints/endpoint.ts';
import { createSimulator } from '../../source/simulator/simulator.ts';
import { plans, World } from '../../source/simulator/world/world.ts';
import { createHeldClock } from '../held-clock.ts';
import { days, hours, minutes, openSimulator } from './open-simulator.ts';

test('the simulator listens on the requested port, and fails if another process uses the port', async () => {
	const { simulator } = await openSimulator();
	const port = Number(new URL(simulator.baseUrl).port);
	await expect(createSimulator({ clock: createHeldClock(), port })).rejects.toThrow('EADDRINUSE');
	await simulator.close();
	const next = await createSimulator({ clock: createHeldClock(), port });
	expect(next.baseUrl).toBe(`http://127.0.0.1:${port}/v1`);
	await next.close();
});

test('the simulator listens on loopback only', async () => {
	const { simulator } = await openSimulator();
	const { port } = new URL(simulator.baseUrl);
	const outside = Object.values(networkInterfaces())
		.flatMap(each => each ?? [])
		.filter(({ internal, family }) => !internal && family === 'IPv4');
	for (const address of ['127.0.0.2', ...outside.map(each => each.address)]) {
		await expect(fetch(`http://${address}:${port}/portal`)).rejects.toThrow();
	}
	expect(await fetch(`http://127.0.0.1:${port}/portal`)).toMatchObject({ status: 200 });
});

test('a throttled sign-in is refused with the identity provider’s own error code', async () => {
	const { simulator, signIn } = await openSimulator();
	simulator.setFaults([{ target: 'sign-in', kind: 'throttle' }]);
	expect(await signIn()).toMatchObject({
		status: 429,
		body: { code: 429, error_code: 'over_request_rate_limit' },
	});
});

test('an error in an endpoint is answered with status 500, and the simulator answers the next request', async () => {
	const broken = createEndpoint(
		'page',
		'GET /broken',
		() => {
			throw new Error('out of order');
		},
		'public',
	);
	const { open } = await openSimulator({ endpoints: [broken] });
	expect(await open('/broken')).toMatchObject({
		status: 500,
		body: { error: { message: 'out of order' } },
	});
	expect(await open('/portal')).toMatchObject({ status: 200 });
});

function openWorld() {
	const clock = createHeldClock(Date.UTC(2026, 10, 28, 8));
	return { clock, world: new World(1, 'pro', clock) };
}

test('the daily credits are renewed at midnight, the monthly ones when a month begins, and the others stay', () => {
	const { clock, world } = openWorld();
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
	const { clock, world } = openWorld();
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
	const { clock, world } = openWorld();
	world.setCredits(0.01);
	world.add();
	clock.move(hours(1));
	const before = { now: world.now(), total: world.balance().total };
	clock.jump(-hours(12));
	expect({ now: world.now(), total: world.balance().total }).toEqual(before);
});
