import type { ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { inspect } from 'node:util';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import {
	connectionFailureFrom,
	failuresBeforeSending,
} from '../../source/platform/connection-failure.ts';
import { PlatformError } from '../../source/platform/decoding/platform-error.ts';
import { createHttp, type HttpRequest } from '../../source/platform/http.ts';
import { createHeldClock } from '../held-clock.ts';
import { clients } from './clients.ts';
import { serveResponses, vacantOrigin } from './loopback.ts';
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
	['repeat', () => range(0, 3), 4, 3],
	['repeat in turn', page => range(50 * (page % 2), 50), 5, 100],
	['have hardly a new record each', page => range(page, 20), 4, 23],
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

// The response says whether a request that changes something was carried out, or the outcome is unknown.

test('the client reports an unknown outcome for a stop request that its caller aborts', async () => {
	const begun = deferred();
	const origin = await serveResponses(() => begun.resolve());
	const controller = new AbortController();
	const { platform } = platformAt(origin);
	const stopping = failureOf(
		platform.sendAction('sb_a', 'stop', { signal: controller.signal, priority: 'operation' }),
	);
	await begun.promise;
	controller.abort();
	expect(await stopping).toMatchObject({ kind: 'cancelled', isOutcomeUnknown: true });
});

test.each([
	['the sign-in', 1],
	['the sign-in that replaces a refused token', 2],
])(
	'the client reports that the request was not carried out if %s gets no response',
	async (_, broken) => {
		let signIns = 0;
		const origin = await serveResponses((request, response) => {
			const isSignIn = request.url?.startsWith('/auth/');
			if (isSignIn) signIns += 1;
			if (!isSignIn) response.writeHead(401).end();
			else if (signIns === broken) request.socket.destroy();
			else response.end('{"access_token": "token"}');
		});
		const { platform } = platformAt(origin, {
			credentials: {
				kind: 'password',
				authUrl: origin,
				anonKey: 'anon',
				email: 'owner@example.com',
				password: async () => 'hunter2',
			},
		});
		const failure = await failureOf(platform.sendAction('sb_a', 'stop', readOptions()));
		expect(failure).toMatchObject({ kind: 'offline', isOutcomeUnknown: false });
		expect(signIns).toBe(broken);
	},
);

test.each(['OK', 'stopping sb_a\n', '', '[]', 'null', '{"success":'])(
	'the client takes any successful response as an acknowledgement, even %j',
	async text => {
		const origin = await serveResponses((_, response) => response.end(text));
		const { platform } = platformAt(origin);
		expect(await platform.sendAction('sb_a', 'stop', readOptions())).toEqual({});
		expect(await platform.publishPort('sb_a', 8080, readOptions())).toEqual({ port: 8080 });
	},
);

test('the client reports an unknown outcome for a change that a web page answers', async () => {
	const origin = await serveResponses((_, response) => response.end('<html>a proxy</html>'));
	const { platform } = platformAt(origin);
	for (const change of [
		platform.sendAction('sb_a', 'stop', readOptions()),
		platform.deleteComputer('sb_a', readOptions()),
		platform.publishPort('sb_a', 8080, readOptions()),
		platform.createComputer({}, readOptions()),
	])
		expect(await failureOf(change)).toMatchObject({ kind: 'unreadable', isOutcomeUnknown: true });
});

test('the client reports the outcome as failed, not as unknown, if no server listens at the address', async () => {
	const { platform } = platformAt(await vacantOrigin());
	expect(await failureOf(platform.sendAction('sb_a', 'stop', readOptions()))).toMatchObject({
		kind: 'offline',
		message: 'nothing answers at that address',
		isOutcomeUnknown: false,
	});
});

test('the client reports an unknown outcome for a create whose response identifies no computer', async () => {
	const origin = await serveResponses((_, response) => response.end('{"success": true}'));
	const failure = await failureOf(platformAt(origin).platform.createComputer({}, readOptions()));
	expect(failure).toMatchObject({ kind: 'unreadable', isOutcomeUnknown: true });
});

test('the client reads a failure from the body of a response with status 200', async () => {
	const origin = await serveResponses((_, response) =>
		response.end('{"success": false, "error": "add a card", "code": "no_payment_method"}'),
	);
	const failure = await failureOf(
		platformAt(origin).platform.sendAction('sb_a', 'start', readOptions()),
	);
	expect(failure).toMatchObject({ kind: 'payment', message: 'add a card' });
});

// A request that may have been carried out is never reported as failed.

test.each([302, 303, 408, 425, 499, 500, 502, 503, 504, 520])(
	'the client reports an unknown outcome for a restart after a status of %d',
	async status => {
		const origin = await serveResponses((_, response) =>
			response.writeHead(status, { location: '/v1/jobs/1' }).end('{"message": "so it is"}'),
		);
		const { platform } = platformAt(origin);
		const restart = await failureOf(platform.sendAction('sb_a', 'restart', readOptions()));
		expect(restart).toMatchObject({ isOutcomeUnknown: true, status });
		const create = await failureOf(platform.createComputer({}, readOptions()));
		expect(create.isOutcomeUnknown).toBe(true);
		// A read changes nothing, so its outcome is never unknown.
		expect((await failureOf(platform.readStatus('sb_a', readOptions()))).isOutcomeUnknown).toBe(
			false,
		);
	},
);

test.each([301, 307, 308, 400, 402, 403, 404, 409, 422, 429])(
	'the client reports a failed restart after a status of %d',
	async status => {
		const origin = await serveResponses((_, response) => response.writeHead(status).end('{}'));
		const failure = await failureOf(
			platformAt(origin).platform.sendAction('sb_a', 'restart', readOptions()),
		);
		expect(failure.isOutcomeUnknown).toBe(false);
	},
);

const systemError = (code: string, syscall?: string) =>
	Object.assign(new Error(`${syscall} ${code}`), { code, ...(syscall && { syscall }) });

/** Wraps an error of the system in the error that fetch throws. */
const thrown = (cause: Error) => new TypeError('fetch failed', { cause });

test.each([
	['ETIMEDOUT', 'read'],
	['ETIMEDOUT', 'write'],
	['EHOSTUNREACH', 'read'],
	['ENETDOWN', 'write'],
	['ENETUNREACH', 'read'],
	['ECONNRESET', 'read'],
	['ECONNREFUSED', 'read'],
	['ETIMEDOUT', 'none'],
	['UND_ERR_SOCKET', 'none'],
	['UND_ERR_HEADERS_TIMEOUT', 'none'],
])(
	'the client reports an unknown outcome when an open connection breaks with the error %s in the system call “%s”',
	(code, syscall) => {
		const failure = connectionFailureFrom(
			thrown(systemError(code, syscall === 'none' ? undefined : syscall)),
		);
		expect(failure).toMatchObject({ kind: 'offline', isOutcomeUnknown: true });
		expect(failure.message).toBe(`the connection broke (${code})`);
	},
);

/** Lets each connection of the program fail in this way before it is made. */
function failConnections(error: Error) {
	const spy = vi.spyOn(Socket.prototype, 'connect').mockImplementation(function (this: Socket) {
		process.nextTick(() => this.destroy(error));
		return this;
	});
	onTestFinished(() => spy.mockRestore());
}

test.each(Object.entries(failuresBeforeSending))(
	'the client takes the error %s of a connection as proof that nothing was sent',
	async (code, { systemCall, message }) => {
		failConnections(systemError(code, systemCall));
		for (const scheme of ['http', 'https']) {
			const { platform } = platformAt(`${scheme}://127.0.0.1:9`);
			const failure = await failureOf(platform.sendAction('sb_a', 'stop', readOptions()));
			expect(failure).toMatchObject({ kind: 'offline', message, code, isOutcomeUnknown: false });
		}
	},
);

test('an error of the HTTP client never leaves the platform, because it may contain the token', async () => {
	failConnections(systemError('ECONNRESET', 'read'));
	const { platform } = platformAt('http://127.0.0.1:9');
	const error: unknown = await platform.credits(readOptions()).catch((reason: unknown) => reason);
	expect(error).toBeInstanceOf(PlatformError);
	expect((error as Error).cause).toBeUndefined();
	expect(inspect(error, { depth: 9, showHidden: true })).not.toMatch(/secret-token|FetchError/);
});

test('the client reports an unknown outcome unless connecting failed at every network address of the host', () => {
	const several = (...syscalls: string[]) => {
		const errors = syscalls.map(syscall => systemError('ETIMEDOUT', syscall));
		return thrown(Object.assign(new AggregateError(errors), { code: 'ETIMEDOUT' }));
	};
	expect(connectionFailureFrom(several('connect', 'connect')).isOutcomeUnknown).toBe(false);
	expect(connectionFailureFrom(several('connect', 'read')).isOutcomeUnknown).toBe(true);
});

const clock = createHeldClock();
const { signal } = new AbortController();
const maxBytes = 100_000;

/** Starts a server that sends this response to every request, and reports whether the client has left. */
async function answering(answer: (response: ServerResponse) => void) {
	let left = () => {};
	const isLeft = new Promise<void>(resolve => {
		left = resolve;
	});
	const url = await serveResponses((_, response) => {
		response.on('close', left);
		answer(response);
	});
	return { url, isLeft };
}

function writeForever(response: ServerResponse) {
	const chunk = 'x'.repeat(10_000);
	const write = () => {
		while (!response.destroyed && response.write(chunk));
	};
	response.on('drain', write);
	write();
}

describe.each(clients)('$client', ({ fetch }) => {
	const exchange = (url: string, request: Partial<HttpRequest> = {}) =>
		createHttp(url, { fetch, clock, timeoutMs: 5000 })({
			method: 'GET',
			path: '/v1',
			signal,
			...request,
		});

	test.each([
		[
			'an event stream',
			(response: ServerResponse) => {
				response.writeHead(200, { 'content-type': 'text/event-stream' });
				response.write('data: hello\n\n');
			},
		],
		['an endless download', writeForever],
		['a response whose body never begins', (response: ServerResponse) => response.flushHeaders()],
	])(
		'returns as soon as the headers have arrived if the body is not needed, even for %s',
		async (_, answer) => {
			const { url, isLeft } = await answering(answer);
			const answered = await exchange(url, { isVisit: true });
			expect(answered).toMatchObject({ status: 200, text: '', json: undefined });
			await isLeft;
			expect(clock.waiting).toBe(0);
		},
	);

	test.each(['GET', 'POST'] as const)(
		'cancels the response body of a %s that exceeds the size limit',
		async method => {
			const { url, isLeft } = await answering(writeForever);
			await expect(exchange(url, { method, maxBytes })).rejects.toMatchObject({
				failure: { kind: 'unreadable', isOutcomeUnknown: method === 'POST' },
			});
			await isLeft;
		},
	);

	test('accepts a response body of the maximum length in chunks of any size', async () => {
		const text = `"${'ö€'.repeat(19_999)}"`;
		const { url } = await answering(response => {
			const bytes = Buffer.from(text);
			for (let at = 0; at < bytes.length; at += 7001) response.write(bytes.subarray(at, at + 7001));
			response.end();
		});
		const answered = await exchange(url, { maxBytes });
		expect(answered.text).toBe(text);
		expect(answered.json).toBe(JSON.parse(text));
	});
});
