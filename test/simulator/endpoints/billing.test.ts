import { expect, test } from 'vitest';
import { days, hours, openSimulator, seconds, valueAt } from '../open-simulator.ts';

test('active computers burn credits', async () => {
	const { world, clock, post, path } = await openSimulator({ computers: 0 });
	world.add({ name: 'one' });
	world.add({ name: 'two', state: 'stopped' });
	const burned = () => {
		const before = world.balance().total;
		clock.move(hours(1));
		return before - world.balance().total;
	};
	const ofOne = burned();
	expect(ofOne).toBeCloseTo(0.0482, 6);
	await post(`${path('two')}/start`);
	clock.move(seconds(15));
	// Both computers are kept in use, because an idle computer would fall asleep.
	for (const computer of world.computers()) computer.isAlwaysInUse = true;
	expect(burned()).toBeCloseTo(2 * ofOne, 6);
});

test('when the credits are used up, active computers stop and none starts until a payment', async () => {
	const { world, clock, get, post, path, open } = await openSimulator({ computers: 24 });
	world.setCredits(0.5);
	clock.move(hours(1));
	expect(world.computers().filter(({ state }) => state === 'active')).toEqual([]);
	expect(world.get('atlas')).toMatchObject({ state: 'stopped', stoppedBy: 'credits' });
	clock.move(hours(10));
	expect(world.get('cygnus')).toMatchObject({ state: 'stopped', stoppedBy: 'idleness' });
	expect((await get('/billing/credits')).body).toMatchObject({
		credits: { total: 0, can_run: false },
	});
	for (const [asked, body] of [
		[`${path('atlas')}/start`, undefined],
		['/platform/sandbox', { provider: 'opensandbox' }],
	] as const) {
		expect(await post(asked, body)).toMatchObject({ status: 402 });
	}

	const payment = await post('/billing/checkout', { credits: 40 });
	const page = new URL(String(valueAt(payment.body, 'url'))).pathname;
	expect(await open(page)).toMatchObject({ status: 200 });
	expect(await open(page)).toMatchObject({ status: 200 });
	expect((await get('/billing/credits')).body).toMatchObject({
		credits: { total: 40, can_run: true },
	});
	expect(await post(`${path('atlas')}/start`)).toMatchObject({ status: 200 });
	expect(await open('/pay/cs_nothing')).toMatchObject({ status: 404 });
});

test('daily and monthly credits arrive on time and are spent before paid credits', async () => {
	const { world, clock } = await openSimulator({ computers: 0, plan: 'pro' });
	world.setCredits(7);
	clock.move(hours(40) - 1);
	world.setCredits(7);
	expect(world.balance().daily).toBe(0);
	clock.move(1);
	expect(world.balance()).toMatchObject({ daily: 2, monthly: 0, extra: 7 });
	clock.move(days(10));
	expect(world.balance()).toMatchObject({ daily: 2, monthly: 20, extra: 7, total: 29 });
	world.add({ name: 'one' }).isAlwaysInUse = true;
	world.wake('one');
	clock.move(hours(10));
	expect(world.balance()).toMatchObject({ monthly: 20, extra: 7 });
	expect(world.balance().daily).toBeLessThan(1.6);
});

test('the platform refuses to start billing without a payment method', async () => {
	const { post, open } = await openSimulator({ plan: 'free', shapes: { error: 'coded' } });
	const refused = await post('/billing/setup/initialize', {});
	expect(refused).toMatchObject({ status: 402, body: { code: 'no_payment_method' } });
	const portal = new URL(String(valueAt(refused.body, 'portal_url'))).pathname;
	await open(portal);
	expect(await post('/billing/setup/initialize', {})).toMatchObject({ status: 200 });
});

test.each([[{ credits: 0 }], [{ credits: '10' }], [{ credits: 1e6 }]])(
	'the platform refuses a checkout request if its body is %j',
	async body => {
		const { post } = await openSimulator();
		expect(await post('/billing/checkout', body)).toMatchObject({ status: 400 });
	},
);

test('the platform releases a newer version with notes every one to two weeks', async () => {
	const { world, clock, get } = await openSimulator({ computers: 0 });
	clock.move(days(365));
	const releases = world.releases();
	const gaps = releases.slice(1).map(({ releasedAt }, index) => {
		return (releasedAt - (releases[index]?.releasedAt ?? 0)) / days(1);
	});
	expect(releases.length).toBeGreaterThan(26);
	expect(Math.min(...gaps)).toBeGreaterThanOrEqual(7);
	expect(Math.max(...gaps)).toBeLessThanOrEqual(14);
	expect(new Set(releases.map(({ version }) => version)).size).toBe(releases.length);
	const latest = releases.at(-1);
	expect(latest?.changes.length).toBeGreaterThan(0);
	expect((await get('/platform/sandbox/version/latest')).body).toMatchObject({
		version: latest?.version,
		title: latest?.title,
	});
});
