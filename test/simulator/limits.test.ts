import { describe, expect, test } from 'vitest';
import type { Shapes } from '../../source/simulator/simulator.ts';
import { hours, minutes, openSimulator, seconds } from './open-simulator.ts';

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
	expect(limit(await ask('GET', '/models', undefined, { Authorization: 'Bearer no' }))).toBe('30');
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
	expect(others).toEqual([
		{ arrivedAt: start + 500, method: 'GET', scope: 'status', path: status, status: 200 },
		{
			arrivedAt: start + 500,
			method: 'POST',
			scope: 'create',
			path: '/v1/platform/sandbox',
			status: 400,
		},
		{ arrivedAt: start + 500, method: 'GET', scope: 'public', path: '/v1/p/x/80', status: 404 },
	]);
});
