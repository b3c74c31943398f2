import { expect, test, vi } from 'vitest';
import { createHeldClock } from '../held-clock.ts';
import { serveResponses } from './loopback.ts';
import { deferred, failureOf, platformAt, readOptions } from './platform-at.ts';

test('the client sends JSON with a Bearer token, and reports the response to the rate limiter', async () => {
	const seen: (string | undefined)[] = [];
	const origin = await serveResponses((request, response) => {
		seen.push(request.method, request.url, request.headers.authorization);
		seen.push(request.headers['content-type']);
		response.end('{"status": "active"}');
	});
	const { platform, gate } = platformAt(origin);
	await platform.readStatus('sb_a/b', readOptions());
	await platform.deleteComputer('sb_a', readOptions());
	expect(seen).toEqual([
		...['GET', '/v1/platform/sandbox/sb_a%2Fb/status', 'Bearer secret-token', 'application/json'],
		...['DELETE', '/v1/platform/sandbox/sb_a', 'Bearer secret-token', 'application/json'],
	]);
	expect(gate.requests).toEqual([
		{ scope: 'status', status: 200 },
		{ scope: 'other', status: 200 },
	]);
});

test('the client sends no token to the application behind the public address of a port', async () => {
	const seen: (string | undefined)[] = [];
	const origin = await serveResponses((request, response) => {
		seen.push(request.headers.authorization);
		response.writeHead(401, { 'x-ratelimit-remaining': '0', 'retry-after': '60' }).end();
	});
	const { platform, gate } = platformAt(origin);
	expect(await platform.visitPort('sb_a', 8080, readOptions())).toEqual({
		status: 401,
		hasAnswered: false,
	});
	expect(seen).toEqual([undefined]);
	expect(gate.requests, 'what it says of limits is about its own').toEqual([{ scope: 'other' }]);
});

test('the client does not follow a redirect, because the token would be sent to its target', async () => {
	const taken: unknown[] = [];
	const other = await serveResponses((request, response) => {
		taken.push(request.headers.authorization);
		response.end('[]');
	});
	const origin = await serveResponses((_, response) => {
		response.writeHead(307, { location: `${other}/v1/platform/sandbox` }).end();
	});
	const failure = await failureOf(platformAt(origin).platform.listComputers(readOptions()));
	expect(failure).toMatchObject({
		kind: 'unreadable',
		message: `the platform redirects to ${other}`,
	});
	expect(taken).toEqual([]);
});

test('the client sends a request once for each kind of response', async () => {
	let count = 0;
	const origin = await serveResponses((_, response) => {
		count += 1;
		response.writeHead(429, { 'retry-after': '7' }).end();
	});
	const failure = await failureOf(platformAt(origin).platform.credits(readOptions()));
	expect(failure).toMatchObject({ kind: 'limited', retryAfter: 7000, isOutcomeUnknown: false });
	expect(count).toBe(1);
});

test('times out a response that does not end in time, even in the middle of its body', async () => {
	const clock = createHeldClock();
	const begun = deferred();
	const origin = await serveResponses((_, response) => {
		response.write('[');
		begun.resolve();
	});
	const { platform } = platformAt(origin, { clock, timeoutMs: 5000 });
	const reading = failureOf(platform.listComputers(readOptions()));
	await begun.promise;
	clock.move(5000);
	expect(await reading).toMatchObject({
		kind: 'offline',
		message: 'no answer within 5 s',
		isOutcomeUnknown: false,
	});
	expect(clock.waiting).toBe(0);
});

test('the client reads a 404 with JSON as an empty fleet, and a 404 with a web page as a wrong address', async () => {
	const origin = await serveResponses((request, response) => {
		const isJson = request.headers['authorization'] === 'Bearer json';
		response.writeHead(404).end(isJson ? '{"error": "none"}' : '<html>404</html>');
	});
	const withToken = (token: string) =>
		platformAt(origin, { credentials: { kind: 'token', token } }).platform;
	expect((await withToken('json').listComputers(readOptions())).computers).toEqual([]);
	expect(await withToken('json').subscription(readOptions())).toBeNull();
	expect((await failureOf(withToken('page').listComputers(readOptions()))).kind).toBe('missing');
});

