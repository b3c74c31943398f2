import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, connect, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { UsageError } from '../../source/foundation/error.ts';
import { proxyIn } from '../../source/platform/proxy.ts';

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
