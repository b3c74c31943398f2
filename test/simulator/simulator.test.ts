import { networkInterfaces } from 'node:os';
import { expect, onTestFinished, test } from 'vitest';
import { createEndpoint } from '../../source/simulator/endpoints/endpoint.ts';
import {
	createSimulator,
	type Shapes,
	type SimulatorOptions,
	shapeNames,
} from '../../source/simulator/simulator.ts';
import { World } from '../../source/simulator/world/world.ts';
import { createHeldClock } from '../held-clock.ts';

const seconds = (count: number) => count * 1_000;
const minutes = (count: number) => count * 60_000;
const hours = (count: number) => count * 3_600_000;

/** On a held clock, with a token that does not expire and very large limits. */
async function openSimulator(options: Partial<SimulatorOptions> = {}) {
	const clock = createHeldClock();
	const simulator = await createSimulator({
		clock,
		limits: { create: 10_000, status: 10_000, other: 10_000 },
		tokenLifetimeSeconds: 1_000_000_000,
		...options,
	});
	onTestFinished(() => simulator.close());
	const { world, authUrl, baseUrl, anonKey, email, password } = simulator;

	async function answerTo(url: string, init: RequestInit = {}) {
		const response = await fetch(url, init);
		const { status, headers } = response;
		return { status, headers, text: await response.text() };
	}

	const send = (url: string, headers: Record<string, string>, body?: object) =>
		answerTo(url, {
			method: body ? 'POST' : 'GET',
			headers: { 'Content-Type': 'application/json', ...headers },
			...(body && { body: JSON.stringify(body) }),
		});
	const signIn = (credentials: object = { email, password }) =>
		send(`${authUrl}/auth/v1/token?grant_type=password`, { apikey: anonKey }, credentials);
	const { access_token: token } = JSON.parse((await signIn()).text);
	return {
		simulator,
		world,
		clock,
		signIn,
		get: (path: string, Authorization = `Bearer ${token}`) =>
			send(`${baseUrl}${path}`, { Authorization }),
		post: (path: string, body = {}) =>
			send(`${baseUrl}${path}`, { Authorization: `Bearer ${token}` }, body),
		/** Sends a request without a token. */
		open: (path: string) => answerTo(`${authUrl}${path}`),
		/** The API path of the computer with this name. */
		path: (name: string) => `${list}/${world.get(name).id}`,
	};
}

type Opened = Awaited<ReturnType<typeof openSimulator>>;
type Answer = Awaited<ReturnType<Opened['signIn']>>;

const list = '/platform/sandbox';

test('the simulator listens on the requested port of loopback only, and fails if another process uses the port', async () => {
	const { simulator, open } = await openSimulator();
	const port = Number(new URL(simulator.baseUrl).port);
	await expect(createSimulator({ clock: createHeldClock(), port })).rejects.toThrow('EADDRINUSE');
	const outside = Object.values(networkInterfaces())
		.flatMap(each => each ?? [])
		.filter(({ internal, family }) => !internal && family === 'IPv4');
	for (const address of ['127.0.0.2', ...outside.map(each => each.address)])
		await expect(fetch(`http://${address}:${port}/portal`)).rejects.toThrow();
	expect(await open('/portal')).toMatchObject({ status: 200 });
	await simulator.close();
	const next = await createSimulator({ clock: createHeldClock(), port });
	expect(next.baseUrl).toBe(`http://127.0.0.1:${port}/v1`);
	await next.close();
});

test('a throttled sign-in is refused with the identity provider’s own error code', async () => {
	const { simulator, signIn } = await openSimulator();
	simulator.setFaults([{ target: 'sign-in', kind: 'throttle' }]);
	const { status, text } = await signIn();
	expect([status, JSON.parse(text)]).toMatchObject([
		429,
		{ code: 429, error_code: 'over_request_rate_limit' },
	]);
});

test('an error in an endpoint is answered with status 500, and the simulator answers the next request', async () => {
	const fail = () => {
		throw new Error('out of order');
	};
	const broken = createEndpoint('page', 'GET /broken', fail, 'public');
	const { open } = await openSimulator({ endpoints: [broken] });
	const { status, text } = await open('/broken');
	expect([status, JSON.parse(text)]).toMatchObject([500, { error: { message: 'out of order' } }]);
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
	const told = () => [world.now(), world.balance().total];
	const before = told();
	clock.jump(-hours(12));
	expect(told()).toEqual(before);
});

type Name = Exclude<keyof Shapes, 'window'>;

