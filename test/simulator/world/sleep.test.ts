import { expect, test } from 'vitest';
import { days, hours, minutes, openSimulator, seconds } from '../open-simulator.ts';

test.each([
	{ plan: 'free' as const, idle: 15 },
	{ plan: 'pro' as const, idle: 30 },
	{ plan: 'power' as const, idle: 60 },
])('a computer on the $plan plan sleeps after $idle idle minutes', async ({ plan, idle }) => {
	const { world, clock } = await openSimulator({ computers: 0, plan });
	const mine = world.add({ name: 'mine' });
	mine.isAlwaysInUse = false;
	world.wake('mine');
	clock.move(seconds(15));
	const { inUseUntil } = world.get('mine');

	clock.move(inUseUntil + minutes(idle) - clock.now() - 1);
	expect(world.get('mine').state).toBe('active');
	clock.move(1);
	expect(world.get('mine')).toMatchObject({ state: 'stopping', stoppedBy: 'idleness' });
	clock.move(seconds(6));
	expect(world.get('mine').state).toBe('stopped');
});

test('no computer on the “ultra” plan sleeps', async () => {
	const { world, clock } = await openSimulator({ plan: 'ultra', computers: 0 });
	for (let made = 0; made < 20; made++) world.add();
	world.setCredits(1e9);
	clock.move(days(30));
	expect(world.computers().every(({ state }) => state === 'active')).toBe(true);
});

test('computers fall asleep and wake up by themselves, except those that their owner stopped', async () => {
	const { world, clock } = await openSimulator({ computers: 60 });
	world.setCredits(1e9);
	const stopped = world.computers().filter(({ stoppedBy }) => stoppedBy === 'owner');
	const asleep = new Set<string>();
	const awake = new Set<string>();
	for (let hour = 0; hour < 48; hour++) {
		clock.move(hours(1));
		for (const { name, state, stoppedBy } of world.computers()) {
			if (state === 'stopped' && stoppedBy === 'idleness') asleep.add(name);
			if (state === 'active' && asleep.has(name)) awake.add(name);
		}
	}
	expect(asleep.size).toBeGreaterThan(15);
	expect(awake.size).toBeGreaterThan(15);
	expect(stopped.map(({ name }) => world.get(name).state)).toEqual(stopped.map(() => 'stopped'));
});

test('a published page answers while its computer runs, wakes it from sleep, and is missing otherwise', async () => {
	const { world, clock, open, post, path } = await openSimulator({ computers: 0 });
	const { id } = world.add({ name: '<mine>' });
	const { body } = await post(`${path('<mine>')}/preview/start`, { port: 3000 });
	const [published] = world.get('<mine>').ports;
	expect(body).toMatchObject({ port: 3000, share_token: published?.shareToken });

	const application = () => open(`/v1/p/${id}/3000`);
	expect((await application()).text).toContain('&#60;mine&#62;');
	expect(await open(`/v1/p/share/${published?.shareToken}`)).toMatchObject({ status: 200 });
	expect(await open(`/v1/p/${id}/3001`)).toMatchObject({ status: 404 });
	expect(await open('/v1/p/sb_nobody/3000')).toMatchObject({ status: 404 });
	expect(await open('/v1/p/share/nothing')).toMatchObject({ status: 404 });

	world.sleep('<mine>');
	expect(await application()).toMatchObject({ status: 404 });
	clock.move(seconds(6));
	expect(await application()).toMatchObject({ status: 502 });
	expect(world.get('<mine>').state).toBe('starting');
	clock.move(seconds(15));
	expect(await application()).toMatchObject({ status: 200 });

	await post(`${path('<mine>')}/stop`);
	clock.move(hours(24));
	expect(await application()).toMatchObject({ status: 404 });
	expect(world.get('<mine>').state).toBe('stopped');

	expect(await post(`${path('<mine>')}/preview/stop`, { port: 3000 })).toMatchObject({
		status: 200,
	});
	expect(await post(`${path('<mine>')}/preview/stop`, { port: 3000 })).toMatchObject({
		status: 404,
	});
});

test('a visit to a published application keeps its computer awake', async () => {
	const { world, clock, open } = await openSimulator({ computers: 0 });
	const mine = world.add({ name: 'mine', ports: [80] });
	mine.isAlwaysInUse = false;
	world.wake('mine');
	for (let visit = 0; visit < 60; visit++) {
		clock.move(minutes(20));
		expect(await open(`/v1/p/${mine.id}/80`)).toMatchObject({ status: 200 });
	}
	clock.move(minutes(31));
	expect(world.get('mine').state).toBe('stopped');
});

test.each([[{}], [{ port: '80' }], [{ port: 0 }], [{ port: 65_536 }], [{ port: 1.5 }]])(
	'the platform refuses a request to publish a port if the request’s body is %j',
	async body => {
		const { post, path } = await openSimulator({ computers: 1 });
		expect(await post(`${path('atlas')}/preview/start`, body)).toMatchObject({ status: 400 });
		expect(await post(`${path('atlas')}/preview/stop`, body)).toMatchObject({ status: 400 });
	},
);
