import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { connect, createServer as createSocketServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { UsageError } from '../../source/foundation/error.ts';
import type { FetchInit, FetchResponse } from '../../source/foundation/network.ts';
import { createDirectFetch, createHttp } from '../../source/platform/http.ts';
import { proxyIn } from '../../source/platform/proxy.ts';
import { createHeldClock } from '../held-clock.ts';
import { clients, directFetch } from './clients.ts';
import type { Asked } from './list-computers.ts';
import { listening, portOf, serveResponses } from './loopback.ts';

const { signal } = new AbortController();
const asking = (more: Partial<FetchInit> = {}): FetchInit => ({
	method: 'GET',
	headers: {},
	signal,
	redirect: 'manual',
	...more,
});

const content = JSON.stringify({ name: 'Zoë’s computer', numbers: Array.from({ length: 5000 }) });

async function textOf({ body }: FetchResponse): Promise<string> {
	const chunks: Uint8Array[] = [];
	if (body) for await (const chunk of body) chunks.push(chunk);
	return Buffer.concat(chunks).toString();
}

/** Starts a server that treats each connection so. */
async function listen(treat: (socket: Socket) => void) {
	const treated = createSocketServer(socket => treat(socket.on('error', () => {})));
	const server = await listening(treated);
	onTestFinished(() => void server.close());
	return `127.0.0.1:${portOf(server)}`;
}

describe.each(clients)('$client', ({ fetch }) => {
	async function answeredBy(answer: RequestListener, init?: Partial<FetchInit>) {
		const response = await fetch(await serveResponses(answer), asking(init));
		return { response, text: await textOf(response) };
	}

	test.each([
		['no compression', '', Buffer.from(content), content],
		['gzip', 'gzip', gzipSync(content), content],
		['gzip under its old name', 'X-GZip', gzipSync(content), content],
		['an unknown compression, which it leaves', 'rot13', Buffer.from('uryyb'), 'uryyb'],
	])('reads a body with %s', async (_, encoding, body, expected) => {
		const { text } = await answeredBy((_request, response) => {
			response.writeHead(200, encoding === '' ? {} : { 'content-encoding': encoding }).end(body);
		});
		expect(text).toBe(expected);
	});

	test('reads a compressed body that ends too early as far as it goes', async () => {
		const { text } = await answeredBy((_, response) => {
			response
				.writeHead(200, { 'content-encoding': 'gzip' })
				.end(gzipSync(content).subarray(0, 40));
		});
		expect(content.startsWith(text)).toBe(true);
	});

	test.each([204, 302, 304, 404, 500])('returns status %i with its headers', async status => {
		let count = 0;
		const { response, text } = await answeredBy((_, answer) => {
			count += 1;
			answer.setHeader('x-ratelimit-limit', ['30', '60']);
			answer.writeHead(status, { location: '/elsewhere', 'content-encoding': 'gzip' }).end();
		});
		const { headers } = response;
		expect([response.status, text]).toEqual([status, '']);
		expect(headers.get('x-ratelimit-limit')).toBe('30, 60');
		expect(headers.get('x-ratelimit-reset')).toBe(null);
		expect(count, 'a redirect is not followed, so that the token stays with the platform').toBe(1);
	});

	test.each(['POST', 'DELETE'])('sends the body of a %s with its length', async method => {
		const body = '{"name":"ö"}';
		const { text } = await answeredBy(
			async (request, response) => {
				const { 'content-length': length, 'transfer-encoding': coding } = request.headers;
				const sent = (await buffer(request)).toString();
				response.end(JSON.stringify([request.method, sent, length, coding]));
			},
			{ method, body },
		);
		expect(JSON.parse(text)).toEqual([method, body, '13', null]);
	});

	test('uses a connection for several requests', async () => {
		const ports = new Set<number | undefined>();
		const url = await serveResponses((request, response) => {
			ports.add(request.socket.remotePort);
			response.end('[]');
		});
		for (let count = 0; count < 3; count += 1) {
			await textOf(await fetch(url, asking()));
			await new Promise(setImmediate);
		}
		expect(ports.size).toBe(1);
	});

	test('sends nothing when the request is aborted before, and reads no further when it is aborted later', async () => {
		let count = 0;
		const url = await serveResponses((_, response) => {
			count += 1;
			response.write('[');
		});
		await expect(fetch(url, asking({ signal: AbortSignal.abort() }))).rejects.toThrow();
		expect(count).toBe(0);
		const controller = new AbortController();
		const reading = textOf(await fetch(url, asking({ signal: controller.signal })));
		controller.abort();
		await expect(reading).rejects.toThrow();
	});

	test('reports a body that ends before its announced length, and a switch to another protocol', async () => {
		const short = answeredBy((_, response) => {
			response.writeHead(200, { 'content-length': 10 }).write('[');
			setImmediate(() => response.destroy());
		});
		await expect(short).rejects.toThrow();
		const switching = 'HTTP/1.1 101 Switching\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n';
		const host = await listen(socket => socket.once('data', () => socket.end(switching)));
		await expect(fetch(`http://${host}`, asking())).rejects.toThrow();
	});
});

test('the direct client names the program to the platform', async () => {
	const url = await serveResponses((request, response) =>
		response.end(request.headers['user-agent']),
	);
	expect(await textOf(await directFetch(url, asking()))).toBe('crowsnest/test');
});

test('the direct client proves that nothing was sent when a secure connection takes longer than ten seconds', async () => {
	const clock = createHeldClock();
	let accept = () => {};
	const accepted = new Promise<void>(resolve => {
		accept = resolve;
	});
	const url = `https://${await listen(socket => {
		socket.resume();
		accept();
	})}`;
	const send = createHttp(url, { fetch: createDirectFetch(clock, 'crowsnest/test'), clock });
	const sending = send({ method: 'POST', path: '/v1', signal }).catch((error: unknown) => error);
	await accepted;
	clock.move(10_000);
	const message = 'the host does not accept the connection';
	expect(await sending).toMatchObject({ failure: { message, isOutcomeUnknown: false } });
});

const certificate = join(import.meta.dirname, 'loopback.pem');
const folder = mkdtempSync(join(tmpdir(), 'crowsnest-proxy-'));
const program = join(folder, 'list-computers.mjs');
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

const children: ChildProcess[] = [];

/** Starts a process that lists the computers of each platform, and returns what it says of them. */
function startClient(environment: Record<string, string>) {
	const client = spawn(process.execPath, [program], {
		env: { PATH: process.env['PATH'], ...environment },
		stdio: ['pipe', 'pipe', 'inherit'],
	});
	children.push(client);
	const lines = createInterface({ input: client.stdout })[Symbol.asyncIterator]();
	return async (variables: Record<string, string>, ...platforms: readonly string[]) => {
		tunnels.length = 0;
		asked.length = 0;
		const baseUrls = platforms.map(each => {
			const server = each.startsWith('https:') ? platform : plain;
			return `${each}:${portOf(server)}/v1`;
		});
		client.stdin.write(`${JSON.stringify({ variables, baseUrls } satisfies Asked)}\n`);
		return JSON.parse((await lines.next()).value);
	};
}

const trusting = { NODE_EXTRA_CA_CERTS: certificate };
// One process trusts the certificate of the platform, and the other does not.
let listTrusting: ReturnType<typeof startClient>;
let listDoubting: ReturnType<typeof startClient>;

beforeAll(async () => {
	await build({
		entryPoints: [join(import.meta.dirname, 'list-computers.ts')],
		outfile: program,
		bundle: true,
		platform: 'node',
		format: 'esm',
		banner: {
			js: "import{createRequire as requireFrom}from'node:module';const require=requireFrom(import.meta.url);",
		},
	});
	await Promise.all([platform, plain, proxy].map(each => listening(each)));
	listTrusting = startClient(trusting);
	listDoubting = startClient({});
});

afterAll(() => {
	for (const child of children) child.kill();
	for (const server of [platform, plain, proxy]) {
		server.closeAllConnections();
		server.close();
	}
	rmSync(folder, { recursive: true });
});

const throughProxy = () => ({ HTTPS_PROXY: `http://127.0.0.1:${portOf(proxy)}` });

test('a platform is sent a token only if its certificate is trusted, by a file that NODE_EXTRA_CA_CERTS names', async () => {
	const notTrusted = ['its certificate is not trusted here'];
	expect(await listDoubting({}, 'https://localhost')).toEqual(notTrusted);
	expect(await listDoubting(throughProxy(), 'https://platform.test')).toEqual(notTrusted);
	expect(asked).toEqual([]);
	expect(await listTrusting({}, 'https://localhost')).toEqual(['1 computers']);
	expect(asked).toEqual(['Bearer secret-token']);
});

test.each([
	['HTTPS_PROXY', 'http://'],
	['https_proxy', ''],
	['HTTPS_PROXY', '//'],
	['HTTPS_PROXY', 'http://me:100%25@'],
])('requests go through the proxy in `%s` that begins with "%s"', async (name, start) => {
	const variables = { [name]: `${start}127.0.0.1:${portOf(proxy)}` };
	expect(await listTrusting(variables, 'https://platform.test')).toEqual(['1 computers']);
	expect(tunnels).toEqual([`platform.test:${portOf(platform)}`]);
});

test('requests to the hosts in NO_PROXY go without the proxy', async () => {
	const variables = { ...throughProxy(), NO_PROXY: 'example.com,platform.test' };
	const [said] = await listTrusting(variables, 'https://platform.test');
	expect(said).toContain('host');
	expect(tunnels).toEqual([]);
});

test('requests to this machine go without the proxy, so that the token does not leave it', async () => {
	const { HTTPS_PROXY } = throughProxy();
	const proxies = { HTTPS_PROXY, HTTP_PROXY: HTTPS_PROXY, NODE_USE_ENV_PROXY: '1' };
	const platforms = ['http', 'https'].flatMap(scheme =>
		['localhost', '127.0.0.1'].map(host => `${scheme}://${host}`),
	);
	const lines = await startClient({ ...trusting, ...proxies })(proxies, ...platforms);
	expect(lines).toEqual(platforms.map(() => '1 computers'));
	expect(tunnels).toEqual([]);
	expect(asked).toEqual(platforms.map(() => 'Bearer secret-token'));
});

test.each([
	['407 Proxy Authentication Required', 'the proxy wants a user and a password (407)'],
	['403 Forbidden', 'the proxy refuses with 403'],
])('a proxy that answers %s is told as what it is', async (line, message) => {
	refusal = line;
	onTestFinished(() => {
		refusal = undefined;
	});
	expect(await listDoubting(throughProxy(), 'https://platform.test')).toEqual([message]);
	expect(asked).toEqual([]);
});

const invalid = 'HTTPS_PROXY is not a valid address. Write it as http://host:port.';
const socks = 'HTTPS_PROXY: SOCKS is not supported. Name an HTTP proxy: http://host:port.';
const percent = 'HTTPS_PROXY: write a percent sign in the user or the password as %25';

test.each([
	['http://', invalid],
	[' ', invalid],
	['host:99999', invalid],
	['ftp://host:3128', 'HTTPS_PROXY must begin with http:// or https://'],
	['socks5://host:1080', socks],
	['http://me:hunter22%@host:3128', percent],
])('the proxy "%s" is refused without its value', (text, message) => {
	expect(() => proxyIn({ HTTPS_PROXY: text }, 'HTTPS_PROXY')).toThrow(new UsageError(message));
});