/** For each shape, a request whose answer shows it. The windows of the limits have tests of their own. */
const requests: Readonly<Record<Name, (opened: Opened) => Promise<Answer>>> = {
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
function contentOf({ status, headers, text }: Answer): string {
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

const limited = (shapes: Partial<Shapes> = {}) =>
	openSimulator({ computers: 3, shapes, limits: { create: 5, status: 60, other: 30 } });

const scopes: readonly Scope[] = [
	['other', 30, minutes(1), ({ get }) => get('/models')],
	['status', 60, minutes(1), ({ get, path }) => get(`${path('atlas')}/status`)],
	['create', 5, hours(1), ({ post }) => post(list, { provider: 'opensandbox' })],
];

type Scope = readonly [
	name: string,
	limit: number,
	window: number,
	ask: (opened: Opened) => Promise<Answer>,
];

/** Sends requests, and returns how many were allowed, and the headers of the last answer. */
async function spend([, , , ask]: Scope, opened: Opened, count: number) {
	let [allowed, headers] = [0, new Headers()];
	for (let asked = 0; asked < count; asked++) {
		const answer = await ask(opened);
		if (answer.status === 200) allowed += 1;
		({ headers } = answer);
	}
	return {
		allowed,
		limit: headers.get('X-RateLimit-Limit'),
		left: headers.get('X-RateLimit-Remaining'),
		reset: headers.get('X-RateLimit-Reset'),
		retryAfter: headers.get('Retry-After'),
	};
}

test.each(scopes)(
	'a fixed window of the scope %s ends at once, and a rolling one request by request',
	async (...scope) => {
		const [, limit, window] = scope;
		const fixed = await limited({ window: 'fixed' });
		fixed.clock.move(window - seconds(10));
		const spent = { limit: `${limit}`, left: '0', reset: '10', retryAfter: '10' };
		expect(await spend(scope, fixed, limit + 1)).toEqual({ allowed: limit, ...spent });
		fixed.clock.move(seconds(10) - 1);
		expect(await spend(scope, fixed, 1)).toMatchObject({ allowed: 0 });
		fixed.clock.move(1);
		expect(await spend(scope, fixed, limit + 1)).toMatchObject({ allowed: limit });

		const rolling = await limited({ window: 'rolling' });
		rolling.clock.move(window - seconds(10));
		await spend(scope, rolling, 2);
		rolling.clock.move(seconds(15));
		expect(await spend(scope, rolling, limit)).toMatchObject({ allowed: limit - 2 });
		rolling.clock.move(window - seconds(15) - 1);
		expect(await spend(scope, rolling, 1)).toMatchObject({ allowed: 0, retryAfter: '1' });
		rolling.clock.move(1);
		expect(await spend(scope, rolling, 3)).toMatchObject({ allowed: 2 });
	},
);

test('each scope counts for itself, together with the requests of other clients of the account', async () => {
	const opened = await limited();
	const [other, status] = scopes as [Scope, Scope];
	opened.world.countOtherClientRequests('other', 20);
	expect(await spend(other, opened, 1)).toMatchObject({ left: '9' });
	opened.world.countOtherClientRequests('other', 1_000);
	expect(await spend(other, opened, 1)).toMatchObject({ allowed: 0 });
	expect(await spend(status, opened, 1)).toMatchObject({ allowed: 1, left: '59' });
	opened.clock.move(minutes(1));
	expect(await spend(other, opened, 1)).toMatchObject({ allowed: 1 });
});

test('every answer of the API has the headers of its limit, and no other answer has them', async () => {
	const { get, open, signIn, path } = await limited();
	const limit = ({ headers }: { headers: Headers }) => headers.get('X-RateLimit-Limit');
	expect(limit(await get('/platform/sandbox/sb_nothing'))).toBe('30');
	expect(limit(await get('/nonsense'))).toBe('30');
	expect(limit(await get('/models', 'Bearer no'))).toBe('30');
	expect(limit(await get(`${path('atlas')}/status`))).toBe('60');
	expect(limit(await signIn())).toBeNull();
	expect(limit(await open('/v1/p/sb_nothing/80'))).toBeNull();
});

const start = Date.UTC(2026, 10, 21, 8);

test.each([
	['reset', 'seconds', '48'],
	['reset', 'unix', `${(start + minutes(1)) / 1000}`],
	['reset', 'unix-milliseconds', `${start + minutes(1)}`],
	['reset', 'iso', '2026-11-21T08:01:00.000Z'],
	['retryAfter', 'seconds', '48'],
	['retryAfter', 'date', 'Sat, 21 Nov 2026 08:01:00 GMT'],
	['retryAfter', 'none', null],
] as const)(
	'with the shape %s=%s, the time of a refusal is told as %j',
	async (shape, variant, told) => {
		const opened = await limited({ [shape]: variant });
		opened.clock.move(seconds(12.5));
		expect(await spend(scopes[0] as Scope, opened, 31)).toMatchObject({ [shape]: told });
	},
);

test('the request log has the scope and the status of each request', async () => {
	const { simulator, clock, get, post, open, path } = await openSimulator({ computers: 1 });
	clock.move(500);
	const status = `${path('atlas')}/status`;
	await get(`${status}?now=1`);
	await post(list, {});
	await open('/v1/p/x/80');
	const shown = simulator.requests.map(each => Object.values(each).join(' '));
	expect(shown).toEqual([
		`${start} sign-in POST /auth/v1/token auth 200`,
		`${start + 500} status GET /v1${status} status 200`,
		`${start + 500} create POST /v1${list} create 400`,
		`${start + 500} page GET /v1/p/x/80 public 404`,
	]);
});
