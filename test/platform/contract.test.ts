import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { phaseOf } from '../../source/fleet/computers/computer.ts';
import { PlatformError } from '../../source/platform/decoding/platform-error.ts';
import { createPlatform, type Platform } from '../../source/platform/platform.ts';
import {
	createSimulator,
	type Fault,
	type Shapes,
	type Simulator,
	shapeNames,
} from '../../source/simulator/simulator.ts';
import { createHeldClock, type HeldClock } from '../held-clock.ts';
import { createUnlimitedRateLimiter } from '../unlimited-rate-limiter.ts';
import { directFetch } from './clients.ts';

const plenty = { create: 1000, status: 1000, other: 10_000 };
const asking = { signal: new AbortController().signal, priority: 'read' } as const;
const minute = 60_000;

let clock: HeldClock;

beforeEach(() => {
	clock = createHeldClock();
});

async function signedIn(options: {
	shapes?: Partial<Shapes>;
	computers?: number;
	faults?: readonly Fault[];
}) {
	const simulator = await createSimulator({ clock, limits: plenty, computers: 7, ...options });
	const gate = createUnlimitedRateLimiter();
	const platform = createPlatform({
		baseUrl: simulator.baseUrl,
		credentials: {
			kind: 'password',
			authUrl: simulator.authUrl,
			anonKey: simulator.anonKey,
			email: simulator.email,
			password: async () => simulator.password,
		},
		rateLimiter: gate,
		clock,
		fetch: directFetch,
	});
	onTestFinished(() => {
		platform.close();
		return simulator.close();
	});
	return { simulator, platform, gate };
}

async function kindOf(promise: Promise<unknown>) {
	const error = await promise.then(
		() => undefined,
		(reason: unknown) => reason,
	);
	if (error !== undefined && !(error instanceof PlatformError)) throw error;
	return error?.failure.kind;
}

/** Calls every endpoint once, and compares each result with the simulator's world. */
async function useEverything(platform: Platform, simulator: Simulator, shapes: Partial<Shapes>) {
	const { world } = simulator;
	const isTold = shapes.words === 'canonical';

	const { computers } = await platform.listComputers(asking);
	const expected = shapes.list === 'single' ? world.computers().slice(0, 1) : world.computers();
	expect(computers.map(({ id }) => id).sort()).toEqual(expected.map(({ id }) => id).sort());
	for (const { id, status } of computers) {
		expect(status).toBeTruthy();
		if (isTold) expect(phaseOf(status)).toBe(phaseIn(world.find(id)?.state));
	}

	for (const { id } of computers.slice(0, 3)) {
		const [detail, status] = [
			await platform.readComputer(id, asking),
			await platform.readStatus(id, asking),
		];
		expect(detail.id).toBe(id);
		expect(status.id).toBe(id);
		if (isTold) expect(phaseOf(status.status)).toBe(phaseIn(world.find(id)?.state));
	}

	const created = await platform.createComputer({ name: 'contract' }, asking);
	expect(world.find(created.id)?.state).toBe('provisioning');

	const active = world.add({ name: 'worker', version: '0.0.1' });
	await platform.sendAction(active.id, 'stop', asking);
	expect(world.find(active.id)?.state).toBe('stopping');
	clock.move(minute);
	expect(world.find(active.id)?.state).toBe('stopped');
	await platform.sendAction(active.id, 'start', asking);
	clock.move(minute);
	expect(world.find(active.id)?.state).toBe('active');
	await platform.sendAction(active.id, 'restart', asking);
	expect(world.find(active.id)?.state).toBe('restarting');
	clock.move(minute);

	const release = await platform.release(asking);
	expect(release.version).toBe(world.releases().at(-1)?.version);
	await platform.sendAction(active.id, 'update', asking, { version: release.version });
	clock.move(3 * minute);
	expect(world.find(active.id)).toMatchObject({ state: 'active', version: release.version });

	const published = await platform.publishPort(active.id, 8080, asking);
	expect(published.port).toBe(8080);
	expect(await platform.visitPort(active.id, 8080, asking)).toEqual({
		status: 200,
		hasAnswered: true,
	});
	await platform.unpublishPort(active.id, 8080, asking);
	expect((await platform.visitPort(active.id, 8080, asking)).hasAnswered).toBe(false);

	await platform.deleteComputer(active.id, asking);
	clock.move(minute);
	expect(world.find(active.id)).toBeUndefined();

	const models = await platform.models(asking);
	expect(models.length).toBeGreaterThan(0);
	for (const model of models) {
		expect(model).toMatchObject({
			inputPrice: expect.any(Number),
			outputPrice: expect.any(Number),
		});
	}

	await platform.initializeBilling(asking);
	const page = await platform.openPayment({}, asking);
	expect((await fetch(page.url)).status).toBe(200);
	const credits = await platform.credits(asking);
	expect(credits.balance).toBeCloseTo(world.balance().total, 1);
	const subscription = await platform.subscription(asking);
	const hasNone = shapes.subscription === 'null' || shapes.subscription === 'empty';
	expect(subscription?.plan).toBe(hasNone ? undefined : 'pro');
}

