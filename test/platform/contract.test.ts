import { describe, expect, onTestFinished, test } from 'vitest';
import { phaseOf } from '../../source/fleet/computers/computer.ts';
import { createPlatform } from '../../source/platform/platform.ts';
import {
	createSimulator,
	type Fault,
	type Shapes,
	shapeNames,
} from '../../source/simulator/simulator.ts';
import { minute } from '../durations.ts';
import { createHeldClock } from '../held-clock.ts';
import { createUnlimitedRateLimiter } from '../unlimited-rate-limiter.ts';
import { directFetch } from './clients.ts';
import { failureOf, readOptions } from './platform-at.ts';

async function signedIn(options: {
	shapes?: Partial<Shapes>;
	computers?: number;
	faults?: readonly Fault[];
}) {
	const clock = createHeldClock();
	const limits = { create: 1000, status: 1000, other: 10_000 };
	const simulator = await createSimulator({ clock, limits, computers: 7, ...options });
	const gate = createUnlimitedRateLimiter();
	const { authUrl, anonKey, email, password } = simulator;
	const platform = createPlatform({
		baseUrl: simulator.baseUrl,
		credentials: { kind: 'password', authUrl, anonKey, email, password: async () => password },
		rateLimiter: gate,
		clock,
		fetch: directFetch,
	});
	onTestFinished(() => {
		platform.close();
		return simulator.close();
	});
	return { clock, simulator, world: simulator.world, platform, gate };
}

/** Calls every endpoint once, and compares each result with the simulator's world. */
async function useEverything(
	{ clock, world, platform }: Awaited<ReturnType<typeof signedIn>>,
	shapes: Shapes,
) {
	const asking = readOptions();
	const expectPhase = (id: string, status: string | undefined) => {
		expect(status).toBeTruthy();
		if (shapes.words === 'canonical') expect(phaseOf(status)).toBe(phaseOf(world.find(id)?.state));
	};

	const { computers } = await platform.listComputers(asking);
	const expected = shapes.list === 'single' ? world.computers().slice(0, 1) : world.computers();
	expect(computers.map(({ id }) => id).sort()).toEqual(expected.map(({ id }) => id).sort());
	for (const { id, status } of computers) expectPhase(id, status);
	for (const { id } of computers.slice(0, 3)) {
		expect((await platform.readComputer(id, asking)).id).toBe(id);
		const status = await platform.readStatus(id, asking);
		expect(status.id).toBe(id);
		expectPhase(id, status.status);
	}

	const created = await platform.operate({ operation: 'create', name: 'contract' }, asking);
	expect(world.find(created.reading?.id ?? '')?.state).toBe('provisioning');

	const { id } = world.add({ name: 'worker', version: '0.0.1' });
	for (const [action, state, settled] of [
		['stop', 'stopping', 'stopped'],
		['start', 'starting', 'active'],
		['restart', 'restarting', 'active'],
	] as const) {
		await platform.operate({ operation: action, computer: id }, asking);
		expect(world.find(id)?.state).toBe(state);
		clock.move(minute);
		expect(world.find(id)?.state).toBe(settled);
	}

	const { version } = await platform.readAccount('release', asking);
	expect(version).toBe(world.releases().at(-1)?.version);
	await platform.operate({ operation: 'update', computer: id, version }, asking);
	clock.move(3 * minute);
	expect(world.find(id)).toMatchObject({ state: 'active', version });

	const wish = { computer: id, port: 8080 };
	const { published } = await platform.operate({ operation: 'publish', ...wish }, asking);
	expect(published?.port).toBe(8080);
	expect(await platform.visitPort(id, 8080, asking)).toBe(true);
	await platform.operate({ operation: 'unpublish', ...wish }, asking);
	expect(await platform.visitPort(id, 8080, asking)).toBe(false);

	await platform.operate({ operation: 'delete', computer: id }, asking);
	clock.move(minute);
	expect(world.find(id)).toBeUndefined();

	const models = await platform.readAccount('models', asking);
	const prices = { inputPrice: expect.any(Number), outputPrice: expect.any(Number) };
	expect(models.length).toBeGreaterThan(0);
	for (const model of models) expect(model).toMatchObject(prices);

	await platform.initializeBilling(asking);
	const page = await platform.openPayment(asking);
	expect((await fetch(page.url)).status).toBe(200);
	expect((await platform.readAccount('credits', asking)).balance).toBeCloseTo(
		world.balance().total,
		1,
	);
	const hasNone = shapes.subscription === 'null' || shapes.subscription === 'empty';
	const subscription = await platform.readAccount('subscription', asking);
	expect(subscription?.plan).toBe(hasNone ? undefined : 'pro');
}

