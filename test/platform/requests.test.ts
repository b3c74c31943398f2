import type { ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { inspect } from 'node:util';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import {
	connectionFailureFrom,
	failuresBeforeSending,
} from '../../source/platform/decoding/decode-failure.ts';
import { PlatformError } from '../../source/platform/decoding/platform-error.ts';
import { createHttp, type HttpRequest } from '../../source/platform/http.ts';
import type { Platform, PlatformOptions } from '../../source/platform/platform.ts';
import { createHeldClock } from '../held-clock.ts';
import { clients } from './clients.ts';
import { serveResponses, vacantOrigin } from './loopback.ts';
import { failureOf, platformAnswering, platformAt, readOptions } from './platform-at.ts';

function deferred() {
	let resolve = () => {};
	const promise = new Promise<void>(settle => {
		resolve = settle;
	});
	return { promise, resolve };
}

const credentialsAt = (authUrl: string): PlatformOptions['credentials'] => ({
	kind: 'password',
	authUrl,
	anonKey: 'anon',
	email: 'owner@example.com',
	password: async () => 'hunter2',
});

const operate = (platform: Platform, operation: string, computer = 'sb_a') =>
	platform.operate({ operation, computer, port: 8080 }, readOptions());

const stop = (platform: Platform) => operate(platform, 'stop');

test('the client sends JSON with a Bearer token, and reports the response to the rate limiter', async () => {
	const seen: unknown[] = [];
	const origin = await serveResponses(({ method, url, headers }, response) => {
		seen.push([method, url, headers.authorization, headers['content-type']]);
		response.end('{"status": "active"}');
	});
	const { platform, gate } = platformAt(origin);
	await platform.readStatus('sb_a/b', readOptions());
	await operate(platform, 'delete');
	expect(seen).toEqual([
		['GET', '/v1/platform/sandbox/sb_a%2Fb/status', 'Bearer secret-token', 'application/json'],
		['DELETE', '/v1/platform/sandbox/sb_a', 'Bearer secret-token', 'application/json'],
	]);
	expect(gate.requests).toEqual([
		{ scope: 'status', status: 200 },
		{ scope: 'other', status: 200 },
	]);
});

test.each(['.', '..', ''])(
	'the client sends no request for a computer with the id %j',
	async id => {
		const { platform, requests } = await platformAnswering('{}');
		for (const asked of [
			() => operate(platform, 'delete', id),
			() => operate(platform, 'stop', id),
			() => operate(platform, 'command of nobody', 'sb_a'),
			() => platform.readComputer(id, readOptions()),
			() => platform.readStatus(id, readOptions()),
			() => operate(platform, 'publish', id),
			() => operate(platform, 'unpublish', id),
			() => platform.visitPort(id, 8080, readOptions()),
		])
			expect(await failureOf(asked())).toMatchObject({ kind: 'invalid', isOutcomeUnknown: false });
		expect(requests).toEqual([]);
		expect(() => platform.publicAddress(id, 8080)).toThrow(PlatformError);
		expect(() => platform.shareAddress(id)).toThrow(PlatformError);
	},
);

test.each([
	['sb_9/../../x', 'sb_9%2F..%2F..%2Fx'],
	['%2e%2e', '%252e%252e'],
	['a?b#c', 'a%3Fb%23c'],
	['...', '...'],
])('the client encodes the id %j as one segment of the path', async (id, segment) => {
	const { platform, requests } = await platformAnswering('{}');
	await operate(platform, 'delete', id);
	expect(requests).toEqual([`DELETE /v1/platform/sandbox/${segment}`]);
});

test('the client sends no token to the application behind the public address of a port', async () => {
	const seen: (string | undefined)[] = [];
	const origin = await serveResponses((request, response) => {
		seen.push(request.headers.authorization);
		response.writeHead(401, { 'x-ratelimit-remaining': '0', 'retry-after': '60' }).end();
	});
	const { platform, gate } = platformAt(origin);
	const visited = await platform.visitPort('sb_a', 8080, readOptions());
	expect(visited).toBe(false);
	expect(seen).toEqual([undefined]);
	expect(gate.requests, 'what it says of limits is about its own').toEqual([{ scope: 'other' }]);
});

test.each(clients)(
	'$client follows no redirect, because the token would be sent to its target',
	async ({ fetch }) => {
		const taken: unknown[] = [];
		const other = await serveResponses((request, response) => {
			taken.push(request.headers.authorization);
			response.end('[]');
		});
		const origin = await serveResponses((_, response) => {
			response.writeHead(307, { location: `${other}/v1/platform/sandbox` }).end();
		});
		const { platform } = platformAt(origin, { fetch });
		expect(await failureOf(platform.listComputers(readOptions()))).toMatchObject({
			kind: 'unreadable',
			message: `the platform redirects to ${other}`,
		});
		expect(taken).toEqual([]);
	},
);

test.each(['http://example.com', 'ftp://example.com', 'nonsense'])(
	'the client refuses the address “%s” of a platform or a sign-in, which is not https',
	origin => {
		expect(() => platformAt(origin)).toThrow('not https');
		const credentials = credentialsAt(origin);
		expect(() => platformAt('https://example.com', { credentials })).toThrow('not https');
	},
);

test('the client calls onSent when a request is sent, but not while it waits for its slot', async () => {
	const origin = await serveResponses((_, response) => response.end('[]'));
	const turn = deferred();
	const slot = { end: vi.fn() };
	const rateLimiter = { acquire: () => turn.promise.then(() => slot) };
	const { platform } = platformAt(origin, { rateLimiter });
	const onSent = vi.fn();
	const list = platform.listComputers({ ...readOptions(), onSent });
	await new Promise(setImmediate);
	expect(onSent).not.toHaveBeenCalled();
	turn.resolve();
	await list;
	expect(onSent).toHaveBeenCalledOnce();
	expect(slot.end.mock.calls[0]).toEqual([expect.objectContaining({ status: 200 })]);
});

test('the client gives back the slot of a request that its caller holds back in onSent', async () => {
	const slot = { end: vi.fn() };
	const rateLimiter = { acquire: async () => slot };
	const { platform, requests } = await platformAnswering('{}', { rateLimiter });
	const controller = new AbortController();
	const { signal } = controller;
	const options = { ...readOptions(), signal, onSent: () => controller.abort() };
	expect(
		await failureOf(platform.operate({ operation: 'stop', computer: 'sb_a' }, options)),
	).toMatchObject({
		kind: 'cancelled',
		isOutcomeUnknown: false,
	});
	expect(slot.end.mock.calls).toEqual([['notSent']]);
	expect(requests).toEqual([]);
});

test('the client reads a 404 with JSON as an empty fleet, and a 404 with a web page as a wrong address', async () => {
	const { platform } = await platformAnswering('{"error": "none"}', {}, 404);
	expect((await platform.listComputers(readOptions())).computers).toEqual([]);
	expect(await platform.readAccount('subscription', readOptions())).toBeNull();
	const page = await platformAnswering('<html>404</html>', {}, 404);
	expect((await failureOf(page.platform.listComputers(readOptions()))).kind).toBe('missing');
});

// Lists of several pages

type PageOf = (page: number) => readonly string[];

/** Serves a list whose pages have these ids, until there are none. */
async function servePages(idsOf: PageOf, cursorOf = (page: number) => `${page}`) {
	let at = -1;
	const origin = await serveResponses((request, response) => {
		at = request.url?.includes('cursor') ? at + 1 : 0;
		const items = idsOf(at).map(id => ({ sandbox_id: id, name: id, id: `model-${id}` }));
		const hasNext = idsOf(at + 1).length > 0 || idsOf(at + 2).length > 0;
		response.end(JSON.stringify({ items, next_cursor: hasNext ? cursorOf(at + 1) : null }));
	});
	return platformAt(origin);
}

const range = (from: number, count: number) =>
	Array.from({ length: count }, (_, at) => `sb_${from + at}`);

test.each<[string, PageOf, number, number, boolean?]>([
	['of the same size', page => range(3 * page, page < 3 ? 3 : 0), 3, 9],
	['that overlap', page => range(10 * page, page < 3 ? 15 : 0), 3, 35],
	[
		'with hardly a new record',
		page => [range(0, 20), range(1, 20), range(21, 20)][page] ?? [],
		3,
		41,
	],
	[
		'of which two are empty',
		page => [range(0, 20), [], range(20, 3), [], ['a']][page] ?? [],
		5,
		24,
	],
	['that repeat', () => range(0, 3), 4, 3, true],
	['that repeat in turn', page => range(50 * (page % 2), 50), 5, 100, true],
	['with hardly a new record each', page => range(page, 20), 4, 23, true],
	['with one record each', page => range(page, 1), 3, 3, true],
	['that never end', page => range(2 * page, 2), 500, 1_000, true],
])('the client reads pages %s', async (_, idsOf, requestCount, count, isCut) => {
	const { platform, gate } = await servePages(idsOf);
	const { computers, ...notes } = await platform.listComputers(readOptions());
	expect(notes).toEqual({ requestCount, ...(isCut && { isCut }) });
	expect(computers.length).toBe(count);
	expect(gate.requests).toHaveLength(requestCount);
});

test('a list ends where a cursor comes again, and a catalogue of models that does not end is refused', async () => {
	const { platform } = await servePages(
		page => range(2 * page, 2),
		() => 'c&d',
	);
	expect(await platform.listComputers(readOptions())).toMatchObject({
		requestCount: 2,
		isCut: true,
	});
	expect(await failureOf(platform.readAccount('models', readOptions()))).toMatchObject({
		message: 'next_cursor: expected a list that ends',
	});
});

test.each([
	['on one page', [['one', 'one']], 1],
	['on two pages, if it has another name', [['one'], ['two', 'three']], 1],
	['on two pages with the same name, which is usual', [['one'], ['one', 'three']], undefined],
])(
	'of records with one id the newest counts, and it is said that an id came again %s',
	async (...row) => {
		const [, names, repeated] = row;
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

// A request that may have been carried out is never reported as failed, and one that was not, never as unknown. A read
// changes nothing, so its outcome is never unknown.

const unknownStatuses = [302, 303, 408, 425, 499, 500, 502, 503, 504, 520];
const failedStatuses = [301, 307, 308, 400, 402, 403, 404, 409, 422, 429];

test.each([...unknownStatuses, ...failedStatuses])(
	'the outcome after a status of %d',
	async status => {
		const { platform, requests } = await platformAnswering('{"message": "so it is"}', {}, status);
		const isOutcomeUnknown = unknownStatuses.includes(status);
		expect(await failureOf(stop(platform))).toMatchObject({ status, isOutcomeUnknown });
		expect((await failureOf(operate(platform, 'create'))).isOutcomeUnknown).toBe(isOutcomeUnknown);
		const read = await failureOf(platform.readStatus('sb_a', readOptions()));
		expect(read.isOutcomeUnknown).toBe(false);
		expect(requests, 'each is sent once').toHaveLength(3);
	},
);

test.each(['OK', 'stopping sb_a\n', '', '[]', 'null', '{"success":'])(
	'the client takes any successful response as an acknowledgement, even %j',
	async text => {
		const { platform } = await platformAnswering(text);
		expect(await stop(platform)).toEqual({});
		expect(await operate(platform, 'publish')).toEqual({ published: { port: 8080 } });
	},
);

test('the outcome of a change that a web page answers, and of a creation without an id, is unknown', async () => {
	const { platform } = await platformAnswering('<html>a proxy</html>');
	const unclear = await platformAnswering('{"success": true}');
	for (const change of [
		() => stop(platform),
		() => operate(platform, 'delete'),
		() => operate(platform, 'publish'),
		() => operate(platform, 'create'),
		() => operate(unclear.platform, 'create'),
	])
		expect(await failureOf(change())).toMatchObject({ kind: 'unreadable', isOutcomeUnknown: true });
});

test('the client reads a failure from the body of a response with status 200', async () => {
	const { platform } = await platformAnswering(
		'{"success": false, "error": "add a card", "code": "no_payment_method"}',
	);
	expect(await failureOf(stop(platform))).toMatchObject({ kind: 'payment', message: 'add a card' });
});

test.each([
	['that its caller aborts', 'cancelled', 'cancelled', 'abort'],
	['whose response does not end in time', 'offline', 'no answer within 5 s', 'timeout'],
])('the outcome of a request %s is unknown', async (_, kind, message, ending) => {
	const clock = createHeldClock();
	const begun = deferred();
	const origin = await serveResponses((_, response) => {
		response.write('[');
		begun.resolve();
	});
	const { platform } = platformAt(origin, { clock, timeoutMs: 5_000 });
	const controller = new AbortController();
	const options = { ...readOptions(), signal: controller.signal };
	const stopping = failureOf(platform.operate({ operation: 'stop', computer: 'sb_a' }, options));
	await begun.promise;
	if (ending === 'abort') controller.abort();
	clock.move(ending === 'abort' ? 0 : 5_000);
	expect(await stopping).toMatchObject({ kind, message, isOutcomeUnknown: true });
	expect(clock.waiting).toBe(0);
});

test.each([1, 2])(
	'a request was not carried out if the sign-in before it gets no response (sign-in %d)',
	async broken => {
		let signIns = 0;
		const origin = await serveResponses((request, response) => {
			const isSignIn = request.url?.startsWith('/auth/');
			if (isSignIn) signIns += 1;
			if (!isSignIn) response.writeHead(401).end();
			else if (signIns === broken) request.socket.destroy();
			else response.end('{"access_token": "token"}');
		});
		const credentials = credentialsAt(origin);
		const failure = await failureOf(stop(platformAt(origin, { credentials }).platform));
		expect(failure).toMatchObject({ kind: 'offline', isOutcomeUnknown: false });
		expect(signIns).toBe(broken);
	},
);

test('a request failed if nothing listens at the address', async () => {
	const { platform } = platformAt(await vacantOrigin());
	expect(await failureOf(stop(platform))).toMatchObject({
		kind: 'offline',
		message: 'nothing answers at that address',
		isOutcomeUnknown: false,
	});
});

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
	['ETIMEDOUT', undefined],
	['UND_ERR_SOCKET', undefined],
	['UND_ERR_HEADERS_TIMEOUT', undefined],
])('the outcome is unknown when an open connection breaks with %s (%s)', (code, syscall) => {
	expect(connectionFailureFrom(thrown(systemError(code, syscall)))).toMatchObject({
		kind: 'offline',
		message: `the connection broke (${code})`,
		isOutcomeUnknown: true,
	});
});

test('the outcome is unknown unless connecting failed at every address of the host', () => {
	const several = (...syscalls: string[]) => {
		const errors = syscalls.map(syscall => systemError('ETIMEDOUT', syscall));
		return thrown(Object.assign(new AggregateError(errors), { code: 'ETIMEDOUT' }));
	};
	expect(connectionFailureFrom(several('connect', 'connect')).isOutcomeUnknown).toBe(false);
	expect(connectionFailureFrom(several('connect', 'read')).isOutcomeUnknown).toBe(true);
});

/** Lets each connection of the program fail in this way before it is made. */
function failConnections(error: Error) {
	const spy = vi.spyOn(Socket.prototype, 'connect').mockImplementation(function (this: Socket) {
		process.nextTick(() => this.destroy(error));
		return this;
	});
	onTestFinished(() => spy.mockRestore());
}

test.each(Object.entries(failuresBeforeSending))(
	'the error %s of a connection proves that nothing was sent',
	async (code, { systemCall, message }) => {
		failConnections(systemError(code, systemCall));
		for (const scheme of ['http', 'https']) {
			const failure = await failureOf(stop(platformAt(`${scheme}://127.0.0.1:9`).platform));
			expect(failure).toMatchObject({ kind: 'offline', message, code, isOutcomeUnknown: false });
		}
	},
);

test('an error of the HTTP client never leaves the platform, because it may contain the token', async () => {
	failConnections(systemError('ECONNRESET', 'read'));
	const { platform } = platformAt('http://127.0.0.1:9');
	const error: unknown = await platform
		.readAccount('credits', readOptions())
		.catch((reason: unknown) => reason);
	expect(error).toBeInstanceOf(PlatformError);
	expect((error as Error).cause).toBeUndefined();
	expect(inspect(error, { depth: 9, showHidden: true })).not.toMatch(/secret-token|FetchError/);
});

function writeForever(response: ServerResponse) {
	const chunk = 'x'.repeat(10_000);
	const write = () => {
		while (!response.destroyed && response.write(chunk));
	};
	response.on('drain', write);
	write();
}

describe.each(clients)('$client', ({ fetch }) => {
	/** Sends a request to a server that answers so, and waits until the client has left. */
	async function exchange(
		answer: (response: ServerResponse) => void,
		request: Partial<HttpRequest>,
	) {
		const left = deferred();
		const clock = createHeldClock();
		const url = await serveResponses((_, response) => {
			response.on('close', left.resolve);
			answer(response);
		});
		const { signal } = readOptions();
		const send = createHttp(url, { fetch, clock });
		const answered = await send({ method: 'GET', path: '/v1', signal, ...request }).catch(
			(error: unknown) => error,
		);
		await left.promise;
		expect(clock.waiting).toBe(0);
		return answered;
	}

	test.each<[string, (response: ServerResponse) => void]>([
		['an event stream', response => response.writeHead(200).write('data: hello\n\n')],
		['an endless download', writeForever],
		['a response whose body never begins', response => response.flushHeaders()],
	])('reads only the status of a visit, even for %s', async (_, answer) => {
		expect(await exchange(answer, { isVisit: true })).toMatchObject({ status: 200, text: '' });
	});

	test.each(['GET', 'POST'] as const)('leaves a body that is too long (%s)', async method => {
		expect(await exchange(writeForever, { method, maxBytes: 100_000 })).toMatchObject({
			failure: { kind: 'unreadable', isOutcomeUnknown: method === 'POST' },
		});
	});
});
