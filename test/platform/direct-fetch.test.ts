import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import {
	type AddressInfo,
	connect,
	createServer as createSocketServer,
	type Server,
} from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { UsageError } from '../../source/foundation/error.ts';
import type { FetchInit, FetchResponse } from '../../source/foundation/network.ts';
import { createDirectFetch } from '../../source/platform/direct-fetch.ts';
import { createHttp } from '../../source/platform/http.ts';
import { proxyIn } from '../../source/platform/proxy.ts';
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
		const fetch = createDirectFetch(clock, 'crowsnest/test');
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

const certificate = join(import.meta.dirname, 'loopback.pem');
const folder = mkdtempSync(join(tmpdir(), 'crowsnest-proxy-'));
const program = join(folder, 'list-once.mjs');
const asked: (string | undefined)[] = [];
const tunnels: (string | undefined)[] = [];

let refusal: string | undefined;

const pem = readFileSync(certificate);
const answer: RequestListener = (request, response) => {
	asked.push(request.headers.authorization);
	response.end('[{"sandbox_id": "sb_one", "status": "active"}]');
};
const platform = createSecureServer({ key: pem, cert: pem }, answer);
const plain = createServer(answer);

const proxy = createServer().on('connect', (request, socket) => {
	if (refusal) {
		socket.end(`HTTP/1.1 ${refusal}\r\n\r\n`);
		return;
	}
	tunnels.push(request.url);
	const [, port] = (request.url ?? '').split(':');
	// The host platform.test exists only for the proxy, so a direct request would fail.
	const beyond = connect(Number(port), '127.0.0.1', () => {
		socket.write('HTTP/1.1 200 OK\r\n\r\n');
		beyond.pipe(socket).pipe(beyond);
	});
});

const portOf = (server: Server) => (server.address() as AddressInfo).port;

beforeAll(async () => {
	await build({
		entryPoints: [join(import.meta.dirname, 'list-once.ts')],
		outfile: program,
		bundle: true,
		platform: 'node',
		format: 'esm',
		banner: {
			js: "import{createRequire as requireFrom}from'node:module';const require=requireFrom(import.meta.url);",
		},
	});
	for (const server of [platform, plain, proxy]) {
		await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
	}
});

afterAll(() => {
	for (const server of [platform, plain, proxy]) {
		server.closeAllConnections();
		server.close();
	}
	rmSync(folder, { recursive: true });
});

/** Lists the computers of each platform in one child process, and returns the lines that it prints. */
async function list(environment: Record<string, string>, ...platforms: readonly string[]) {
	tunnels.length = 0;
	asked.length = 0;
	const env = { PATH: process.env['PATH'] ?? '', ...environment };
	const urls = platforms.map(each => {
		const server = each.startsWith('https:') ? platform : plain;
		return `${each}:${portOf(server)}/v1`;
	});
	const { stdout } = await promisify(execFile)(process.execPath, [program, ...urls], { env });
	return stdout.trimEnd().split('\n');
}

test('the client refuses an untrusted certificate before it sends a token', async () => {
	expect(await list({}, 'https://localhost')).toEqual(['its certificate is not trusted here']);
	expect(asked).toEqual([]);
});

test('the client trusts a certificate in the file that NODE_EXTRA_CA_CERTS names', async () => {
	expect(await list({ NODE_EXTRA_CA_CERTS: certificate }, 'https://localhost')).toEqual([
		'1 computers',
	]);
	expect(asked).toEqual(['Bearer secret-token']);
});

test.each([
	['HTTPS_PROXY', 'http://'],
	['https_proxy', 'http://'],
	['HTTPS_PROXY', ''],
	['HTTPS_PROXY', '//'],
	['HTTPS_PROXY', 'http://me:100%25@'],
])(
	'the client sends requests through the proxy in the variable `%s` that begins with "%s"',
	async (name, start) => {
		const environment = {
			NODE_EXTRA_CA_CERTS: certificate,
			[name]: `${start}127.0.0.1:${portOf(proxy)}`,
		};
		expect(await list(environment, 'https://platform.test')).toEqual(['1 computers']);
		expect(tunnels).toEqual([`platform.test:${portOf(platform)}`]);
	},
);

test('the client sends requests to the hosts in NO_PROXY without the proxy', async () => {
	const environment = {
		NODE_EXTRA_CA_CERTS: certificate,
		HTTPS_PROXY: `http://127.0.0.1:${portOf(proxy)}`,
		NO_PROXY: 'example.com,platform.test',
	};
	expect(await list(environment, 'https://platform.test')).toEqual([
		expect.stringContaining('host'),
	]);
	expect(tunnels).toEqual([]);
});

test('the client sends requests to this machine without the proxy, so that the token does not leave it', async () => {
	const address = `http://127.0.0.1:${portOf(proxy)}`;
	const environment = {
		NODE_EXTRA_CA_CERTS: certificate,
		HTTP_PROXY: address,
		HTTPS_PROXY: address,
		NODE_USE_ENV_PROXY: '1',
	};
	const platforms = ['http', 'https'].flatMap(scheme => [
		`${scheme}://localhost`,
		`${scheme}://127.0.0.1`,
	]);
	expect(await list(environment, ...platforms)).toEqual(platforms.map(() => '1 computers'));
	expect(tunnels).toEqual([]);
	expect(asked).toEqual(platforms.map(() => 'Bearer secret-token'));
});

test('the client refuses an untrusted certificate of a platform behind a proxy', async () => {
	const environment = { HTTPS_PROXY: `http://127.0.0.1:${portOf(proxy)}` };
	expect(await list(environment, 'https://platform.test')).toEqual([
		'its certificate is not trusted here',
	]);
	expect(asked).toEqual([]);
});

test.each([
	['407 Proxy Authentication Required', 'the proxy wants a user and a password (407)'],
	['403 Forbidden', 'the proxy refuses with 403'],
])('a proxy that answers %s is told as what it is', async (line, message) => {
	refusal = line;
	const environment = { HTTPS_PROXY: `http://127.0.0.1:${portOf(proxy)}` };
	expect(await list(environment, 'https://platform.test')).toEqual([message]);
	expect(asked).toEqual([]);
	refusal = undefined;
});

test.each([
	['http://', 'HTTPS_PROXY is not a valid address. Write it as http://host:port.'],
	[' ', 'HTTPS_PROXY is not a valid address. Write it as http://host:port.'],
	['host:99999', 'HTTPS_PROXY is not a valid address. Write it as http://host:port.'],
	['ftp://host:3128', 'HTTPS_PROXY must begin with http:// or https://'],
	[
		'socks5://host:1080',
		'HTTPS_PROXY: SOCKS is not supported. Name an HTTP proxy: http://host:port.',
	],
	[
		'http://me:hunter22%@host:3128',
		'HTTPS_PROXY: write a percent sign in the user or the password as %25',
	],
])(
	'the proxy "%s" is refused with the name of its variable and without its value',
	(text, message) => {
		expect(() => proxyIn({ HTTPS_PROXY: text }, 'HTTPS_PROXY')).toThrow(new UsageError(message));
	},
);