// Each service uses one shape for each kind of response, so that the services together use all of them. Each list of shapes
// starts at another offset, so that the shapes are combined.
const services = Array.from(
	{ length: Math.max(...Object.values(shapeNames).map(({ length }) => length)) },
	(_, service) =>
		Object.fromEntries(
			Object.entries(shapeNames).map(([name, values], at) => [
				name,
				values[(service + at) % values.length],
			]),
		) as Shapes,
);

describe('the client', () => {
	test.each(services.map((shapes, service) => ({ service, shapes })))(
		'reads every response of the service $service, which has shapes of its own',
		async ({ shapes }) => {
			const opened = await signedIn({ shapes });
			await useEverything(opened, shapes);
			const scopes = opened.simulator.requests.flatMap(({ scope, path }) => {
				if (path.startsWith('/v1/p/')) return ['other'];
				return scope === 'auth' || scope === 'public' ? [] : [scope];
			});
			expect(opened.gate.requests.map(({ scope }) => scope).sort()).toEqual(scopes.sort());
			// The rate limiter does not see the responses of a customer's application.
			const unseen = opened.gate.requests.filter(({ status }) => status === undefined);
			expect(unseen).toHaveLength(2);
		},
	);

	test.each(shapeNames.error)('reads every kind of refusal in the shape “%s”', async error => {
		const { platform, world } = await signedIn({ shapes: { error } });
		const asking = readOptions();
		const stopped = world.add({ state: 'stopped' });
		const active = world.add({ state: 'active' });
		const kindOf = async (promise: Promise<unknown>) => (await failureOf(promise)).kind;
		const refusalOf = (operation: string, computer: string, port?: number) =>
			kindOf(platform.operate({ operation, computer, port }, asking));
		expect(await kindOf(platform.readComputer('sb_nowhere', asking))).toBe('missing');
		expect(await kindOf(platform.readStatus('sb_nowhere', asking))).toBe('missing');
		expect(await refusalOf('delete', 'sb_nowhere')).toBe('missing');
		expect(await refusalOf('stop', stopped.id)).toBe('conflict');
		expect(await refusalOf('start', active.id)).toBe('conflict');
		expect(await refusalOf('publish', active.id, 70_000)).toBe('invalid');
		world.hasPaymentMethod = false;
		world.setCredits(0);
		expect(await refusalOf('start', stopped.id)).toBe('payment');
	});

	test.each(shapeNames.list)('reads an empty fleet in the shape “%s”', async list => {
		const { platform } = await signedIn({ shapes: { list }, computers: 0 });
		expect((await platform.listComputers(readOptions())).computers).toEqual([]);
	});

	test('renews an expired or refused token once, and repeats each request once', async () => {
		const { clock, simulator, platform } = await signedIn({});
		const credits = () => platform.readAccount('credits', readOptions());
		const countOf = (part: string) =>
			simulator.requests.filter(({ path }) => path.includes(part)).length;
		await credits();
		simulator.expireTokens();
		await Promise.all([credits(), credits(), credits(), credits()]);
		expect([countOf('/auth/'), countOf('/credits')]).toEqual([2, 9]);
		clock.move(2 * 3_600_000);
		await credits();
		expect(countOf('/auth/')).toBe(3);
		simulator.setFaults([{ target: 'credits', kind: 'unauthorized' }]);
		expect((await failureOf(credits())).kind).toBe('auth');
		expect(countOf('/credits')).toBe(12);
	});
});