const phaseIn = (state: string | undefined) => phaseOf(state);

// Each service uses one shape for each kind of response. Each list of shapes starts at another offset, so that the shapes
// are combined.
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

describe('the decoding of successful responses', () => {
	test.each(services.map((shapes, index) => ({ setNumber: index + 1, shapes })))(
		'the client decodes every response of the simulated service number $setNumber, which has shapes of its own',
		async ({ shapes }) => {
			const { simulator, platform, gate } = await signedIn({ shapes });
			await useEverything(platform, simulator, shapes);
			// The rate limiter does not see the responses of a customer's application.
			const visits = simulator.requests.filter(({ path }) => path.startsWith('/v1/p/'));
			expect(gate.requests.filter(({ status }) => status === undefined)).toHaveLength(
				visits.length,
			);
			const scopes = simulator.requests.filter(
				({ scope }) => scope !== 'auth' && scope !== 'public',
			);
			expect(gate.requests.map(({ scope }) => scope).sort()).toEqual(
				expect.arrayContaining(scopes.map(({ scope }) => scope).sort()),
			);
		},
	);

	test('the tested services together use every response shape of the simulator', () => {
		for (const [name, values] of Object.entries(shapeNames)) {
			expect(new Set(services.map(shapes => shapes[name as keyof Shapes]))).toEqual(
				new Set(values),
			);
		}
	});
});

describe('the decoding of refusals', () => {
	test.each(shapeNames.error)(
		'the client reads every kind of refusal in the error shape “%s”',
		async error => {
			const { simulator, platform } = await signedIn({ shapes: { error } });
			const { world } = simulator;
			const stopped = world.add({ state: 'stopped' });
			const active = world.add({ state: 'active' });
			expect(await kindOf(platform.readComputer('sb_nowhere', asking))).toBe('missing');
			expect(await kindOf(platform.readStatus('sb_nowhere', asking))).toBe('missing');
			expect(await kindOf(platform.deleteComputer('sb_nowhere', asking))).toBe('missing');
			expect(await kindOf(platform.sendAction(stopped.id, 'stop', asking))).toBe('conflict');
			expect(await kindOf(platform.sendAction(active.id, 'start', asking))).toBe('conflict');
			expect(await kindOf(platform.publishPort(active.id, 70_000, asking))).toBe('invalid');
			world.hasPaymentMethod = false;
			world.setCredits(0);
			expect(await kindOf(platform.sendAction(stopped.id, 'start', asking))).toBe('payment');
		},
	);
});

test('the client reads an empty fleet from every response shape that a list can have', async () => {
	for (const list of shapeNames.list) {
		const { platform } = await signedIn({ shapes: { list }, computers: 0 });
		expect((await platform.listComputers(asking)).computers).toEqual([]);
	}
});

test('the client renews an expired or refused token once, and repeats the request', async () => {
	const { simulator, platform, gate } = await signedIn({});
	const signIns = () => simulator.requests.filter(({ scope }) => scope === 'auth').length;
	await platform.listComputers(asking);
	simulator.expireTokens();
	await Promise.all([1, 2, 3, 4].map(() => platform.credits(asking)));
	expect(signIns()).toBe(2);
	expect(gate.requests.filter(({ status }) => status === 401).length).toBeGreaterThan(0);
	clock.move(2 * 3_600_000);
	await platform.credits(asking);
	expect(signIns()).toBe(3);
});

test('the client fails a request that the platform refuses again after a new sign-in', async () => {
	const { simulator, platform } = await signedIn({
		faults: [{ target: 'credits', kind: 'unauthorized' }],
	});
	expect(await kindOf(platform.credits(asking))).toBe('auth');
	expect(simulator.requests.filter(({ path }) => path.endsWith('/credits'))).toHaveLength(2);
});
