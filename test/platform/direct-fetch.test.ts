import { createServer as createSocketServer } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { FetchInit, FetchResponse } from '../../source/foundation/network.ts';
import { createDirectFetch } from '../../source/platform/direct-fetch.ts';
import { createHttp } from '../../source/platform/http.ts';
import { createHeldClock } from '../held-clock.ts';
import { clients, directFetch } from './clients.ts';
import { serveResponses } from './loopback.ts';

const { signal } = new AbortController();
const asking = (more: Partial<FetchInit> = {}): FetchInit => ({
	method: 'GET',
	headers: {},
	signal,
	redirect: 'manual',
	...more,
});

const text = JSON.stringify({ name: 'Zoë’s computer', numbers: Array.from({ length: 5000 }) });

async function textOf({ body }: FetchResponse): Promise<string> {
	const chunks: Uint8Array[] = [];
	if (body) for await (const chunk of body) chunks.push(chunk);
	return Buffer.concat(chunks).toString();
}

describe.each(clients)('$client', ({ fetch }) => {
	test.each([
		['no compression', '', Buffer.from(text)],
		['gzip', 'gzip', gzipSync(text)],
		['gzip under its old name', 'X-GZip', gzipSync(text)],
	])('reads a body with %s', async (_, encoding, body) => {
		const url = await serveResponses((_request, response) => {
			response.writeHead(200, encoding === '' ? {} : { 'content-encoding': encoding }).end(body);
		});
		const response = await fetch(url, asking());
		expect(await textOf(response)).toBe(text);
	});

	test('leaves a body with an unknown compression as it is', async () => {
		const url = await serveResponses((_, response) => {
			response.writeHead(200, { 'content-encoding': 'rot13' }).end('uryyb');
		});
		const response = await fetch(url, asking());
		expect(await textOf(response)).toBe('uryyb');
	});

	test('reads a compressed body that ends too early as far as it goes', async () => {
		const url = await serveResponses((_, response) => {
			response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(text).subarray(0, 40));
		});
		const response = await fetch(url, asking());
		const read = await textOf(response);
		expect(text.startsWith(read)).toBe(true);
	});

	test.each([204, 304, 404, 500])('returns status %i with its headers', async status => {
		const url = await serveResponses((_, response) => {
			response.setHeader('x-ratelimit-limit', ['30', '60']);
			response.setHeader('retry-after', '7');
			response.writeHead(status, { 'content-encoding': 'gzip' }).end();
		});
		const response = await fetch(url, asking());
		const { headers } = response;
		expect(response.status).toBe(status);
		expect(headers.get('x-ratelimit-limit')).toBe('30, 60');
		expect(headers.get('retry-after')).toBe('7');
		expect(headers.get('x-ratelimit-reset')).toBe(null);
		expect(await textOf(response)).toBe('');
	});

	test('does not follow a redirect, so that the token stays with the platform', async () => {
		let count = 0;
		const url = await serveResponses((_, response) => {
			count += 1;
			response.writeHead(302, { location: '/elsewhere' }).end();
		});
		const response = await fetch(url, asking({ headers: { authorization: 'Bearer token' } }));
		await response.body?.cancel();
		expect([response.status, response.headers.get('location'), count]).toEqual([
			302,
			'/elsewhere',
			1,
		]);
	});

	test.each(['POST', 'DELETE'])('sends the body of a %s with its length', async method => {
		const url = await serveResponses(async (request, response) => {
			const body = (await buffer(request)).toString();
			const { 'content-length': length, 'transfer-encoding': coding } = request.headers;
			response.end(JSON.stringify({ method: request.method, body, length, coding }));
		});
		const response = await fetch(url, asking({ method, body: '{"name":"ö"}' }));
		expect(JSON.parse(await textOf(response))).toEqual({
			method,
			body: '{"name":"ö"}',
			length: '13',
		});
	});

	test('uses a connection for several requests', async () => {
		const ports = new Set<number | undefined>();
		const url = await serveResponses((request, response) => {
			ports.add(request.socket.remotePort);
			response.end('[]');
		});
		for (let count = 0; count < 3; count += 1) {
			const response = await fetch(url, asking());
			await textOf(response);
			await new Promise(setImmediate);
		}
		expect(ports.size).toBe(1);
	});

	test('refuses to read on when the request is aborted while its body arrives', async () => {
		const url = await serveResponses((_, response) => void response.write('['));
		const controller = new AbortController();
		const response = await fetch(url, asking({ signal: controller.signal }));
		const reading = textOf(response);
		controller.abort();
		await expect(reading).rejects.toThrow();
	});

	test('sends nothing when the request is aborted before', async () => {
		let count = 0;
		const url = await serveResponses((_, response) => {
			count += 1;
			response.end();
		});
		await expect(fetch(url, asking({ signal: AbortSignal.abort() }))).rejects.toThrow();
		expect(count).toBe(0);
	});

	test('reports a body that ends before its announced length', async () => {
		const url = await serveResponses((_, response) => {
			response.writeHead(200, { 'content-length': 10 }).write('[');
			response.on('close', () => {});
			setImmediate(() => response.destroy());
		});
		const response = await fetch(url, asking());
		await expect(textOf(response)).rejects.toThrow();
	});

	test('reports a server that switches to another protocol', async () => {
		const url = await serveBytes(
			'HTTP/1.1 101 Switching\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n',
		);
		await expect(fetch(url, asking())).rejects.toThrow();
	});
});

/** Starts a server that sends these bytes as soon as it receives any. */
async function serveBytes(bytes: string): Promise<string> {
	const server = createSocketServer(socket => {
		socket.on('error', () => {});
		socket.once('data', () => socket.end(bytes));
	});
	await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
	onTestFinished(() => void server.close());
	const address = server.address();
	return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
}

describe('the direct client', () => {
	test('names the program to the platform', async () => {
		const url = await serveResponses((request, response) =>
			response.end(request.headers['user-agent']),
		);
		const response = await directFetch(url, asking());
		expect(await textOf(response)).toBe('crowsnest/test');
	});

	test('reports that nothing was sent when a secure connection takes longer than ten seconds', async () => {
		const clock = createHeldClock();
		const silent = createSocketServer(socket => socket.on('error', () => {}).resume());
		await new Promise<void>(resolve => silent.listen(0, '127.0.0.1', resolve));
		onTestFinished(() => void silent.close());
		const address = silent.address();
		const url = `https://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
		const fetch = createDirectFetch({ clock, userAgent: 'crowsnest/test' });
		const send = createHttp(url, { fetch, clock });
		const accepted = new Promise(resolve => silent.once('connection', resolve));
		const sending = send({ method: 'POST', path: '/v1', signal });
		sending.catch(() => {});
		await accepted;
		clock.move(10_000);
		await expect(sending).rejects.toMatchObject({
			failure: { message: 'the host does not accept the connection' },
		});
		await expect(sending).rejects.not.toMatchObject({ failure: { isOutcomeUnknown: true } });
	});
});
