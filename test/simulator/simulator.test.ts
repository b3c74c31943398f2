import { networkInterfaces } from 'node:os';
import { describe, expect, test } from 'vitest';
import { createEndpoint } from '../../source/simulator/endpoints/endpoint.ts';
import { createSimulator, type Shapes, shapeNames } from '../../source/simulator/simulator.ts';
import { World } from '../../source/simulator/world/world.ts';
import { createHeldClock } from '../held-clock.ts';
import {
	hours,
	minutes,
	openSimulator,
	type SimulatorResponse,
	seconds,
} from './open-simulator.ts';

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

test('what was bought is spent before the credits that the plan gives', () => {
	const { world } = openWorld();
	world.setCredits(30, { daily: 2, monthly: 20 });
	expect(world.balance()).toEqual({ total: 30, daily: 2, monthly: 20, extra: 8 });
	world.setCredits(21, { daily: 2, monthly: 20 });
	expect(world.balance()).toEqual({ total: 21, daily: 2, monthly: 19, extra: 0 });
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

const list = '/platform/sandbox';

type Opened = Awaited<ReturnType<typeof openSimulator>>;
type Name = Exclude<keyof Shapes, 'window'>;

/** For each shape, a request whose answer shows it. The windows of the limits have tests of their own. */
const requests: Readonly<Record<Name, (opened: Opened) => Promise<SimulatorResponse>>> = {
	list: ({ get }) => get(list),
	pageSize({ get, simulator }) {
		simulator.setShapes({ list: 'items' });
		return get(list);
	},
	listRecord: ({ get }) => get(list),
	detailRecord: ({ get, path }) => get(path('atlas')),
	detail: ({ get, path }) => get(path('atlas')),
	envelope: ({ get }) => get('/billing/credits'),
	usage: ({ get, path }) => get(path('atlas')),
	ports: ({ get, path }) => get(path('atlas')),
	case: ({ get, path }) => get(path('atlas')),
	numbers: ({ get, path }) => get(path('atlas')),
	create: ({ post }) => post(list, { provider: 'opensandbox', name: 'new' }),
	acknowledgement({ post, path, clock }) {
		clock.move(minutes(1));
		return post(`${path('atlas')}/restart`);
	},
	status: ({ get, path }) => get(`${path('draco')}/status`),
	missingStatus: ({ get }) => get(`${list}/none/status`),
	words: ({ get }) => get(list),
	stages: ({ get, path }) => get(`${path('borealis')}/status`),
	deleted({ get, world }) {
		if (world.deletedComputers.length === 0) world.remove('lyra');
		return get(list);
	},
	error: ({ get }) => get(`${list}/none`),
	version: ({ get }) => get(`${list}/version/latest`),
	update: ({ post, world }) => post(`${list}/${world.add({ version: '1.0.0' }).id}/update`),
	publish: ({ post, path }) => post(`${path('atlas')}/preview/start`, { port: 8080 }),
	credits: ({ get }) => get('/billing/credits'),
	subscription: ({ get }) => get('/billing/subscription'),
	checkout: ({ post }) => post('/billing/checkout', {}),
	models: ({ get }) => get('/models'),
	token: ({ signIn }) => signIn(),
	signInError: ({ signIn }) => signIn({}),
	reset: ({ post }) => post('/billing/setup/initialize'),
	retryAfter: ({ post }) => post('/billing/setup/initialize'),
};

/** Returns what an answer says, without the ids, tokens and times that differ in each answer. */
function contentOf({ status, headers, text }: SimulatorResponse): string {
	const shown = ['content-type', 'x-ratelimit-reset', 'retry-after'].map(name => headers.get(name));
	const same = text
		.replace(/\b(sb|cs)_\w+|[\w-]{22,}(\.[\w-]+)*/g, 'id')
		.replace(/"created_at":"[^"]*"/g, '"created_at":"then"');
	return JSON.stringify([status, shown, same]);
}

test.each(Object.keys(requests) as Name[])(
	'each variant of the shape “%s” gives another answer',
	async name => {
		const opened = await openSimulator({
			computers: 120,
			faults: [{ target: 'initialize', kind: 'throttle' }],
		});
		const answers: string[] = [];
		for (const variant of [shapeNames[name][0], ...shapeNames[name]]) {
			opened.simulator.setShapes({ [name]: variant });
			answers.push(contentOf(await requests[name](opened)));
		}
		const [again, ...each] = answers;
		expect(each[0], 'the same variant gives the same answer').toBe(again);
		expect(new Set(each).size).toBe(shapeNames[name].length);
	},
);

describe('limits', () => {
	const limited = (shapes: Partial<Shapes>) =>
		openSimulator({ computers: 3, shapes, limits: { create: 5, status: 60, other: 30 } });

	type Opened = Awaited<ReturnType<typeof limited>>;

	const scopes = [
		{ scope: 'other', limit: 30, window: minutes(1), ask: ({ get }: Opened) => get('/models') },
		{
			scope: 'status',
			limit: 60,
			window: minutes(1),
			ask: ({ get, path }: Opened) => get(`${path('atlas')}/status`),
		},
		{
			scope: 'create',
			limit: 5,
			window: hours(1),
			ask: ({ post }: Opened) => post('/platform/sandbox', { provider: 'opensandbox' }),
		},
	] as const;

	async function spend(
		{ ask, limit }: (typeof scopes)[number],
		opened: Opened,
		count: number = limit,
	) {
		for (let asked = 0; asked < count; asked++) {
			const { status, headers } = await ask(opened);
			expect(status).toBe(200);
			expect(headers.get('X-RateLimit-Limit')).toBe(`${limit}`);
		}
	}

	describe.each(scopes)('the rate limit of the scope $scope', each => {
		test('frees the whole limit at the end of a fixed window', async () => {
			const opened = await limited({ window: 'fixed' });
			opened.clock.move(each.window - seconds(10));
			await spend(each, opened);
			const { status, headers } = await each.ask(opened);
			expect([status, headers.get('X-RateLimit-Remaining')]).toEqual([429, '0']);
			expect(headers.get('X-RateLimit-Reset')).toBe('10');
			expect(headers.get('Retry-After')).toBe('10');
			opened.clock.move(seconds(10) - 1);
			expect(await each.ask(opened)).toMatchObject({ status: 429 });
			opened.clock.move(1);
			await spend(each, opened);
		});

		test('frees the limit of a rolling window request by request', async () => {
			const opened = await limited({ window: 'rolling' });
			opened.clock.move(each.window - seconds(10));
			await spend(each, opened, 2);
			opened.clock.move(seconds(15));
			await spend(each, opened, each.limit - 2);
			expect(await each.ask(opened)).toMatchObject({ status: 429 });
			opened.clock.move(each.window - seconds(15) - 1);
			const { status, headers } = await each.ask(opened);
			expect([status, headers.get('Retry-After')]).toEqual([429, '1']);
			opened.clock.move(1);
			await spend(each, opened, 2);
			expect(await each.ask(opened)).toMatchObject({ status: 429 });
		});
	});

	test('the simulator counts each scope separately and does not count refused requests', async () => {
		const opened = await limited({});
		await spend(scopes[0], opened);
		expect(await opened.get('/models')).toMatchObject({ status: 429 });
		const { headers } = await opened.get(`${opened.path('atlas')}/status`);
		expect(headers.get('X-RateLimit-Remaining')).toBe('59');
	});

	test('requests of another client of the same account use up the same limit', async () => {
		const opened = await limited({});
		opened.world.countOtherClientRequests('other', 20);
		const { headers } = await opened.get('/models');
		expect(headers.get('X-RateLimit-Remaining')).toBe('9');
		opened.world.countOtherClientRequests('other', 1_000);
		expect(await opened.get('/models')).toMatchObject({ status: 429 });
		opened.clock.move(minutes(1));
		expect(await opened.get('/models')).toMatchObject({ status: 200 });
	});

	test('beyond the limit, another client of the account is refused as well', async () => {
		const opened = await limited({ window: 'rolling' });
		await spend(scopes[0], opened, 10);
		opened.clock.move(seconds(30));
		opened.world.countOtherClientRequests('other', 1_000);
		opened.clock.move(seconds(30));
		await spend(scopes[0], opened, 10);
		expect(await opened.get('/models')).toMatchObject({ status: 429 });
	});

	test('every response of the platform’s API has the rate limit headers, and no other response has them', async () => {
		const { get, ask, open, signIn, path } = await limited({});
		const limit = ({ headers }: { headers: Headers }) => headers.get('X-RateLimit-Limit');
		expect(limit(await get('/platform/sandbox/sb_nothing'))).toBe('30');
		expect(limit(await get('/nonsense'))).toBe('30');
		expect(limit(await ask('GET', '/models', undefined, { Authorization: 'Bearer no' }))).toBe(
			'30',
		);
		expect(limit(await get(`${path('atlas')}/status`))).toBe('60');
		expect(limit(await signIn())).toBeNull();
		expect(limit(await open('/v1/p/sb_nothing/80'))).toBeNull();
	});

	const start = Date.UTC(2026, 10, 21, 8);

	test.each([
		['seconds', '48'],
		['unix', `${(start + minutes(1)) / 1000}`],
		['unix-milliseconds', `${start + minutes(1)}`],
		['iso', '2026-11-21T08:01:00.000Z'],
	] as const)(
		'the simulator can report the reset of the rate limit in the form “%s”',
		async (reset, header) => {
			const { clock, get } = await limited({ reset });
			clock.move(seconds(12.5));
			expect((await get('/models')).headers.get('X-RateLimit-Reset')).toBe(header);
		},
	);

	test.each([
		['seconds', '48'],
		['date', 'Sat, 21 Nov 2026 08:01:00 GMT'],
		['none', null],
	] as const)(
		'the Retry-After header of a response with status 429 can have the form “%s”',
		async (retryAfter, header) => {
			const { clock, get, world } = await limited({ retryAfter });
			clock.move(seconds(12.5));
			expect((await get('/models')).headers.get('Retry-After')).toBeNull();
			world.countOtherClientRequests('other', 30);
			expect((await get('/models')).headers.get('Retry-After')).toBe(header);
		},
	);

	test('the request log has the scope and the status of each request', async () => {
		const { simulator, clock, get, post, open, path } = await openSimulator({ computers: 1 });
		clock.move(500);
		await get(`${path('atlas')}/status?now=1`);
		await post('/platform/sandbox', {});
		await open('/v1/p/x/80');
		const [signIn, ...others] = simulator.requests;
		expect(signIn).toMatchObject({
			arrivedAt: start,
			scope: 'auth',
			path: '/auth/v1/token',
			status: 200,
		});
		const status = `/v1${path('atlas')}/status`;
		const create = '/v1/platform/sandbox';
		const page = '/v1/p/x/80';
		const arrivedAt = start + 500;
		expect(others).toEqual([
			{ arrivedAt, endpoint: 'status', method: 'GET', scope: 'status', path: status, status: 200 },
			{ arrivedAt, endpoint: 'create', method: 'POST', scope: 'create', path: create, status: 400 },
			{ arrivedAt, endpoint: 'page', method: 'GET', scope: 'public', path: page, status: 404 },
		]);
	});
});
