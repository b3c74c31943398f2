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

type Pages = (page: number) => readonly string[];

/** Serves a list whose pages have these ids, until there are none. */
async function servePages(idsOf: Pages) {
	const origin = await serveResponses((request, response) => {
		const at = Number(new URL(request.url ?? '', 'http://x').searchParams.get('cursor'));
		const items = idsOf(at).map(id => ({ sandbox_id: id, name: id, id: `model-${id}` }));
		const hasNext = idsOf(at + 1).length > 0 || idsOf(at + 2).length > 0;
		response.end(JSON.stringify({ items, next_cursor: hasNext ? `${at + 1}` : null }));
	});
	return platformAt(origin);
}

const range = (from: number, count: number) =>
	Array.from({ length: count }, (_, at) => `sb_${from + at}`);

test.each<[string, Pages, number, number]>([
	['of the same size', page => range(3 * page, page < 3 ? 3 : 0), 3, 9],
	['that overlap', page => range(10 * page, page < 3 ? 15 : 0), 3, 35],
	[
		'of which one has hardly a new record',
		page => [range(0, 20), range(1, 20), range(21, 20)][page] ?? [],
		3,
		41,
	],
	[
		'of which two are empty',
		page => [range(0, 20), [], range(20, 3), [], ['sb_99']][page] ?? [],
		5,
		24,
	],
])('the client reads all pages %s', async (_, idsOf, pages, count) => {
	const { platform, gate } = await servePages(idsOf);
	const { computers, ...notes } = await platform.listComputers(readOptions());
	expect(notes).toEqual({ requestCount: pages });
	expect(computers.length).toBe(count);
	expect(gate.requests).toHaveLength(pages);
});

test.each<[string, Pages, number, number]>([
	['repeat', () => range(0, 3), 2, 3],
	['repeat in turn', page => range(50 * (page % 2), 50), 3, 100],
	['have hardly a new record twice in a row', page => range(page, 20), 3, 22],
	['have one record each', page => range(page, 1), 3, 3],
	['never end', page => range(2 * page, 2), 500, 1_000],
])('a list ends where its pages %s, and says so', async (_, idsOf, pages, count) => {
	const { platform, gate } = await servePages(idsOf);
	const { computers, ...notes } = await platform.listComputers(readOptions());
	expect(notes).toEqual({ requestCount: pages, isCut: true });
	expect(computers.length).toBe(count);
	expect(gate.requests).toHaveLength(pages);
});

test('a list ends where a cursor comes again', async () => {
	let page = 0;
	const origin = await serveResponses((_, response) => {
		page += 1;
		const items = range(2 * page, 2).map(id => ({ sandbox_id: id }));
		response.end(JSON.stringify({ items, next_cursor: 'c&d' }));
	});
	const list = await platformAt(origin).platform.listComputers(readOptions());
	expect(list).toMatchObject({ requestCount: 2, isCut: true });
});

test.each([
	['on one page', [['one', 'one']], 1],
	['on two pages, if it has another name', [['one'], ['two', 'three']], 1],
	['on two pages with the same name, which is usual', [['one'], ['one', 'three']], undefined],
])(
	'of records with one id the newest counts, and it is said that an id came again %s',
	async (_, names, repeated) => {
		const origin = await serveResponses((request, response) => {
			const at = Number(new URL(request.url ?? '', 'http://x').searchParams.get('cursor'));
			const items = (names[at] ?? []).map((name, place) => ({
				sandbox_id: name === 'three' ? 'sb_3' : 'sb_1',
				name,
				cpu: 10 * at + place,
			}));
			response.end(JSON.stringify({ items, next_cursor: at + 1 < names.length ? '1' : null }));
		});
		const list = await platformAt(origin).platform.listComputers(readOptions());
		expect(list.repeated).toBe(repeated);
		expect(list.computers[0]?.cpu).toBe(names.length > 1 ? 10 : 1);
	},
);

test('a catalogue of models whose pages repeat is refused', async () => {
	const { platform } = await servePages(() => range(0, 3));
	expect(await failureOf(platform.models(readOptions()))).toMatchObject({
		message: 'next_cursor: expected a list that ends',
	});
});

test('the client calls onSent when a request is sent, but not while it waits for its slot', async () => {
	const origin = await serveResponses((_, response) => response.end('[]'));
	const turn = deferred();
	const slot = { end: vi.fn() };
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
	expect(slot.end.mock.calls[0]).toEqual([expect.objectContaining({ status: 200 })]);
});

test.each(['http://example.com', 'ftp://example.com', 'nonsense'])(
	'the client refuses the platform address “%s”, which is not https',
	origin => {
		expect(() => platformAt(origin)).toThrow('not https');
	},
);