test('the client reads all pages of a list, and refuses a list whose pages never end', async () => {
	const page = (cursor: string | null) => ({
		items: [{ sandbox_id: `sb_before_${cursor}`, status: 'active' }],
		next_cursor: cursor,
	});
	const origin = await serveResponses((request, response) => {
		const cursor = new URL(request.url ?? '', 'http://x').searchParams.get('cursor');
		const next = { '': 'b', b: 'c&d', 'c&d': null }[cursor ?? ''] ?? null;
		const isEndless = request.headers['authorization'] === 'Bearer endless';
		response.end(JSON.stringify(page(isEndless ? 'same' : next)));
	});
	const { platform, gate } = platformAt(origin);
	const list = await platform.listComputers(readOptions());
	expect(list.computers.map(({ id }) => id)).toEqual([
		'sb_before_b',
		'sb_before_c&d',
		'sb_before_null',
	]);
	expect(list.requestCount).toBe(3);
	expect(gate.requests).toHaveLength(3);
	const endless = platformAt(origin, { credentials: { kind: 'token', token: 'endless' } });
	expect(await failureOf(endless.platform.listComputers(readOptions()))).toMatchObject({
		kind: 'unreadable',
		message: 'next_cursor: expected a list that ends',
	});
});

test.each([
	[2, 500, 'next_cursor: expected a list of at most 500 pages'],
	[1, 3, 'next_cursor: expected a list that ends'],
	[0, 3, 'next_cursor: expected a list that ends'],
])(
	'the client gives up a list with ever new pages of %i records after %i pages',
	async (size, pages, message) => {
		const origin = await serveResponses((request, response) => {
			const cursor = Number(new URL(request.url ?? '', 'http://x').searchParams.get('cursor'));
			const items = Array.from({ length: size }, (_, at) => ({ sandbox_id: `sb_${cursor}_${at}` }));
			response.end(JSON.stringify({ items, next_cursor: String(cursor + 1) }));
		});
		const { platform, gate } = platformAt(origin);
		expect(await failureOf(platform.listComputers(readOptions()))).toMatchObject({ message });
		expect(gate.requests).toHaveLength(pages);
	},
);

test('the client gives up a list whose second page has only records of the first', async () => {
	const origin = await serveResponses((request, response) => {
		const cursor = Number(new URL(request.url ?? '', 'http://x').searchParams.get('cursor'));
		const items = ['sb_1', 'sb_2', 'sb_3'].map(id => ({ sandbox_id: id }));
		response.end(JSON.stringify({ items, next_cursor: String(cursor + 1) }));
	});
	const { platform, gate } = platformAt(origin);
	expect(await failureOf(platform.listComputers(readOptions()))).toMatchObject({
		message: 'next_cursor: expected a list that ends',
	});
	expect(gate.requests).toHaveLength(2);
});

test('the client calls onSent when a request is sent, but not while it waits for its slot', async () => {
	const origin = await serveResponses((_, response) => response.end('[]'));
	const turn = deferred();
	const slot = { reportResponse: vi.fn(), reportNoResponse: vi.fn(), giveBack: vi.fn() };
	const { platform } = platformAt(origin, {
		rateLimiter: { acquire: () => turn.promise.then(() => slot) },
	});
	const onSent = vi.fn();
	const list = platform.listComputers({ ...readOptions(), onSent });
	await new Promise(setImmediate);
	expect(onSent).not.toHaveBeenCalled();
	turn.resolve();
	await list;
	expect(onSent).toHaveBeenCalledOnce();
	expect(slot.reportResponse).toHaveBeenCalledOnce();
	expect(slot.reportNoResponse).not.toHaveBeenCalled();
});

test.each(['http://example.com', 'ftp://example.com', 'nonsense'])(
	'the client refuses the platform address “%s”, which is not https',
	origin => {
		expect(() => platformAt(origin)).toThrow('not https');
	},
);
